"""Find records that are damaged, refer to nothing, or contradict each other."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import groupby, pairwise
from typing import Any, TypeAlias

from sqlalchemy import ForeignKey, func, select

from steelyard.errors import DatabaseError, SteelyardError, UsageError
from steelyard.schemas import (
    CompactInput,
    DatabaseFault,
    Record,
    StoredSuite,
    canonical_json,
    sha256_of,
)
from steelyard.storage import _kinds as kinds
from steelyard.storage import _tables as tables
from steelyard.storage._changing import NEXT_STATES
from steelyard.storage._kinds import KINDS, Kind, columns_of, digest_of_tests, record_of
from steelyard.storage._reading import BATCH, Reader

Verify: TypeAlias = Callable[[CompactInput], object]


def check_records(reader: Reader, verify: Verify | None = None) -> Iterator[DatabaseFault]:
    """Yield what is wrong with the records; nothing if all is well.

    Every record must have its digest, repeat its own parts in its columns, and refer to records
    that are stored. Versions, and the states of challenges, must follow each other.

    Args:
        reader: A transaction that reads.
        verify: Raises `UsageError` for an input whose digest is not that of its arguments. By
            default, inputs that are written as an expression are not expanded.
    """
    if reader.connection.dialect.name == "sqlite":
        for (fault,) in reader.connection.exec_driver_sql("PRAGMA integrity_check(100)"):
            if fault != "ok":
                yield DatabaseFault(table="", digest="", fault=fault)
    for table in tables.metadata.sorted_tables:
        for key in sorted(table.foreign_keys, key=lambda key: str(key.parent.name)):
            yield from _lost(reader, key)
    own = tables.owners.c
    lost = select(own.digest).where(
        own.record.not_in(select(tables.submissions.c.digest)),
        own.record.not_in(select(tables.challenges.c.digest)),
    )
    for digest in reader.connection.scalars(lost):
        fault = "its record is neither in submissions nor in challenges"
        yield DatabaseFault(table=tables.owners.name, digest=digest, fault=fault)
    for kind in KINDS:
        for digest, fault in _faults(reader, kind, verify or _verify):
            yield DatabaseFault(table=kind.table.name, digest=digest, fault=fault)
    for table, name in ((tables.spec_versions, "problem"), (tables.suite_versions, "problem")):
        numbers = select(table.c[name], func.count(), func.max(table.c.number))
        for value, count, last in reader.connection.execute(numbers.group_by(table.c[name])):
            if count != last:
                fault = f"problem {value} has {count} versions up to number {last}"
                yield DatabaseFault(table=table.name, digest="", fault=fault)
    yield from _wrong_steps(reader)


def _lost(reader: Reader, key: ForeignKey) -> Iterator[DatabaseFault]:
    """Yield the rows whose reference leads to no row."""
    own, table = key.parent, key.parent.table
    other = key.column.table.alias()
    target = other.c[key.column.name]
    name = table.c.digest if "digest" in table.c else own
    rows = (
        select(name)
        .select_from(table.outerjoin(other, target == own))
        .where(own.is_not(None), target.is_(None))
    )
    for found in reader.connection.scalars(rows):
        fault = f"its {own.name} is not in {key.column.table.name}"
        yield DatabaseFault(table=table.name, digest=str(found), fault=fault)


def _faults(reader: Reader, kind: Kind[Any], verify: Verify) -> Iterator[tuple[str, str]]:
    rows = select(kind.table).order_by(kind.table.c.digest).execution_options(yield_per=BATCH)
    with reader.connection.execute(rows) as result:
        for row in result:
            values = row._mapping  # noqa: SLF001  (its name for what is public)
            cases = reader.cases_of(row.digest) if kind is kinds.SUITE else ()
            try:
                record = record_of(kind, row.digest, row.body, cases)
            except DatabaseError as error:
                yield row.digest, str(error)
                continue
            for name, value in columns_of(kind, record).items():
                if values[name] != value:
                    yield row.digest, f"its column {name} differs from the record"
            fault = _own_fault(reader, record, values, verify)
            if fault:
                yield row.digest, fault


def _own_fault(reader: Reader, record: Record, values: Any, verify: Verify) -> str:
    match record:
        case CompactInput():
            try:
                verify(record)
            except UsageError as error:
                return str(error)
        case StoredSuite():
            table = tables.cases.c
            tests = reader.connection.scalars(
                select(table.test)
                .select_from(tables.suite_cases.join(tables.cases))
                .where(tables.suite_cases.c.suite_id == values["id"])
            ).all()
            with suppress(SteelyardError):  # a specification that is damaged is listed itself
                spec = reader.spec(record.spec)
                if digest_of_tests(spec, record.time_limit_ms, tests) != values["tests"]:
                    return "its column tests is not that of its cases"
    return ""


def _verify(given: CompactInput) -> None:
    if given.args is not None and sha256_of(canonical_json(given.args)) != given.digest:
        raise UsageError(f"its digest {given.digest[:12]} is not that of its arguments; restore it")


def _wrong_steps(reader: Reader) -> Iterator[DatabaseFault]:
    challenge, step = tables.challenges.c, tables.challenge_steps.c
    rows = reader.connection.execute(
        select(challenge.digest, step.number, step.state)
        .select_from(tables.challenges.outerjoin(tables.challenge_steps))
        .order_by(challenge.digest, step.number)
    )
    for digest, steps in groupby(rows, lambda row: row.digest):
        numbered = [(row.number, row.state) for row in steps]
        states = [state for _, state in numbered]
        follow = all(after in NEXT_STATES.get(before, ()) for before, after in pairwise(states))
        if numbered[0] != (1, "open") or numbered[-1][0] != len(states) or not follow:
            fault = f"its states do not follow each other: {', '.join(map(str, states))}"
            yield DatabaseFault(table="challenges", digest=digest, fault=fault)
