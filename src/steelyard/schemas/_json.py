"""A record as plain JSON values."""

import math
from typing import Any

from pydantic import BaseModel

__all__ = ["plain_json"]


def plain_json(record: BaseModel) -> dict[str, Any]:
    """A record as `json.dumps` takes it, and as every reader of JSON takes what that makes.

    Returns:
        Its fields by their aliases. A number that is not finite is null; half of a surrogate pair,
        which no UTF-8 can hold, is its escape.
    """
    plain: dict[str, Any] = _strict(record.model_dump(mode="json", by_alias=True))
    return plain


def _strict(value: Any) -> Any:
    if isinstance(value, dict):
        return {_strict(key): _strict(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_strict(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return value
