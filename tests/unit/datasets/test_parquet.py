"""Tables of parquet: read in a process of their own, within a limit on memory."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.datasets import read_tasks, rows
from steelyard.datasets.rows import Row, read_rows
from steelyard.schemas import RowFault
from tests.unit.datasets.known_rows import FORMS

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def write(file: Path, rows: list[dict[str, Any]]) -> Path:
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    return file


def read(file: Path) -> tuple[list[Row], list[RowFault]]:
    faults: list[RowFault] = []
    return list(read_rows(file, faults.append)), faults


@pytest.mark.parametrize("name", ["mbpp", "apps call", "codecontests", "codeforces", "bigobench"])
def test_a_table_gives_the_same_tasks_as_lines(name: str, tmp_path: Path) -> None:
    table = write(tmp_path / "rows.parquet", [FORMS[name]])
    lines = tmp_path / "rows.jsonl"
    lines.write_text(json.dumps(FORMS[name]))
    faults: list[RowFault] = []
    (one,), (other,) = (list(read_tasks(each, on_fault=faults.append)) for each in (table, lines))
    assert one.model_dump(exclude={"provenance"}) == other.model_dump(exclude={"provenance"})
    assert one.provenance.license == other.provenance.license != ""
    assert faults == []


def test_dates_bytes_and_durations_become_text_and_numbers(tmp_path: Path) -> None:
    import datetime as dt
    import decimal

    day = dt.datetime(2024, 5, 4, tzinfo=dt.UTC)
    row = {"a": day, "b": b"text", "c": dt.timedelta(seconds=2), "d": decimal.Decimal("1.50")}
    (read_row,), faults = read(write(tmp_path / "a.parquet", [row]))
    assert dict(read_row.fields) == {
        "a": "2024-05-04T00:00:00+00:00",
        "b": "text",
        "c": 2.0,
        "d": "1.50",
    }
    assert faults == []


def test_a_damaged_table_is_one_line(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.parquet", [{"n": n, "t": str(n) * 9} for n in range(5_000)])
    data = whole.read_bytes()
    for name, damaged in {
        "cut": data[: len(data) // 2],
        "none": b"",
        "text": b"PAR1" + b"x" * 100 + b"PAR1",
        "middle": data[:2_000] + bytes(4_000) + data[6_000:],
    }.items():
        file = tmp_path / f"{name}.parquet"
        file.write_bytes(damaged)
        _, faults = read(file)
        assert [fault.row for fault in faults] == [None], name
        assert len(str(faults[0])) < 600


def test_a_table_that_takes_too_much_memory_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ones = pyarrow.array([0] * 20, pyarrow.int32())
    text = pyarrow.DictionaryArray.from_arrays(ones, pyarrow.array(["x" * (8 << 20)]))
    file = tmp_path / "bomb.parquet"
    parquet.write_table(pyarrow.table({"t": text}), file, store_schema=False)
    assert file.stat().st_size < 1 << 20
    monkeypatch.setattr(rows, "_MAX_TABLE_MIB", 160)
    _, faults = read(file)
    assert len(faults) == 1
    assert "the rest is not read" in faults[0].message


def test_a_reader_that_stops_early_leaves_no_process(tmp_path: Path) -> None:
    rows = read_rows(
        write(tmp_path / "a.parquet", [{"n": n, "t": "x" * 500} for n in range(9_000)]), print
    )
    assert next(rows).fields["n"] == 0
    rows.close()  # type: ignore[attr-defined]


def test_a_data_set_of_the_hub_s_library_is_streamed(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    folder = tmp_path / "set"
    folder.mkdir()
    write(folder / "train.parquet", [{"n": 1}])
    write(folder / "test.parquet", [{"n": 2}])
    faults: list[RowFault] = []
    rows = list(read_rows(f"hf:{folder}@test", faults.append))
    assert [row.fields["n"] for row in rows] == [2]
    assert list(read_rows(f"hf:{folder}", faults.append)) == []
    assert "name one of the splits" in faults[0].message
