"""Write plain values in one fixed way, so that equal values have equal digests."""

import hashlib
import json

_encode = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode


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
