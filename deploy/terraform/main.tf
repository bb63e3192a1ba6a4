# A private Autopilot cluster for Steelyard, with a bucket for results and a budget. docs/deploy.md has the steps.

locals {
  labels = merge(var.labels, { app = "steelyard", deployment = var.name })
}

data "google_project" "this" {
  project_id = var.project
}

module "network" {
  source = "./modules/network"

  project = var.project
  region  = var.region
  name    = var.name
}

module "cluster" {
  source = "./modules/cluster"

  project             = var.project
  region              = var.region
  name                = var.name
  network             = module.network.network
  subnetwork          = module.network.subnetwork
  pods_range          = module.network.pods_range
  services_range      = module.network.services_range
  authorized_networks = var.authorized_networks
  ray                 = var.ray
  deletion_protection = var.deletion_protection
  labels              = local.labels
}

module "bucket" {
  source = "./modules/bucket"

  project     = var.project
  location    = var.region
  name        = "${var.project}-${var.name}"
  keep_days   = var.keep_days
  destroyable = !var.deletion_protection
  labels      = local.labels

  # The pods' service account, as Kubernetes knows it: there is no key, and no account in between.
  writers = {
    pods = join("", [
      "principal://iam.googleapis.com/projects/${data.google_project.this.number}",
      "/locations/global/workloadIdentityPools/${module.cluster.workload_pool}",
      "/subject/ns/${var.namespace}/sa/${var.service_account}",
    ])
  }
}

module "budget" {
  source = "./modules/budget"

  billing_account = var.billing_account
  project_number  = data.google_project.this.number
  name            = var.name
  amount_usd      = var.budget_usd
}
