"""The roles of models."""

from steelyard.models import Role, Temperature
from steelyard.schemas import CodeReply, GeneratorReply, PlanReply, ReferenceReply, VerdictReply

PLAN_TOKENS = 512
"""Largest size of a plan without its generator."""
PLAN_BYTES = 4 * PLAN_TOKENS
"""About the size of that many tokens of English and code."""
_GENERATOR_TOKENS = 1_024

_THINKING_TOKENS = 24_000
"""Room for a reasoning model's thinking, which counts as a part of its reply."""

PLANNER = Role(
    "planner",
    "planner",
    PlanReply,
    Temperature(0.2, 0.2, 0.8),
    _THINKING_TOKENS + PLAN_TOKENS + _GENERATOR_TOKENS,
)
CODER = Role(
    "coder",
    "coder",
    CodeReply,
    Temperature(0.0, 0.2, 0.8),
    _THINKING_TOKENS + 8_192,
    repairs=1,
    program_field="code_cpp",
)
ANALYST = Role(
    "analyst", "analyst", VerdictReply, Temperature(0.0, 0.1, 0.3), _THINKING_TOKENS + 1_024
)
GENERATOR = Role(
    "generator",
    "generator",
    GeneratorReply,
    Temperature(0.2, 0.2, 0.8),
    _THINKING_TOKENS + _GENERATOR_TOKENS,
)
ATTACKER = Role(
    "attacker",
    "attacker",
    GeneratorReply,
    Temperature(0.2, 0.2, 0.8),
    _THINKING_TOKENS + _GENERATOR_TOKENS,
)
REFERENCE = Role(
    "reference",
    "reference",
    ReferenceReply,
    Temperature(0.2, 0.3, 0.8),
    _THINKING_TOKENS + 4_096,
    program_field="code_python",
)

MODEL_OF = {"generator": "planner", "attacker": "analyst", "reference": "coder"}
"""The role whose model answers, for roles without a model of their own."""
