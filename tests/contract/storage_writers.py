"""Processes that write to one database: several at once, and some that are killed in the middle.

python storage_writers.py race URL      prints the number of versions that all have stored
python storage_writers.py kill URL      prints what was announced and is missing: nothing
"""

import os
import random
import signal
import sys
from collections.abc import Callable
from functools import partial
from itertools import count

from steelyard.storage import check_records, open_database
from tests.stored_problems import SPEC, a_solution, a_suite

WRITERS, CHANGES, KILLS = 2, 5, 3


def race(url: str) -> None:
    children = [fork(partial(add_versions, url, each * 100)) for each in range(WRITERS)]
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    with open_database(url) as database, database.read() as reader:
        assert list(check_records(reader)) == []
        numbers = [each.number for each in reader.suite_versions("race")]
    assert numbers == list(range(1, WRITERS * CHANGES + 1))


def add_versions(url: str, first: int) -> None:
    with open_database(url) as database:
        for number in range(first, first + CHANGES):
            with database.change() as change:
                change.store_problem("race", SPEC, a_suite(number, number + 1))


def kill(url: str) -> None:
    """Kill a writer at random moments; what it announced before must be there."""
    dice = random.Random(1)
    announced: list[int] = []
    for turn in range(KILLS):
        inside, outside = os.pipe()
        child = fork(partial(announce, url, outside, 1_000 * turn))
        os.close(outside)
        with os.fdopen(inside) as lines:
            announced.append(int(lines.readline()))
            announced += [int(lines.readline()) for _ in range(dice.randrange(3))]
            for _ in range(dice.randrange(200_000)):
                pass
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            announced += map(int, lines.read().split())
        with open_database(url) as database, database.read() as reader:
            assert list(check_records(reader)) == []
            stored = {each.source for each in reader.solutions("sum")}
            kinds = [each.kind for each in reader.events("sum")]
            assert kinds.count("solution.added") == len(stored)
            assert kinds.count("suite.added") == len(reader.suite_versions("sum")) == len(stored)
        assert {str(each) for each in announced} <= stored, (announced, stored)


def announce(url: str, out: int, first: int) -> None:
    with open_database(url) as database:
        for number in count(first):
            with database.change() as change:
                suite = a_suite(*range(number, number + 8))
                change.store_problem("sum", SPEC, suite, [a_solution(source=str(number))])
            os.write(out, f"{number}\n".encode())


def fork(work: Callable[[], None]) -> int:
    """Start a process that has all modules loaded."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return child


if __name__ == "__main__":
    race(sys.argv[1])
    kill(sys.argv[1])
