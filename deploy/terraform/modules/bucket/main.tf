# A bucket for samples and results. Nobody outside the project can be given access to it by mistake.

variable "project" { type = string }
variable "location" { type = string }
variable "name" { type = string }
variable "keep_days" { type = number }
variable "destroyable" { type = bool }
variable "writers" { type = map(string) }
variable "labels" { type = map(string) }

resource "google_storage_bucket" "this" {
  project                     = var.project
  location                    = var.location
  name                        = var.name
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = var.destroyable
  labels                      = var.labels

  versioning {
    enabled = true
  }

  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      age = var.keep_days
    }
  }

  # Versions that were replaced: a shard's record is copied again each minute.
  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      days_since_noncurrent_time = 1
      num_newer_versions         = 2
    }
  }
}

resource "google_storage_bucket_iam_member" "writers" {
  for_each = var.writers

  bucket = google_storage_bucket.this.name
  role   = "roles/storage.objectUser"
  member = each.value
}

output "name" { value = google_storage_bucket.this.name }

# For the tests.
output "bucket" { value = google_storage_bucket.this }
output "members" { value = { for name, each in google_storage_bucket_iam_member.writers : name => each.member } }
