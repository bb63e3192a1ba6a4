"""Run as a script: print the rows of a table as lines of JSON, within a limit on memory."""

import datetime as dt
import decimal
import json
import os
import resource
import sys
from collections.abc import Iterable, Iterator
from typing import Any

_BATCH_BYTES = 8 << 20
_MAX_BATCH = 256


def _parquet_rows(path: str) -> Iterator[dict[str, Any]]:
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    # Without a buffer of its own the whole of a row group would be held.
    with ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as table:
        names = table.schema_arrow.names
        if len(set(names)) < len(names):
            raise ValueError("two columns have the same name; rename one")
        known = table.metadata
        size = sum(known.row_group(i).total_byte_size for i in range(known.num_row_groups))
        mean = max(1, size // max(1, known.num_rows))
        batch_rows = max(1, min(_MAX_BATCH, _BATCH_BYTES // mean))
        for batch in table.iter_batches(batch_size=batch_rows, use_threads=False):
            columns = [column.to_pylist() for column in batch.columns]
            for values in zip(*columns, strict=True):
                yield dict(zip(names, values, strict=True))


def _hub_rows(name: str) -> Iterator[dict[str, Any]]:
    import datasets  # noqa: PLC0415

    datasets.disable_progress_bars()
    name, _, split = name.partition("@")
    path, _, config = name.partition(":")
    splits = datasets.load_dataset(path, config or None, streaming=True)
    if split not in splits and not (len(splits) == 1 and not split):
        listed = ", ".join(splits)
        raise ValueError(f"name one of the splits {listed}, such as hf:{name}@{next(iter(splits))}")
    yield from splits[split or next(iter(splits))]


def _plain(value: object) -> object:
    match value:
        case bytes():
            return value.decode()
        case dt.timedelta():
            return value.total_seconds()
        case dt.date() | dt.time():
            return value.isoformat()
        case decimal.Decimal():
            return str(value)
        case Iterable():
            return list(value)
        case _:
            raise TypeError(f"a column holds {type(value).__name__}, which JSON has no form for")


def _main(kind: str, source: str, max_mib: str) -> None:
    limit = int(max_mib) << 20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    rows = _parquet_rows(source) if kind == "parquet" else _hub_rows(source)
    try:
        for row in rows:
            sys.stdout.write(json.dumps(row, default=_plain) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:  # nobody wants the rest
        os._exit(0)
    except MemoryError:
        sys.exit(f"it takes over {max_mib} MiB to read")


if __name__ == "__main__":
    os.environ |= {"ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1"}
    try:
        _main(*sys.argv[1:])
    except Exception as error:  # noqa: BLE001  (the parent shows it)
        sys.exit(" ".join(f"{type(error).__name__}: {error}".split()))
