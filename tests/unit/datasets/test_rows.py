"""Rows of files: every fault is one line with the file and the row, and the rest is read."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.datasets.rows import Row, read_rows
from steelyard.errors import DatasetError
from steelyard.schemas import RowFault

Write = Callable[[str, bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return to


def read(path: Path) -> tuple[list[Row], list[RowFault]]:
    faults: list[RowFault] = []
    return list(read_rows(path, faults.append)), faults


def numbers(rows: list[Row]) -> list[object]:
    return [row.fields["n"] for row in rows]


def test_lines_with_faults_are_left_out_and_the_rest_is_read(write: Write) -> None:
    lines = [
        b'{"n": 1}',
        b"",
        b'{"n": 2,,}',
        b'{"n": "\xff"}',
        b'{"n": 3, "n": 4}',
        b"[1]",
        b'{"n": ' + b"[" * 100_000 + b"}",
        b'{"n": ' + b"9" * 5_000 + b"}",
        b'{"n": 5}\r',
        b'{"n": 6}',
    ]
    rows, faults = read(write("a.jsonl", b"\xef\xbb\xbf" + b"\n".join(lines)))
    long = {"$": "int", "v": hex(10**5_000 - 1)}
    assert numbers(rows) == [1, long, 5, 6]
    assert [row.number for row in rows] == [1, 8, 9, 10]
    assert [fault.row for fault in faults] == [3, 4, 5, 6, 7]
    assert all(str(fault).count("\n") == 0 and len(str(fault)) < 300 for fault in faults)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_list_of_any_layout_is_split_as_it_is_decoded(write: Write, indent: int | None) -> None:
    draw = random.Random(0)
    values = [
        {
            "n": n,
            "text": "".join(draw.choices('{}[]"\\,: \n\u00e9', k=draw.randrange(60))),
            "l": [{}],
        }
        for n in range(400)
    ]
    rows, faults = read(write("a.json", json.dumps(values, indent=indent).encode()))
    assert [dict(row.fields) for row in rows] == values
    assert faults == []


def test_a_json_file_may_hold_one_object_or_several(write: Write) -> None:
    assert numbers(read(write("one.json", b'{"n": 1}'))[0]) == [1]
    assert numbers(read(write("two.json", b'{"n": 1}\n{"n": 2} {"n": 3}'))[0]) == [1, 2, 3]
    assert read(write("none.json", b" [ ] ")) == ([], [])


def test_an_object_that_holds_only_rows_is_read_as_its_rows(write: Write) -> None:
    nested = b'{"a": {"b": {"n": 1}, "c": [{"n": 2}, {"n": 3}]}, "d": {"n": 4}}'
    assert numbers(read(write("a.json", nested + b'{"n": 5}'))[0]) == [1, 2, 3, 4, 5]
    for row in (b'{"a": {"n": 1}, "n": 2}', b'{"a": {}, "b": []}', b'{"a": [1]}', b"{}"):
        rows, faults = read(write("row.json", row))
        assert ([dict(each.fields) for each in rows], faults) == ([json.loads(row)], [])
    rows, faults = read(write("fault.json", b'{"a": {"n": 1,,}} {"n": 2}'))
    assert (numbers(rows), [fault.row for fault in faults]) == ([2], [1])
    deep = b'{"a": ' * 40 + b'{"n": 1}' + b"}" * 40
    assert len(read(write("deep.json", deep))[0]) == 1


def test_a_broken_item_of_a_list_costs_that_item(write: Write) -> None:
    rows, faults = read(write("a.json", b'[{"n": 1}, {"n": 2,,}, {"n": 3}]'))
    assert numbers(rows) == [1, 3]
    assert [fault.row for fault in faults] == [2]


def test_a_list_that_ends_within_an_item_keeps_the_items_before(write: Write) -> None:
    rows, faults = read(write("a.json", b'[{"n": 1}, {"n": "ab'))
    assert numbers(rows) == [1]
    assert "ends within a value" in faults[0].message


def test_gzip_is_found_by_its_content(write: Write) -> None:
    assert numbers(read(write("a.jsonl", gzip.compress(b'{"n": 1}\n{"n": 2}\n')))[0]) == [1, 2]


def test_a_gzip_file_that_is_cut_keeps_its_first_rows(write: Write) -> None:
    whole = gzip.compress(
        b"".join(b'{"n": %d, "r": "%d"}\n' % (n, hash(str(n))) for n in range(20_000))
    )
    rows, faults = read(write("a.jsonl.gz", whole[: len(whole) // 2]))
    assert numbers(rows)[:2] == [0, 1]
    assert len(faults) == 1
    assert "damaged gzip data" in faults[0].message


def test_a_decompression_bomb_is_one_line(write: Write) -> None:
    bomb = gzip.compress(b'{"n": 1}\n' + b" " * (64 << 20))
    rows, faults = read(write("a.jsonl.gz", bomb))
    assert numbers(rows) == [1]
    assert ["decompression bomb" in fault.message for fault in faults] == [True]


def test_utf_16_is_one_line(write: Write) -> None:
    rows, faults = read(write("a.jsonl", '{"n": 1}\n'.encode("utf-16")))
    assert rows == []
    assert ["UTF-16" in fault.message for fault in faults] == [True]


def test_a_folder_is_read_in_natural_order_without_other_files(write: Write) -> None:
    for n in (10, 2, 1):
        write(f"set/task_{n}.json", b'{"n": %d}' % n)
    write("set/readme.md", b"#")
    root = write("set/.hidden/task_3.json", b"{}").parents[1]
    assert numbers(read(root)[0]) == [1, 2, 10]


def test_a_missing_source_and_an_empty_folder_are_errors(tmp_path: Path) -> None:
    for source in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(DatasetError, match="check the path"):
            list(read_rows(source, print))
