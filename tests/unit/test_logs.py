"""A log says where an exception was raised, and nothing of what it holds."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.logs import configure_logs, logger

SECRET = "print('a program')"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """The file of the library's log, as long as the test runs."""
    root = logging.getLogger("steelyard")
    before = root.handlers, root.level, root.propagate
    root.handlers = []  # so that those of other tests are not closed
    configure_logs(file=tmp_path / "log.jsonl")
    try:
        yield tmp_path / "log.jsonl"
    finally:
        for each in root.handlers:
            each.close()
        root.handlers, root.level, root.propagate = before


def fail() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ExceptionGroup(SECRET, [ValueError(SECRET)]) from error


def test_the_text_of_an_exception_is_not_logged(log: Path) -> None:
    try:
        fail()
    except ExceptionGroup as error:
        logger("test").exception("unexpected error", request_id="a1")
        logging.getLogger("steelyard.other").warning("theirs", exc_info=error)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["unexpected error", "theirs"]
    for line in lines:
        assert SECRET not in json.dumps(line)
        for part in ("builtins.KeyError", "builtins.ValueError", "ExceptionGroup", "in fail"):
            assert part in line["exception"]
