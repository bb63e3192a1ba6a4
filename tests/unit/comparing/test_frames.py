"""What a run tells arrives whole; what anything else writes to its channel does not count."""

import os
from collections.abc import Iterator

import pytest

from steelyard.project_runs._frames import read_frames
from steelyard.project_runs.incell.channel import Tell, pass_on, teller, teller_to_parent

OTHER_KEY = bytes(range(32))
KEY = b"k" * 32


@pytest.fixture
def channel() -> Iterator[int]:
    fd = os.memfd_create("channel")
    yield fd
    os.close(fd)


def tell_to(channel: int, key: bytes = KEY) -> Tell:
    return teller(os.dup(channel), key)


def test_frames_arrive_in_order_with_their_blobs(channel: int) -> None:
    tell = tell_to(channel)
    tell("one", {"a": b"\n\0", "b": b"xyz"}, count=3)
    tell("two", why="ü")
    told = read_frames(channel, KEY, "nothing")
    assert [frame.kind for frame in told.frames] == ["one", "two"]
    assert told.frames[0].blobs == {"a": b"\n\0", "b": b"xyz"}
    assert told.frames[0].said == {"count": 3}
    assert told.frames[1].said == {"why": "ü"}
    assert not told.forged
    assert told.last("one") is told.frames[0]
    assert told.last("three") is None


def test_a_frame_with_another_key_is_forged(channel: int) -> None:
    tell_to(channel)("one")
    tell_to(channel, b"x" * 32)("two")
    told = read_frames(channel, KEY, "nothing")
    assert [frame.kind for frame in told.frames] == ["one"]
    assert told.forged


def test_a_frame_that_is_told_again_is_forged(channel: int) -> None:
    tell_to(channel)("one")
    size = os.fstat(channel).st_size
    os.pwrite(channel, os.pread(channel, size, 0), size)
    told = read_frames(channel, KEY, "nothing")
    assert len(told.frames) == 1
    assert told.forged


def test_a_frame_that_breaks_off_is_the_end(channel: int) -> None:
    tell = tell_to(channel)
    tell("one")
    size = os.fstat(channel).st_size
    tell("two", {"a": b"x" * 100})
    os.ftruncate(channel, size + 50)
    told = read_frames(channel, KEY, "nothing")
    assert [frame.kind for frame in told.frames] == ["one"]
    assert not told.forged


@pytest.mark.parametrize("written", [b"\0" * 64, b"!######id:1######!" * 9, b"\xff" * 30])
def test_what_is_no_frame_is_told_from_one(channel: int, written: bytes) -> None:
    os.write(channel, written)
    told = read_frames(channel, KEY, "nothing")
    assert told.frames == ()


def test_a_child_tells_nothing_by_itself(channel: int) -> None:
    tell = tell_to(channel)
    pid = os.fork()
    if pid == 0:
        tell("child")
        os._exit(0)
    os.waitpid(pid, 0)
    tell("parent")
    told = read_frames(channel, KEY, "nothing")
    assert [frame.kind for frame in told.frames] == ["parent"]


@pytest.mark.parametrize(
    "forged", [b"x", (5).to_bytes(4, "little") + b"{bad}", (2).to_bytes(4, "little") + b"s" * 18]
)
def test_a_parent_passes_on_what_is_sealed(channel: int, forged: bytes) -> None:
    reading, writing = os.pipe()
    tell = teller_to_parent(writing, OTHER_KEY)
    tell("one", {"a": b"1"}, n=1)
    os.write(writing, forged)
    tell("two")
    os.close(writing)
    assert not pass_on(reading, tell_to(channel), OTHER_KEY)
    os.close(reading)
    assert [frame.kind for frame in read_frames(channel, KEY, "nothing").frames] == ["one"]


def test_a_parent_passes_on_all_that_is_sealed(channel: int) -> None:
    reading, writing = os.pipe()
    tell = teller_to_parent(writing, OTHER_KEY)
    tell("one", {"a": b"1"}, n=1)
    tell("two")
    os.close(writing)
    assert pass_on(reading, tell_to(channel), OTHER_KEY)
    os.close(reading)
    assert [frame.kind for frame in read_frames(channel, KEY, "nothing").frames] == ["one", "two"]


def test_a_frame_that_holds_something_else_is_forged(channel: int) -> None:
    tell_to(channel)("begin", test=["not", "a", "text"])
    assert read_frames(channel, KEY, "tests").forged
