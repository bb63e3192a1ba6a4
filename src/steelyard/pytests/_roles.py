"""The roles of models in writing suites, and their replies."""

import json
import re
from pathlib import Path

from steelyard.models import Role, Temperature, code_blocks
from steelyard.pytests._reading import read_suite, suite_of_text
from steelyard.schemas import ReviewReply, SuiteReply

_PROMPTS = Path(__file__).parent / "prompts"
_THINKING_TOKENS = 24_000
"""Room for a reasoning model's thinking, which counts as a part of its reply."""
_SUITE_TOKENS = 16_000
_MOST_CHARS = 2_000_000
_MOST_BLOCKS, _MOST_FIELDS = 10, 5

TESTER = Role(
    "tester",
    "tester",
    SuiteReply,
    Temperature(0.7),
    _THINKING_TOKENS + _SUITE_TOKENS,
    repairs=1,
    program_field="test_code",
    folder=_PROMPTS,
)
REVIEWER = Role(
    "reviewer",
    "reviewer",
    ReviewReply,
    Temperature(0.0),
    _THINKING_TOKENS + _SUITE_TOKENS,
    repairs=0,
    folder=_PROMPTS,
)
"""An unreadable review goes to the next round with the reason: a round is its repair."""

_FIELD = re.compile(r'"test_code"\s*:\s*(?=")')


def code_in(text: str) -> str | None:
    """Return the suite in a reply that has none of the forms that were asked for; None without one.

    Sought in the field `test_code` of broken JSON, then in fenced blocks, then in the whole text.
    """
    text = text[:_MOST_CHARS].rpartition("</think>")[2]
    starts = [match.end() for match in _FIELD.finditer(text)][-_MOST_FIELDS:]
    fields = [_string_at(text, start) for start in starts]
    blocks = code_blocks(text)[:_MOST_BLOCKS]
    candidates = [
        *(field for field in reversed(fields) if field),
        *sorted(blocks, key=len, reverse=True),
        text,
    ]
    return next((each for each in candidates if _is_suite(each)), None)


def _string_at(text: str, index: int) -> str | None:
    """Return the JSON string that begins at an index; None if it does not end."""
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, index)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _is_suite(code: str) -> bool:
    return bool(read_suite(suite_of_text(code)[1], "").tests)
