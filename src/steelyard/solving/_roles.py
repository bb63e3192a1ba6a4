"""The roles of models."""

from steelyard.models import Role, Temperature
from steelyard.schemas import CodeReply, GeneratorReply, PlanReply, ReferenceReply, VerdictReply

__all__ = [
    "ANALYST",
    "ATTACKER",
    "CODER",
    "GENERATOR",
    "MODEL_OF",
    "PLANNER",
    "PLAN_BYTES",
    "PLAN_TOKENS",
    "REFERENCE",
]

PLAN_TOKENS = 512
"""Largest size of a plan without its generator."""
PLAN_BYTES = 4 * PLAN_TOKENS
"""About the size of that many tokens of English and code."""
_GENERATOR_TOKENS = 1_024

PLANNER = Role(
    "planner", "planner", PlanReply, Temperature(0.2, 0.2, 0.8), PLAN_TOKENS + _GENERATOR_TOKENS
)
CODER = Role("coder", "coder", CodeReply, Temperature(0.0, 0.2, 0.8), 8_192, repairs=1)
ANALYST = Role("analyst", "analyst", VerdictReply, Temperature(0.0, 0.1, 0.3), 1_024)
GENERATOR = Role(
    "generator", "generator", GeneratorReply, Temperature(0.2, 0.2, 0.8), 4 * _GENERATOR_TOKENS
)
ATTACKER = Role(
    "attacker", "attacker", GeneratorReply, Temperature(0.2, 0.2, 0.8), 4 * _GENERATOR_TOKENS
)
REFERENCE = Role("reference", "reference", ReferenceReply, Temperature(0.2, 0.3, 0.8), 4_096)

MODEL_OF = {"generator": "planner", "attacker": "analyst", "reference": "coder"}
"""The role whose model answers, for roles without a model of their own."""
