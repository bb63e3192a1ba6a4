# A private Autopilot cluster. Autopilot has workload identity, shielded nodes and gVisor without a setting.

variable "project" { type = string }
variable "region" { type = string }
variable "name" { type = string }
variable "network" { type = string }
variable "subnetwork" { type = string }
variable "pods_range" { type = string }
variable "services_range" { type = string }
variable "authorized_networks" { type = map(string) }
variable "ray" { type = bool }
variable "deletion_protection" { type = bool }
variable "labels" { type = map(string) }

resource "google_container_cluster" "this" {
  project             = var.project
  location            = var.region
  name                = var.name
  network             = var.network
  subnetwork          = var.subnetwork
  enable_autopilot    = true
  deletion_protection = var.deletion_protection
  resource_labels     = var.labels

  release_channel {
    channel = "REGULAR"
  }

  private_cluster_config {
    enable_private_nodes    = true
    enable_private_endpoint = length(var.authorized_networks) == 0
  }

  control_plane_endpoints_config {
    dns_endpoint_config {
      allow_external_traffic = true
    }
  }

  master_authorized_networks_config {
    dynamic "cidr_blocks" {
      for_each = var.authorized_networks
      content {
        display_name = cidr_blocks.key
        cidr_block   = cidr_blocks.value
      }
    }
  }

  ip_allocation_policy {
    cluster_secondary_range_name  = var.pods_range
    services_secondary_range_name = var.services_range
  }

  workload_identity_config {
    workload_pool = "${var.project}.svc.id.goog"
  }

  # The billing export has costs by namespace and by the pods' labels.
  cost_management_config {
    enabled = true
  }

  addons_config {
    ray_operator_config {
      enabled = var.ray
    }
  }
}

output "name" { value = google_container_cluster.this.name }
output "workload_pool" { value = google_container_cluster.this.workload_identity_config[0].workload_pool }

# For the tests.
output "cluster" { value = google_container_cluster.this }
