"""Reject what `json` accepts but JSON does not allow; and shorten texts."""

from typing import Any

__all__ = ["no_constant", "no_twins", "shorten"]


def shorten(text: str, length: int) -> str:
    """Return the text's head and tail, with the number of omitted characters between them."""
    if len(text) <= length:
        return text
    head, tail = length * 2 // 3, length // 3
    return f"{text[:head]} [... {len(text) - head - tail:,} characters ...] {text[-tail:]}"


def no_constant(name: str) -> Any:
    """Refuse NaN and the infinities, which are not JSON; for `parse_constant`."""
    raise ValueError(f"The JSON holds {name}, which is not a JSON number.")


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a field that appears twice in an object; for `object_pairs_hook`."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"The JSON has the field {shorten(name, 60)!r} twice in one object.")
        fields[name] = value
    return fields
