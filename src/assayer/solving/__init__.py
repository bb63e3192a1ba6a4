"""Planner, pruner, coder, analyst and the loop that ties them."""
