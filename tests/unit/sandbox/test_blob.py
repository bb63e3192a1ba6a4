"""A blob's bytes are what they were, whoever holds its descriptor."""

import fcntl
import gc
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.sandbox import Blob

KERNEL = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2])


@given(st.binary(max_size=10_000))
def test_keeps_the_bytes(data: bytes) -> None:
    blob = Blob(data)

    assert (blob.read(), blob.size) == (data, len(data))


def test_takes_a_view_without_a_copy_of_its_own() -> None:
    assert Blob(memoryview(b"abcdef")[2:4]).read() == b"cd"


def test_keeps_more_than_one_write_takes() -> None:
    data = os.urandom(1 << 20) * 5

    assert Blob(data).read() == data


def test_keeps_a_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"before")
    blob = Blob.from_file(file)
    file.write_bytes(b"after")

    assert blob.read() == b"before"


def test_each_reader_begins_at_the_start() -> None:
    blob = Blob(b"abc")
    readers = [blob.reader(), blob.reader()]
    try:
        assert [os.read(reader, 10) for reader in readers] == [b"abc", b"abc"]
    finally:
        for reader in readers:
            os.close(reader)


@pytest.mark.parametrize(
    "change",
    [
        lambda fd: os.pwrite(fd, b"x", 0),
        lambda fd: os.pwrite(fd, b"x", 3),
        lambda fd: os.ftruncate(fd, 1),
        lambda fd: os.ftruncate(fd, 10),
        lambda fd: fcntl.fcntl(fd, fcntl.F_ADD_SEALS, 0),
        pytest.param(
            lambda fd: os.fchmod(fd, 0),
            marks=pytest.mark.skipif(KERNEL < (6, 3), reason="memory files without that seal"),
        ),
    ],
    ids=["write", "append", "shrink", "grow", "seal", "mode"],
)
def test_nobody_can_change_it(change) -> None:
    blob = Blob(b"abc")

    with pytest.raises(PermissionError):
        change(blob.fd)

    assert blob.read() == b"abc"


def test_a_reader_cannot_write() -> None:
    blob = Blob(b"abc")
    reader = blob.reader()
    try:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.write(reader, b"x")
    finally:
        os.close(reader)


def test_its_descriptor_is_not_inherited() -> None:
    assert not os.get_inheritable(Blob(b"").fd)


def test_frees_its_memory_with_the_last_reference() -> None:
    blob = Blob(b"abc")
    fd = blob.fd
    del blob
    gc.collect()

    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)


def test_a_descriptor_that_was_given_away_outlives_it() -> None:
    blob = Blob(b"abc")
    fd = blob.detach()
    del blob
    gc.collect()

    assert os.pread(fd, 3, 0) == b"abc"
    os.close(fd)
