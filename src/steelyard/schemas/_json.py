"""Convert records to plain JSON values."""

import math
from typing import Any

from pydantic import BaseModel

__all__ = ["plain_json"]


def plain_json(record: BaseModel) -> dict[str, Any]:
    """Return a record as values for `json.dumps`, so that every JSON reader accepts the result.

    Returns:
        Its fields by their aliases. A number that is not finite becomes null; half of a surrogate
        pair, which UTF-8 cannot encode, becomes its escape.
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
