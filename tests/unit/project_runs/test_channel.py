"""What a run tells arrives whole; what anything else writes to its channel does not count."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from steelyard.project_runs._frames import Told, read_frames
from steelyard.project_runs.incell.channel import Tell, pass_on, teller, teller_to_parent

OTHER_KEY = bytes(range(32))
KEY = b"k" * 32


@dataclass(frozen=True)
class One:
    count: int = 0
    blobs: dict[str, bytes] | None = None


@dataclass(frozen=True)
class Two:
    why: str = ""


@dataclass(frozen=True)
class Other:
    pass


KINDS = (One, Two)


@pytest.fixture
def channel() -> Iterator[int]:
    fd = os.memfd_create("channel")
    yield fd
    os.close(fd)


def tell_to(channel: int, key: bytes = KEY) -> Tell:
    return teller(os.dup(channel), key)


def test_records_arrive_in_order_with_their_bytes(channel: int) -> None:
    tell = tell_to(channel)
    told = One(3, {"a": b"\n\0", "b": b"xyz"})
    tell(told)
    tell(Two("ü"))
    read = read_frames(channel, KEY, KINDS)
    assert read.records == (told, Two("ü"))
    assert not read.forged
    assert read.last(One) == told
    assert read.last(int) is None


def test_a_frame_with_another_key_is_forged(channel: int) -> None:
    tell_to(channel)(One())
    tell_to(channel, b"x" * 32)(Two())
    told = read_frames(channel, KEY, KINDS)
    assert told.records == (One(),)
    assert told.forged


def test_a_frame_that_is_told_again_is_forged(channel: int) -> None:
    tell_to(channel)(One())
    size = os.fstat(channel).st_size
    os.pwrite(channel, os.pread(channel, size, 0), size)
    told = read_frames(channel, KEY, KINDS)
    assert len(told.records) == 1
    assert told.forged


def test_a_frame_that_breaks_off_is_the_end(channel: int) -> None:
    tell = tell_to(channel)
    tell(One())
    size = os.fstat(channel).st_size
    tell(Two("x" * 100))
    os.ftruncate(channel, size + 50)
    told = read_frames(channel, KEY, KINDS)
    assert told.records == (One(),)
    assert not told.forged


@pytest.mark.parametrize("written", [b"\0" * 64, b"!######id:1######!" * 9, b"\xff" * 30])
def test_what_is_no_frame_is_told_from_one(channel: int, written: bytes) -> None:
    os.write(channel, written)
    told = read_frames(channel, KEY, KINDS)
    assert told.records == ()


def test_a_child_tells_nothing_by_itself(channel: int) -> None:
    tell = tell_to(channel)
    pid = os.fork()
    if pid == 0:
        tell(One())
        os._exit(0)
    os.waitpid(pid, 0)
    tell(Two())
    told = read_frames(channel, KEY, KINDS)
    assert told.records == (Two(),)


@pytest.mark.parametrize(
    "forged", [b"x", (5).to_bytes(4, "little") + b"{bad}", (2).to_bytes(4, "little") + b"s" * 18]
)
def test_a_parent_passes_on_what_is_sealed(channel: int, forged: bytes) -> None:
    reading, writing = os.pipe()
    tell = teller_to_parent(writing, OTHER_KEY)
    tell(One(1, {"a": b"1"}))
    os.write(writing, forged)
    tell(Two())
    os.close(writing)
    assert not pass_on(reading, tell_to(channel), OTHER_KEY)
    os.close(reading)
    assert read_frames(channel, KEY, KINDS).records == (One(1, {"a": b"1"}),)


def test_a_parent_passes_on_all_that_is_sealed(channel: int) -> None:
    reading, writing = os.pipe()
    tell = teller_to_parent(writing, OTHER_KEY)
    tell(One(1, {"a": b"1"}))
    tell(Two())
    os.close(writing)
    assert pass_on(reading, tell_to(channel), OTHER_KEY)
    os.close(reading)
    assert read_frames(channel, KEY, KINDS).records == (One(1, {"a": b"1"}), Two())


@pytest.mark.parametrize(
    "record", [One("3"), One(1 << 63), One(1, {"a": "text"}), Two(["no", "text"]), Other()]
)
def test_a_record_that_holds_something_else_is_forged(channel: int, record: object) -> None:
    tell_to(channel)(record)
    assert read_frames(channel, KEY, KINDS) == Told((), forged=True)
