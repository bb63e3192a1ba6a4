"""A file of arguments becomes a request as the harness reads it, or is refused in a line."""

from pathlib import Path

import pytest

from steelyard.errors import GeneratorError
from steelyard.profiling._records import Point
from steelyard.profiling.inputs import FolderSource
from steelyard.schemas import values


def request_of(folder: Path, text: bytes) -> bytes:
    (folder / "7.json").write_bytes(text)
    return FolderSource(folder, calls=True).get(Point(7), 1).content.read()


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        (b"[1, [2, 3]]", [[1, [2, 3]], None, 0]),
        (b'{"args": [1], "kwargs": {"k": 2}}\n', [[1], {"k": 2}, 0]),
        (b'{"kwargs": {"k": 2}}', [[], {"k": 2}, 0]),
        (b'[{"args": 1}]', [[{"args": 1}], None, 0]),
    ],
)
def test_arguments_become_one_line(tmp_path: Path, text: bytes, request_: list[object]) -> None:
    content = request_of(tmp_path, text)
    assert b"\n" not in content
    assert values.decode(content) == request_


@pytest.mark.parametrize(
    "text", [b"3", b"{}", b'{"arg": [1]}', b'{"args": 3}', b"\xff", b"[" * 99999]
)
def test_anything_else_is_refused(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(GeneratorError, match=r"7\.json does not hold "):
        request_of(tmp_path, text)
