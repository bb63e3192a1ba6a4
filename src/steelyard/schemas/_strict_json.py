"""JSON: of records, in one fixed form for digests, and from strangers.

1. `json_text` and `plain_json` write a record so that every reader of JSON accepts it.
2. `canonical_json` writes equal plain values as equal texts, which then have equal digests.
3. `decode_json` refuses a repeated key, whose last value other decoders keep silently, and reads
   integers of more than the 4,300 decimal digits that Python reads. Each of its errors is a
   `JsonError`, whose text is a clause for the error of the caller.
"""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError

from steelyard._printable import printable

Form = TypeVar("Form", bound=BaseModel)

_encode = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode

_SHOWN = 80
_MOST_DIGITS = 1_000_000
_DIGITS_AT_ONCE = 4_000


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


def canonical_json(value: object) -> str:
    """Return a value as one line of ASCII: sorted keys, no spaces. A tuple becomes a list.

    Raises:
        ValueError: if the value is not JSON, such as an infinite float.
    """
    try:
        return _encode(value)
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def sha256_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


class JsonError(ValueError):
    """A text is not JSON as `decode_json` reads it.

    Attributes:
        line: The line of a fault of syntax, from 1.
    """

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


class RepeatedKeyError(JsonError):
    """A key appears twice in one object."""

    def __init__(self, key: str) -> None:
        shown = key if len(key) <= _SHOWN else f"{key[:_SHOWN]}..."
        super().__init__(f'the key "{printable(shown)}" appears twice in one object; keep one')


def no_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of these fields; an `object_pairs_hook` of `json`.

    Raises:
        RepeatedKeyError: if a key appears twice.
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen = set[str]()
        for key, _ in pairs:
            if key in seen:
                raise RepeatedKeyError(key)
            seen.add(key)
    return fields


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which are not JSON; a `parse_constant` of `json`.

    Raises:
        JsonError: always.
    """
    raise JsonError(f"{name} is not in JSON; use null or a text")


def decode_json(
    text: str | bytes,
    *,
    strict: bool = False,
    object_of: Callable[[list[tuple[str, Any]]], Any] = no_repeats,
) -> Any:
    """Return a JSON value. An integer of thousands of digits is as `values.encode` writes it.

    Args:
        text: One value; bytes are UTF-8.
        strict: Refuse Infinity and NaN, which Python writes and JSON lacks, and such integers.
        object_of: Returns an object of its fields; by default it refuses repeated keys.

    Raises:
        JsonError: for anything else than JSON, a repeated key, a number of a million digits, or
            a value that nests too deep.
    """
    read_constant = no_constant if strict else None
    read = partial(json.loads, object_pairs_hook=object_of, parse_constant=read_constant)
    try:
        text = text.decode() if isinstance(text, bytes) else text
        try:
            return read(text)
        except (json.JSONDecodeError, JsonError):
            raise
        except ValueError as error:  # only long integers are left
            if strict:
                raise JsonError("a number has too many digits; write it as text") from error
            return read(text, parse_int=_integer)
    except UnicodeDecodeError as error:
        raise JsonError(f"byte {error.start + 1} is not UTF-8; save it as UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, " if "\n" in error.doc else ""
        message = f"not JSON ({error.msg} at {where}column {error.colno}); correct it"
        raise JsonError(message, error.lineno) from error
    except RecursionError as error:
        raise JsonError("JSON nested too deep; flatten it") from error


def _integer(digits: str) -> object:
    if len(digits) <= _DIGITS_AT_ONCE:
        return int(digits)
    if len(digits) > _MOST_DIGITS:
        raise JsonError(f"a number of {len(digits):,} digits; write at most {_MOST_DIGITS:,}")
    sign, positive = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
    return {"$": "int", "v": f"{sign}{_long(positive):#x}"}


def _long(digits: str) -> int:
    """Return an integer in less than quadratic time, from its halves."""
    if len(digits) <= _DIGITS_AT_ONCE:
        return int(digits)
    half = len(digits) // 2
    tens: int = 10**half
    return _long(digits[:-half]) * tens + _long(digits[-half:])
