"""The default models, with the facts on which they rest and the date when these were checked."""

from dataclasses import dataclass
from datetime import date

CHECKED = date(2026, 11, 22)
"""The date when the table was last compared with the vendors' pages."""


@dataclass(frozen=True, slots=True)
class DefaultModel:
    """One default model."""

    name: str
    released: date
    replaces: str
    """The default before it."""
    gone: date
    """The date when the earlier default's requests fail."""
    source: str
    """The vendor's page on the life of its models."""


DEFAULTS = (
    DefaultModel(
        name="anthropic:claude-opus-5-5",
        released=date(2026, 9, 24),
        replaces="anthropic:claude-opus-4",
        gone=date(2026, 6, 15),
        source="https://platform.claude.com/docs/en/about-claude/model-deprecations",
    ),
    DefaultModel(
        name="openai:gpt-6.1-sol",
        released=date(2026, 9, 29),
        replaces="openai:gpt-4.1",
        gone=date(2027, 1, 14),
        source="https://developers.openai.com/api/docs/deprecations",
    ),
)
PLANNER = DEFAULTS[0].name
CODER = ANALYST = DEFAULTS[1].name
