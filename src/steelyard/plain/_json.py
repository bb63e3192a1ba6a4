"""Write plain values in one fixed way, so that equal arguments have equal digests."""

from collections.abc import Sequence

from pydantic import JsonValue

from steelyard import schemas
from steelyard.errors import SpecificationError


def canonical_json(value: JsonValue) -> str:
    """Return a value as one line of ASCII: sorted keys, no spaces. A tuple becomes a list.

    Raises:
        SpecificationError: if the value is not JSON, such as an infinite float.
    """
    try:
        return schemas.canonical_json(value)
    except ValueError as error:
        raise SpecificationError(
            f"a value cannot be written as JSON ({str(error)[:80]}); "
            "use null, true, false, finite numbers, text, lists and objects"
        ) from error


def digest_of(args: Sequence[JsonValue]) -> str:
    """Return the SHA-256 of the canonical JSON of a call's arguments, as 64 hexadecimal digits."""
    return schemas.sha256_of(canonical_json(list(args)))
