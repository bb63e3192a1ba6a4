"""Look records up by what a path names."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import Path

from steelyard.errors import UsageError
from steelyard.schemas import ProblemName
from steelyard.service._problems import Problem

Digest = Annotated[str, Path(pattern=r"^[0-9a-f]{4,64}$", examples=["9f86d081884c"])]
"""A digest, or its first characters."""
FullDigest = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[ProblemName, Path(examples=["widest-gap"])]


def absent(kind: str, digest: str) -> UsageError:
    """Return the error for a record that a caller may not see: as if it were not stored."""
    return UsageError(f"the database has no {kind} {digest}; check its digest")


@contextmanager
def looked_up() -> Iterator[None]:
    """Answer 404 if what is looked up in the block is not stored.

    Raises:
        Problem: 404.
    """
    try:
        yield
    except UsageError as error:
        raise Problem(404, "not-stored", "The database has no such record", str(error)) from error
