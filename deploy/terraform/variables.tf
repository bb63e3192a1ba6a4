variable "project" {
  description = "Project in which everything is made."
  type        = string
}

variable "billing_account" {
  description = "Billing account of the project, for the budget: 000000-000000-000000."
  type        = string
  validation {
    condition     = can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "billing_account must look like 0A1B2C-3D4E5F-012345."
  }
}

variable "budget_usd" {
  description = "Monthly budget in US dollars. Alerts go to the billing account's administrators."
  type        = number
  validation {
    condition     = var.budget_usd >= 1
    error_message = "budget_usd must be at least 1."
  }
}

variable "region" {
  description = "Region of the cluster and of the bucket."
  type        = string
  default     = "europe-west4"
}

variable "name" {
  description = "Name of the deployment, which begins the names of all resources."
  type        = string
  default     = "steelyard"
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,28}[a-z0-9]$", var.name))
    error_message = "name must be 2 to 30 lower-case letters, digits and hyphens, and begin with a letter."
  }
}

variable "namespace" {
  description = "Namespace of the pods in Kubernetes."
  type        = string
  default     = "steelyard"
}

variable "service_account" {
  description = "Service account of the pods in Kubernetes, which may write to the bucket."
  type        = string
  default     = "steelyard"
}

variable "authorized_networks" {
  description = "Networks that reach the cluster's API, by name. Without any, it is reached by Google's DNS endpoint alone."
  type        = map(string)
  default     = {}
  validation {
    condition     = alltrue([for range in values(var.authorized_networks) : can(cidrnetmask(range)) && range != "0.0.0.0/0"])
    error_message = "authorized_networks must be ranges such as 203.0.113.7/32, and not 0.0.0.0/0."
  }
}

variable "ray" {
  description = "Install Google's operator for Ray."
  type        = bool
  default     = false
}

variable "keep_days" {
  description = "Days after which objects in the bucket are deleted."
  type        = number
  default     = 90
}

variable "deletion_protection" {
  description = "Refuse to destroy the cluster, and a bucket that holds objects."
  type        = bool
  default     = true
}

variable "labels" {
  description = "Further labels of all resources that have labels; costs are reported by them."
  type        = map(string)
  default     = {}
}
