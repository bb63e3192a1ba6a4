"""Write every record as a line of JSON, and read such lines.

The same records give the same bytes in both engines. Every digest is checked when lines are read,
and what is stored already stays.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import select

from steelyard.errors import UsageError
from steelyard.schemas import Record, StoredSuite
from steelyard.storage._kinds import KINDS, SUITE, Kind, Row, fault_of, row_of, whole_of
from steelyard.storage._reading import BATCH, Reader
from steelyard.storage._writing import RowWriter, batches

FORMAT = "steelyard_export"
FORMAT_VERSION = 1


def export_lines(reader: Reader) -> Iterator[str]:
    """Yield a header, a line for each record, and an end with the SHA-256 of all lines before it.

    Records follow those that they refer to. Each is checked against its digest.

    Raises:
        DatabaseError: if a record is damaged.
    """
    total = hashlib.sha256()
    number = 0

    def line(text: str) -> str:
        total.update(f"{text}\n".encode())
        return f"{text}\n"

    yield line(f'{{"{FORMAT}":{FORMAT_VERSION}}}')
    for text in _record_lines(reader):
        number += 1
        yield line(text)
    yield f'{{"end":{number},"sha256":"{total.hexdigest()}"}}\n'


def _record_lines(reader: Reader) -> Iterator[str]:
    for kind in KINDS:
        table = kind.table
        rows = (
            select(table.c.digest, table.c.body)
            .order_by(*(table.c[name] for name in kind.order))
            .execution_options(yield_per=BATCH)
        )
        with reader.connection.execute(rows) as result:
            for digest, body in result:
                cases = reader.cases_of(digest) if kind is SUITE else ()
                whole = whole_of(kind, digest, body, cases)
                yield f'{{"digest":"{digest}","kind":"{kind.name}","record":{whole}}}'


_KINDS = {kind.name: kind for kind in KINDS}
_ADVICE = "export the records again"


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    kind: Kind[Any]
    record: Record
    row: Row


def import_lines(writer: RowWriter, lines: Iterable[bytes], source: str) -> dict[str, int]:
    """Store the records of an export, except those that are stored already.

    Args:
        writer: A change, in whose transaction everything is stored.
        lines: The lines of the export.
        source: Its name, for messages.

    Returns:
        The number of new records by kind.

    Raises:
        UsageError: if it is not a whole export, a digest is wrong, or a record contradicts one
            that is stored; the message names the line.
    """
    added: Counter[str] = Counter()
    for kind, group in groupby(_read_records(lines, source), attrgetter("kind")):
        for some in batches(group):
            try:
                added[kind.name] += _store(writer, kind, some)
            except UsageError as error:
                first, last = some[0].number, some[-1].number
                where = f"line {first}" if first == last else f"lines {first} to {last}"
                raise UsageError(f"{source}, {where}: {error}") from error
    return dict(added)


def _store(writer: RowWriter, kind: Kind[Any], lines: list[_Line]) -> int:
    if kind is not SUITE:
        return writer.put_rows(kind, [line.row for line in lines])
    suites = [line.record for line in lines if isinstance(line.record, StoredSuite)]
    return sum(map(writer.put_suite, suites))


def _read_records(lines: Iterable[bytes], source: str) -> Iterator[_Line]:
    """Yield the records, and check the header and the end around them."""
    total = hashlib.sha256()
    numbered = enumerate(lines, 1)
    number, first = next(numbered, (1, b""))
    if _plain(first, source, number) != {FORMAT: FORMAT_VERSION}:
        raise UsageError(
            f"{source} is not an export of this format; "
            "export the records with this version of `steelyard db export`"
        )
    total.update(first)
    for number, line in numbered:
        fields = _plain(line, source, number)
        if "end" in fields:
            end = {"end": number - 2, "sha256": total.hexdigest()}
            if fields != end or next(numbered, None) is not None:
                raise UsageError(f"{source}, line {number}: lines were changed; {_ADVICE}")
            return
        total.update(line)
        yield _record(fields, source, number)
    raise UsageError(f"{source} ends after {number} lines, without its last one; {_ADVICE}")


def _plain(line: bytes, source: str, number: int) -> dict[str, Any]:
    try:
        fields = json.loads(line)
        if isinstance(fields, dict):
            return fields
    except (ValueError, RecursionError):
        pass
    raise UsageError(f"{source}, line {number} is not a JSON object; {_ADVICE}")


def _record(fields: dict[str, Any], source: str, number: int) -> _Line:
    try:
        kind = _KINDS[fields["kind"]]
        record = kind.record.model_validate(fields["record"])
        row = row_of(kind, record, fields["record"])
        if row["digest"] != fields["digest"]:
            raise ValueError("the record does not have its digest")
    except (LookupError, TypeError, ValueError, RecursionError, UsageError) as error:
        why = f"{error} is missing or unknown" if isinstance(error, KeyError) else fault_of(error)
        raise UsageError(f"{source}, line {number}: {why}; {_ADVICE}") from error
    return _Line(number, kind, record, row)
