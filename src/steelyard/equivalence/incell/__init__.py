"""What runs in cells, beside the project and the candidate. Plain modules without dependencies."""
