"""Static rules that refuse a hopeless plan or program before it is paid for or run."""

from steelyard.solving.pruning._pruner import Pruner

__all__ = ["Pruner"]
