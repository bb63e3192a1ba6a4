"""Write every record as a line of JSON: the same records give the same bytes in both engines."""

import hashlib
from collections.abc import Iterator

from sqlalchemy import select

from steelyard.storage._kinds import KINDS, SUITE
from steelyard.storage._reading import BATCH, Reader
from steelyard.storage._rows import whole_of

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
    for text in _records(reader):
        number += 1
        yield line(text)
    yield f'{{"end":{number},"sha256":"{total.hexdigest()}"}}\n'


def _records(reader: Reader) -> Iterator[str]:
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
