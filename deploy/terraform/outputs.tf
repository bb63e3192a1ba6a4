output "bucket" {
  description = "Name of the bucket."
  value       = module.bucket.name
}

output "cluster" {
  description = "Name of the cluster."
  value       = module.cluster.name
}

output "credentials" {
  description = "Command that lets kubectl reach the cluster."
  value       = "gcloud container clusters get-credentials ${module.cluster.name} --region ${var.region} --project ${var.project} --dns-endpoint"
}
