"""Test cases and the ordered, content-hashed suites that they form."""

import hashlib
from functools import cached_property
from typing import Annotated

from pydantic import Field

from steelyard.schemas._base import Given
from steelyard.schemas._program import EntryKind


class TestCase(Given):
    """One input with the output that is expected for it."""

    __test__ = False  # the name makes pytest take it for a test class

    input: bytes = Field(default=b"", repr=False)
    """Standard input, byte for byte; a `str` is taken as UTF-8. For the other entries, a call or
    assertions as the harness takes them."""
    expected: bytes = Field(default=b"", repr=False)
    """What the checker compares with: an output, a pattern, or a checker program's answer file."""
    name: str = ""
    category: str = ""
    timeout: Annotated[float, Field(gt=0, le=86_400)] | None = None
    """This case's own CPU limit in seconds; the verifier's `run_timeout` where it is None."""


class TestSuite(Given):
    """An ordered set of cases; every case has a name of its own."""

    __test__ = False

    cases: tuple[TestCase, ...] = ()
    entry_kind: EntryKind = "stdio"
    """What the cases are for: programs that are entered in this way."""
    source: str = ""
    """Where the cases were read from, for people."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all cases: equal digests mean equal tests."""
        total = hashlib.sha256(self.entry_kind.encode())
        for case in self.cases:
            fields = (
                case.input,
                case.expected,
                case.name.encode(),
                case.category.encode(),
                repr(case.timeout).encode(),
            )
            for field in fields:
                total.update(len(field).to_bytes(8, "little"))
                total.update(field)
        return total.hexdigest()

    def __len__(self) -> int:
        return len(self.cases)
