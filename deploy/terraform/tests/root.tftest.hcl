# What the root module plans, with a mocked provider: nothing is asked of Google.
mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789012" }
  }
}

variables {
  project         = "my-project"
  billing_account = "0A1B2C-3D4E5F-012345"
  budget_usd      = 100
}

run "is_private" {
  command = plan

  assert {
    condition     = module.cluster.cluster.enable_autopilot && module.cluster.cluster.deletion_protection
    error_message = "The cluster must be an Autopilot cluster that is not destroyed by mistake."
  }
  assert {
    condition     = module.cluster.cluster.private_cluster_config[0].enable_private_nodes
    error_message = "Nodes must have no public addresses."
  }
  assert {
    condition     = module.cluster.cluster.private_cluster_config[0].enable_private_endpoint
    error_message = "Without authorized networks, the API must have no public address."
  }
  assert {
    condition     = module.cluster.cluster.cost_management_config[0].enabled
    error_message = "Costs must be allocated to pods by their labels."
  }
  assert {
    condition     = module.bucket.bucket.public_access_prevention == "enforced" && module.bucket.bucket.uniform_bucket_level_access
    error_message = "The bucket must be private."
  }
  assert {
    condition     = !module.bucket.bucket.force_destroy
    error_message = "A bucket that holds objects must not be destroyed by mistake."
  }
  assert {
    condition     = output.bucket == "my-project-steelyard"
    error_message = "The bucket's name must be that of the project and the deployment."
  }
}

run "pods_write_without_keys" {
  command = plan

  assert {
    condition     = module.bucket.members["pods"] == "principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/my-project.svc.id.goog/subject/ns/steelyard/sa/steelyard"
    error_message = "The pods' service account must write to the bucket by workload identity."
  }
}

run "alerts_before_the_budget_is_spent" {
  command = plan

  assert {
    condition     = [for rule in module.budget.budget.threshold_rules : rule.threshold_percent] == [0.5, 0.9, 1, 1]
    error_message = "The budget must alert at half, nine tenths and all of it."
  }
  assert {
    condition     = module.budget.budget.amount[0].specified_amount[0].units == "100"
    error_message = "The budget must be the amount that was given."
  }
}

run "authorized_networks_reach_the_api" {
  command = plan
  variables {
    authorized_networks = { office = "203.0.113.0/24" }
    ray                 = true
  }

  assert {
    condition     = !module.cluster.cluster.private_cluster_config[0].enable_private_endpoint
    error_message = "Authorized networks must reach the API."
  }
  assert {
    condition     = module.cluster.cluster.addons_config[0].ray_operator_config[0].enabled
    error_message = "The operator for Ray must be installed if it is asked for."
  }
}

run "everybody_is_refused" {
  command = plan
  variables {
    authorized_networks = { everybody = "0.0.0.0/0" }
  }
  expect_failures = [var.authorized_networks]
}

run "no_budget_is_refused" {
  command = plan
  variables {
    budget_usd = 0
  }
  expect_failures = [var.budget_usd]
}
