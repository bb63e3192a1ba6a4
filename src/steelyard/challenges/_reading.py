"""Read the input and the claimed output of a challenge, which may be hostile text."""

import json
from typing import Any, NoReturn

from pydantic import JsonValue

from steelyard.errors import UsageError
from steelyard.families import expand

MOST_CHARS = 4_000_000
_EXPRESSION_HINT = "write a large input as an expression, such as [[0] * 100000, 5]"


def read_arguments(text: str) -> tuple[tuple[JsonValue, ...], str]:
    """Return the arguments that a text states, and the text if it is an expression.

    Args:
        text: A JSON list of arguments, or an expression in the language of inputs.

    Raises:
        UsageError: if it is neither.
    """
    _check_length(text, "the input")
    try:
        value = _json(text)
    except (ValueError, RecursionError):
        return tuple(expand(text)), text.strip()
    if not isinstance(value, list):
        raise UsageError(
            f"the input must be a list of arguments, got {_start(text)}; write [[1, 2], 3] for "
            "solve([1, 2], 3)"
        )
    return tuple(value), ""


def read_output(text: str) -> JsonValue:
    """Return the output that a JSON text states.

    Raises:
        UsageError: if it is not JSON.
    """
    _check_length(text, "the output")
    try:
        value: JsonValue = _json(text)
    except RecursionError as error:
        raise UsageError(
            f"the output is nested too deeply, got {_start(text)}; give a value that solve returns"
        ) from error
    except ValueError as error:
        why = " ".join(str(error).split())[:100]
        raise UsageError(
            f"the output is not JSON ({why}), got {_start(text)}; write 5, [1, 2] or '\"text\"'"
        ) from error
    return value


def _json(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a finite number")


def _check_length(text: str, what: str) -> None:
    if len(text) > MOST_CHARS:
        raise UsageError(
            f"{what} has {len(text):,} characters and may have {MOST_CHARS:,}; {_EXPRESSION_HINT}"
        )


def _start(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}...")
