"""Decode JSON from strangers: each fault is one line."""

import json
import re

from steelyard import schemas
from steelyard.datasets.rows._limits import RowError

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Such escapes write a character in two halves; UTF-8 cannot write one half alone."""


def decode_json(data: bytes | str) -> object:
    """Return a JSON value, as `schemas.decode_json` reads it.

    Raises:
        RowError: if it is not JSON in UTF-8, repeats a key, nests too deep, or holds a number of a
            million digits.
    """
    try:
        text = data.decode() if isinstance(data, bytes) else data
        value = schemas.decode_json(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as error:
        raise RowError("half of a character, which UTF-8 cannot write; fix the row") from error
    except UnicodeDecodeError as error:
        raise RowError(f"byte {error.start + 1} is not UTF-8; save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        raise RowError(f"not JSON ({error.msg}, character {error.pos + 1}); fix the row") from error
    except RecursionError as error:
        raise RowError("JSON nested too deep; flatten it") from error
    except ValueError as error:
        raise RowError(str(error)) from error
