"""What JSON may hold here and `json` alone would let pass; and texts shown in short."""

from typing import Any

__all__ = ["no_constant", "no_twins", "shorten"]


def shorten(text: str, length: int) -> str:
    """The text's head and tail, with what was left out counted between them."""
    if len(text) <= length:
        return text
    head, tail = length * 2 // 3, length // 3
    return f"{text[:head]} [... {len(text) - head - tail:,} characters ...] {text[-tail:]}"


def no_constant(name: str) -> Any:
    """For `parse_constant`: NaN and the infinities are no JSON."""
    raise ValueError(f"The JSON holds {name}, which is not a JSON number.")


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """For `object_pairs_hook`: a field that is there twice would hide one of its values."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"The JSON has the field {shorten(name, 60)!r} twice in one object.")
        fields[name] = value
    return fields
