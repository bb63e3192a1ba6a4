# The service for a team: a cluster and a bucket that stay.

terraform {
  # Whoever has the state can read and change everything: keep it in a bucket of its own.
  # terraform init -backend-config=bucket=MY-STATE
  backend "gcs" {
    prefix = "steelyard/service"
  }
}

variable "project" { type = string }
variable "billing_account" { type = string }
variable "budget_usd" { type = number }

provider "google" {
  project               = var.project
  billing_project       = var.project
  user_project_override = true
}

module "steelyard" {
  source = "../.."

  project         = var.project
  billing_account = var.billing_account
  budget_usd      = var.budget_usd
}

output "bucket" { value = module.steelyard.bucket }
output "credentials" { value = module.steelyard.credentials }
