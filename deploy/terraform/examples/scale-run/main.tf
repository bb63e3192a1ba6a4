# A cluster and a bucket for one run of `make scale-run`, which destroys them.

terraform {
  # The state is in this folder, for as long as the run takes.
  backend "local" {}
}

variable "project" { type = string }
variable "billing_account" { type = string }
variable "budget_usd" { type = number }
variable "name" { type = string }

provider "google" {
  project               = var.project
  billing_project       = var.project
  user_project_override = true
}

module "steelyard" {
  source = "../.."

  project             = var.project
  billing_account     = var.billing_account
  budget_usd          = var.budget_usd
  name                = var.name
  keep_days           = 7
  deletion_protection = false
  labels              = { run = var.name }
}

output "bucket" { value = module.steelyard.bucket }
output "credentials" { value = module.steelyard.credentials }
