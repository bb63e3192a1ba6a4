"""Write plain values in one fixed way, so that equal arguments have equal digests."""

import hashlib
import json
from collections.abc import Sequence

from pydantic import JsonValue

from steelyard.errors import SpecificationError

_encode = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode


def canonical_json(value: JsonValue) -> str:
    """Return a value as one line of ASCII: sorted keys, no spaces. A tuple becomes a list.

    Raises:
        SpecificationError: if the value is not JSON, such as an infinite float.
    """
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise SpecificationError(
            f"a value cannot be written as JSON ({str(error)[:80]}); "
            "use null, true, false, finite numbers, text, lists and objects"
        ) from error


def digest_of(args: Sequence[JsonValue]) -> str:
    """Return the SHA-256 of the canonical JSON of a call's arguments, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(list(args)).encode("ascii")).hexdigest()
