"""Reject what `json` accepts but JSON does not allow; and shorten texts."""

from typing import Any


def shorten(text: str, length: int) -> str:
    """Return the text's head and tail, with the number of omitted characters between them."""
    if len(text) <= length:
        return text
    head, tail = length * 2 // 3, length // 3
    return f"{text[:head]} [... {len(text) - head - tail:,} characters ...] {text[-tail:]}"


def no_constant(name: str) -> Any:
    """Refuse NaN and the infinities, which are not JSON; for `parse_constant`."""
    raise ValueError(f"The JSON holds {name}, which is not a JSON number.")
