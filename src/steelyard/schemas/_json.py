"""Convert records to plain JSON values and to JSON texts, and read them again."""

import json
import math
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError

Form = TypeVar("Form", bound=BaseModel)


def plain_json(record: BaseModel) -> dict[str, Any]:
    """Return a record as values for `json.dumps`, so that every JSON reader accepts the result.

    Returns:
        Its fields by their aliases. A number that is not finite becomes null; half of a surrogate
        pair, which UTF-8 cannot encode, becomes its escape.
    """
    plain: dict[str, Any] = _finite(record.model_dump(mode="json", by_alias=True), _escaped)
    return plain


def json_text(record: BaseModel, indent: int | None = None, **options: bool) -> str:
    """Return a record as a JSON text that `record_of_json` reads again.

    Half of a surrogate pair, which a value of a program may hold, is written as its escape, but for
    the keys of dicts, where Pydantic puts another character in its place.

    Args:
        record: Any.
        indent: Spaces; None: all is on one line.
        options: Those of `model_dump` that choose fields, such as `exclude_none`.
    """
    try:
        return record.model_dump_json(indent=indent, **options)  # type: ignore[arg-type]
    except PydanticSerializationError:
        plain = record.model_dump(mode="json", **options)  # type: ignore[arg-type]
        return json.dumps(
            _finite(plain, str), indent=indent, separators=None if indent else (",", ":")
        )


def record_of_json(form: type[Form], text: str | bytes) -> Form:
    """Return a record out of a JSON text, which may hold half of a surrogate pair.

    Raises:
        ValidationError: if it is not such a record.
    """
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        if error.errors()[0]["type"] != "json_invalid":
            raise
        try:
            plain = json.loads(text)
        except (ValueError, RecursionError):
            raise error from None
        return form.model_validate(plain)


def _finite(value: Any, text_of: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {text_of(key): _finite(item, text_of) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item, text_of) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return text_of(value) if isinstance(value, str) else value


def _escaped(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
