"""Read the requested value from a model's text, or report what is wrong with the text."""

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from steelyard.schemas import no_constant, no_repeats

R = TypeVar("R", bound=BaseModel)
MAX_CHARS = 2_000_000
"""Far more than any expected reply."""
MAX_DEPTH = 64
_WORK_CHARS = 4 * MAX_CHARS
"""Limit on the characters that are read in search of a value, over all start positions."""
_MAX_PIECES = 1_000
_MAX_ERRORS = 6
_MAX_ROUNDS = 3
_LONGEST_NUMBER = 40
_THINKING = ("think", "thinking")
_LONGEST_TAG = 16
_FENCE = "```"
_OBJECT = re.compile(r'\{\s*["}]')


@dataclass(frozen=True, slots=True)
class Found(Generic[R]):
    """The value in a reply."""

    value: R
    notes: tuple[str, ...] = ()
    """Deviations from the requested form that were read all the same."""


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """The reason why a reply has no valid value, in one paragraph for the model."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the text that begins like an object."""

    length: int
    value: object = None
    broken: str | None = None


def read_reply(text: str, type_: type[R], *, program: str = "") -> Found[R] | ReplyFault:
    """Return the value of the type in a text, with or without prose or fences around it.

    Thinking before the answer is skipped. The text is searched for JSON objects from left to right;
    a fence inside a string is part of the string. The last object that validates is the answer:
    models that explain end with it. Unknown fields are left out, numbers in quotes are read as
    numbers, and a fence around a field's whole text is removed; each is noted.

    Args:
        text: The reply.
        type_: The type of the value.
        program: The field that the longest fenced code block fills if there is no such object.
    """
    text = _without_thinking(text)
    if not text.strip():
        return ReplyFault("The reply was empty.")
    if len(text) > MAX_CHARS:
        return ReplyFault(
            f"The reply had {len(text):,} characters; at most {MAX_CHARS:,} are read."
        )
    reasons: list[tuple[int, str]] = []
    for piece in reversed(_pieces(text)):
        if piece.broken is not None:
            reasons.append((piece.length, piece.broken))
            continue
        try:
            return _validated(type_, piece.value)
        except ValidationError as error:
            reasons.append((piece.length, _described(error)))
    if program and (blocks := code_blocks(text)):
        longest = max(blocks, key=len)
        try:
            return _validated(type_, {program: longest})
        except ValidationError as error:
            return ReplyFault(_described(error))
    if not reasons:
        return ReplyFault(
            "The reply held no code block that ends."
            if program
            else "The reply held no JSON object."
        )
    return ReplyFault(max(reasons)[1])  # the longest piece is most likely the intended one


def _without_thinking(text: str) -> str:
    """Return the text after a model's thinking, which some servers leave in the reply."""
    begins = text.lstrip()[:_LONGEST_TAG].lower()
    tag = next((tag for tag in _THINKING if begins.startswith(f"<{tag}>")), None)
    if tag is not None:
        return text.partition(f"</{tag}>")[2] if f"</{tag}>" in text else ""
    before, ended, after = text.partition("</think>")  # some servers send the end only
    return after if ended and "{" not in before and "```" not in before else text


def _validated(type_: type[R], value: object) -> Found[R]:
    """Return the value, after deviations are put right that leave no doubt.

    Raises:
        ValidationError: if it is not of the type.
    """
    notes: list[str] = []
    value = _unfenced(value, "", notes)
    for _ in range(_MAX_ROUNDS):
        try:
            valid = type_.model_validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            right = [_put_right(value, each, notes) for each in error.errors()]
            if not all(right):
                raise
        else:
            return Found(valid, tuple(dict.fromkeys(notes)))
    return Found(type_.model_validate_json(json.dumps(value), strict=True), tuple(notes))


def _unfenced(value: object, name: str, notes: list[str]) -> object:
    """Return a value without fences that enclose a whole text."""
    if isinstance(value, dict):
        return {key: _unfenced(each, str(key), notes) for key, each in value.items()}
    if isinstance(value, str) and (inner := _inside_fence(value)) is not None:
        notes.append(f"the field {shorten(name, 60)} held a code fence, which was removed")
        return inner
    return value


def code_blocks(text: str) -> list[str]:
    """Return the texts of the fenced code blocks that end, in time linear in the text."""
    blocks: list[str] = []
    inside: list[str] | None = None
    for line in text.split("\n"):
        word = line.strip(" \t\r")
        if inside is not None and word == _FENCE:
            blocks.append("".join(inside))
            inside = None
        elif inside is not None:
            inside.append(f"{line}\n")
        elif word.startswith(_FENCE) and "`" not in word[len(_FENCE) :]:
            inside = []
    return blocks


def _inside_fence(text: str) -> str | None:
    """Return what a fence around a whole text encloses; None without one."""
    first, line_break, rest = text.strip().partition("\n")
    if not (line_break and first.startswith(_FENCE) and rest.endswith(_FENCE)):
        return None
    if "`" in first[len(_FENCE) :]:
        return None
    return rest[: -len(_FENCE)].rstrip(" \t").removesuffix("\n")


def _put_right(value: object, error: Any, notes: list[str]) -> bool:
    """Put one deviation right in place; return False if it leaves a doubt."""
    *path, last = error["loc"] or ("",)
    try:
        for part in path:
            value = value[part]  # type: ignore[index]
        given = value[last]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return False
    where = shorten(".".join(map(str, error["loc"])), 60)
    if error["type"] == "extra_forbidden":
        del value[last]  # type: ignore[attr-defined]
        notes.append(f"the unknown field {where} was left out")
        return True
    read = _read_as(error["type"], given)
    if read is None:
        return False
    value[last] = read  # type: ignore[index]
    notes.append(f"the field {where} was read as {read} from {shorten(repr(given), 40)}")
    return True


def _read_as(fault: str, given: object) -> int | float | bool | None:
    if isinstance(given, str) and len(given) <= _LONGEST_NUMBER:
        plain = given.strip().replace(",", "").replace("_", "")
        if fault == "bool_type":
            return {"true": True, "false": False}.get(plain.lower())
        if fault == "int_type" and re.fullmatch(r"[+-]?[0-9]+", plain):
            return int(plain)
        if fault == "float_type" and re.fullmatch(
            r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", plain
        ):
            return float(plain)
    if fault in ("int_type", "int_from_float") and isinstance(given, float) and given.is_integer():
        return int(given)
    return None


def _pieces(text: str) -> list[_Piece]:
    decoder = json.JSONDecoder(
        strict=False,  # a line break inside a string is the most common error in code
        parse_float=_finite,
        parse_constant=no_constant,
        object_pairs_hook=no_repeats,
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


def shorten(text: str, length: int) -> str:
    """Return the text's head and tail, with the number of omitted characters between them."""
    if len(text) <= length:
        return text
    head, tail = length * 2 // 3, length // 3
    return f"{text[:head]} [... {len(text) - head - tail:,} characters ...] {text[-tail:]}"
