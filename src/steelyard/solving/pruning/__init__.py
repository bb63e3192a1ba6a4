"""Static rules that refuse a hopeless plan or program before it is paid for or run."""

from steelyard.solving.pruning._pruner import Limits, Plan, Pruner

__all__ = ["Limits", "Plan", "Pruner"]
