"""The input of a function or method: JSON arguments from a generator, as the harness takes them."""

import json

from assayer.errors import GeneratorError
from assayer.schemas import values


def call_request(text: bytes) -> bytes:
    """One call, in the form that the harness reads from standard input (incell/calls.py).

    Args:
        text: `{"args": [...], "kwargs": {...}}`, one of which may be left out, or a list of the
            positional arguments. An object such as `{"$": "tuple", "v": [1, 2]}` stands for
            what JSON has no word for.

    Raises:
        GeneratorError: where it is neither; the message says what it is.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GeneratorError(
            f"the input of a call is no JSON ({error}); give a list of arguments, or "
            '{"args": [...], "kwargs": {...}}'
        ) from error
    named: object = None
    if isinstance(given, dict):
        if not given or given.keys() - {"args", "kwargs"}:
            raise GeneratorError(
                f"the input of a call has the keys {', '.join(map(repr, given)) or 'of nothing'}; "
                'give {"args": [...], "kwargs": {...}}'
            )
        named = given.get("kwargs") or None
        given = given.get("args") or []
    if not isinstance(given, list) or not (named is None or isinstance(named, dict)):
        raise GeneratorError(
            'the arguments of a call are no list; give {"args": [...], "kwargs": {...}}, or a list'
        )
    try:
        return values.encode([_meant(given), _meant(named), 0]).encode()
    except (values.NotPlainError, values.UnreadableError, RecursionError) as error:
        raise GeneratorError(f"the args of a call hold {error}; give plain values") from error


def _meant(value: object) -> object:
    """What a JSON value stands for."""
    if isinstance(value, list):
        return [_meant(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$", "v"}:
        return values.decode(json.dumps(value))
    return {key: _meant(item) for key, item in value.items()}
