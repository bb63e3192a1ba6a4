"""Write rows: those that are stored stay as they are."""

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, TypeVar

from pydantic import JsonValue
from sqlalchemy import insert, select, tuple_
from sqlalchemy.exc import IntegrityError

from steelyard.errors import UsageError
from steelyard.schemas import (
    AuthoredSuite,
    CompactInput,
    Record,
    StoredCase,
    StoredEvent,
    StoredSuite,
    canonical_json,
    sha256_of,
)
from steelyard.storage import _kinds as kinds
from steelyard.storage import _tables as tables
from steelyard.storage._engine import violation
from steelyard.storage._kinds import Kind, Row, digest_of_tests, row_of
from steelyard.storage._reading import BATCH, Reader

R = TypeVar("R", bound=Record)
T = TypeVar("T")

_FAULTS = {
    "missing": "a {kind} refers to a record that the database does not hold; store that one first",
    "taken": "another {kind} with the same key is stored; give this one another key",
    "other": "a {kind} does not fit the tables; check the database with `steelyard db check`",
}
_lock = threading.Lock()
_last = [datetime.fromtimestamp(0, UTC)]


def now() -> datetime:
    """Return the time; each one of this process is later than the one before."""
    with _lock:
        _last[0] = max(datetime.now(UTC), _last[0] + timedelta(microseconds=1))
        return _last[0]


class RowWriter(Reader):
    """Writes in one transaction."""

    def add_event(
        self,
        kind: str,
        problem: str | None = None,
        subject: str | None = None,
        **payload: JsonValue,
    ) -> StoredEvent:
        """Add a line to the log.

        Args:
            kind: Such as `suite.added`.
            problem: The problem's name, if it is about one.
            subject: The digest of the record that it is about.
            **payload: Whatever else a reader needs.
        """
        event = StoredEvent(
            kind=kind, problem=problem, subject=subject, payload=payload, created_utc=now()
        )
        self.put(kinds.EVENT, event)
        return event

    def put_cases(self, suite: AuthoredSuite) -> StoredSuite:
        """Store a suite with its cases and inputs, of which some may be stored already."""
        self.spec(suite.spec_digest)
        cases = [
            StoredCase.of_valid(**dict(case) | {"input": case.input.digest}) for case in suite.cases
        ]
        self.put_inputs([case.input for case in suite.cases])
        rows = [row_of(kinds.CASE, case) for case in cases]
        stored = StoredSuite(
            spec=suite.spec_digest,
            cases=tuple(row["digest"] for row in rows),
            time_limit_ms=suite.time_limit_ms,
        )
        self.put_rows(kinds.CASE, rows)
        self.put_suite(stored)
        return stored

    def put_inputs(self, inputs: Sequence[CompactInput]) -> None:
        """Store inputs; one that is stored already stays as it was written."""
        for each in inputs:
            if each.args is None:
                continue
            if sha256_of(canonical_json(each.args)) != each.digest:
                raise UsageError(
                    f"the digest {each.digest[:12]} of an input is not that of its arguments; "
                    "make inputs with their own digest"
                )
        self.put_rows(kinds.INPUT, [row_of(kinds.INPUT, each) for each in inputs])

    def put_suite(self, suite: StoredSuite) -> int:
        """Store the content of a suite, whose cases are stored; return 0 if it is stored."""
        spec = self.spec(suite.spec)
        cases = self._cases(set(suite.cases))
        tests = digest_of_tests(
            spec, suite.time_limit_ms, [cases[each].test for each in suite.cases]
        )
        row = row_of(kinds.SUITE, suite)
        if not self.put_rows(kinds.SUITE, [row | {"tests": tests}]):
            return 0
        number = self.connection.scalars(
            select(tables.suites.c.id).where(tables.suites.c.digest == row["digest"])
        ).one()
        if suite.cases:
            self.connection.execute(
                insert(tables.suite_cases),
                [
                    {"suite_id": number, "position": position, "case_id": cases[case].id}
                    for position, case in enumerate(suite.cases)
                ],
            )
        return 1

    def _cases(self, digests: Collection[str]) -> dict[str, Any]:
        """Return the rows of cases, without their bodies."""
        table = tables.cases.c
        found = {
            row.digest: row
            for some in batches(digests)
            for row in self.connection.execute(
                select(table.digest, table.id, table.test).where(table.digest.in_(some))
            )
        }
        if len(found) < len(digests):
            raise UsageError(_FAULTS["missing"].format(kind="suite"))
        return found

    def put(self, kind: Kind[R], record: R) -> bool:
        """Store a record; return False if it is stored already."""
        return bool(self.put_rows(kind, [row_of(kind, record)]))

    def put_rows(self, kind: Kind[Any], rows: Sequence[Row]) -> int:
        """Store rows that are not stored yet, and return their number."""
        columns = [kind.table.c[name] for name in kind.key]
        stored = 0
        for some in batches(rows):
            new = {tuple(row[name] for name in kind.key): row for row in reversed(some)}
            # Nobody else writes meanwhile.
            present = select(*columns).where(tuple_(*columns).in_(list(new)))
            for key in self.connection.execute(present):
                del new[tuple(key)]
            try:
                if new:
                    self.connection.execute(insert(kind.table), list(new.values()))
            except IntegrityError as error:
                raise UsageError(_FAULTS[violation(error)].format(kind=kind.name)) from error
            stored += len(new)
        return stored


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield items in lists of bounded size."""
    left = iter(items)
    while batch := list(islice(left, BATCH)):
        yield batch
