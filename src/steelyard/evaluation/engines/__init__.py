"""Run jobs on one machine or on many, with equal results: `with open_engine("local") as engine`."""

from steelyard.evaluation.engines._engine import Engine
from steelyard.evaluation.engines._open import EngineName, open_engine

__all__ = ["Engine", "EngineName", "open_engine"]
