# Alerts at half, nine tenths and all of the budget, and if the forecast exceeds it. A budget stops nothing.

variable "billing_account" { type = string }
variable "project_number" { type = string }
variable "name" { type = string }
variable "amount_usd" { type = number }

resource "google_billing_budget" "this" {
  billing_account = var.billing_account
  display_name    = var.name

  budget_filter {
    projects = ["projects/${var.project_number}"]
  }

  amount {
    specified_amount {
      currency_code = "USD"
      units         = tostring(floor(var.amount_usd))
    }
  }

  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1.0]
    content {
      threshold_percent = threshold_rules.value
    }
  }

  threshold_rules {
    threshold_percent = 1.0
    spend_basis       = "FORECASTED_SPEND"
  }
}

# For the tests.
output "budget" { value = google_billing_budget.this }
