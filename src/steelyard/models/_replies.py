"""Read the requested value from a model's text, or report what is wrong with the text."""

import json
import math
import re
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from steelyard.models._strict_json import no_constant, no_twins, shorten

__all__ = ["Fault", "Found", "read_reply", "shorten"]

R = TypeVar("R", bound=BaseModel)

MAX_CHARS = 2_000_000
"""Far more than any expected reply."""
MAX_DEPTH = 64
_WORK_CHARS = 4 * MAX_CHARS
"""Limit on the characters that are read in search of a value, over all start positions."""
_MAX_PIECES = 1_000
_MAX_ERRORS = 6
_OBJECT = re.compile(r'\{\s*["}]')


@dataclass(frozen=True, slots=True)
class Found(Generic[R]):
    """The value in a reply."""

    value: R


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why a reply has no valid value, in one paragraph for the model."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the text that begins like an object."""

    length: int
    value: object = None
    broken: str | None = None


def read_reply(text: str, type_: type[R]) -> Found[R] | Fault:
    """Return the value of the type in a text, with or without prose or fences around it.

    The text is searched for JSON objects from left to right; a fence inside a string is part of
    the string. The last object that validates is the answer: models that explain end with it.
    Validation is strict, as for JSON: "3" is not a number, and an unknown field is an error if
    the type forbids it.
    """
    if not text.strip():
        return Fault("The reply was empty.")
    if len(text) > MAX_CHARS:
        return Fault(f"The reply had {len(text):,} characters; at most {MAX_CHARS:,} are read.")
    pieces = _pieces(text)
    reasons: list[tuple[int, str]] = []
    for piece in reversed(pieces):
        if piece.broken is not None:
            reasons.append((piece.length, piece.broken))
            continue
        try:
            return Found(type_.model_validate_json(json.dumps(piece.value), strict=True))
        except ValidationError as error:
            reasons.append((piece.length, _described(error)))
    if not reasons:
        return Fault("The reply held no JSON object.")
    return Fault(max(reasons)[1])  # the longest piece is most likely the intended one


def _pieces(text: str) -> list[_Piece]:
    decoder = json.JSONDecoder(
        strict=False,  # a line break inside a string is the most common error in code
        parse_float=_finite,
        parse_constant=no_constant,
        object_pairs_hook=no_twins,
    )
    pieces: list[_Piece] = []
    work, end = 0, 0
    while work < _WORK_CHARS and len(pieces) < _MAX_PIECES and (begin := _OBJECT.search(text, end)):
        start = begin.start()
        end = start + 1
        try:
            value, end = decoder.raw_decode(text, start)
            _check_depth(value)
            pieces.append(_Piece(end - start, value))
        except json.JSONDecodeError as error:
            pieces.append(_Piece(error.pos - start, broken=_syntax_error(text, error)))
            work += error.pos - start
        except (ValueError, RecursionError) as error:
            reason = f"{error}" if isinstance(error, ValueError) else "The JSON is nested too deep."
            pieces.append(_Piece(len(text) - start, broken=reason))
            work += len(text) - start
        work += end - start
    return pieces


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"The JSON holds {shorten(text, 40)}, which is too large a number.")
    return number


def _check_depth(value: object) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise ValueError(f"The JSON is nested deeper than {MAX_DEPTH}.")


def _syntax_error(text: str, error: json.JSONDecodeError) -> str:
    near = text[max(0, error.pos - 30) : error.pos + 30]
    return (
        f"The reply is not valid JSON: {error.msg} at line {error.lineno}, "
        f"column {error.colno}, near {near!r}."
    )


def _described(error: ValidationError) -> str:
    errors = error.errors(include_url=False, include_context=False)
    faults = [
        f"{'.'.join(str(part) for part in each['loc']) or 'the object'}: {each['msg']}"
        f" (got {shorten(repr(each['input']), 80)})"
        for each in errors[:_MAX_ERRORS]
    ]
    more = f"; and {len(errors) - _MAX_ERRORS} more" if len(errors) > _MAX_ERRORS else ""
    return f"The JSON is not what was asked for: {'; '.join(faults)}{more}."
