"""A challenge whose process is killed while it is stored.

python -m tests.contract.killed_challenges URL

The challenge is computed once. Then processes store it, and each is killed after other rows.
"""

import os
import signal
import sys
from typing import Any

from sqlalchemy import event

from steelyard.authoring.challenges import _resolution, challenge
from steelyard.sandbox import CellPool
from steelyard.storage import Database, check_records, open_database
from tests import gap_problem as gap

WRONG = (gap.solution(gap.NEGATIVES_FORGOTTEN), gap.solution(gap.BRUTE_FORCE, "brute-force"))
STEP = 4
NEGATIVES = [-40, 12, 70, -41, 3, 3, 90]


def records(url: str) -> dict[str, int]:
    with open_database(url) as database:
        with database.read() as reader:
            assert list(check_records(reader)) == []
        return database.status().records


def store_and_die(url: str, resolution: Any, statement: int) -> None:
    """Store a challenge, and end as by `kill -9` after this many rows."""
    rows = 0

    def count(_connection: Any, _cursor: Any, text: str, *_rest: Any) -> None:
        nonlocal rows
        rows += text.startswith("INSERT")
        if rows == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    with open_database(url) as database:
        event.listen(database._engine, "after_cursor_execute", count)
        with database.change() as change:
            resolution.store(change)
    os._exit(rows)


def main(url: str) -> None:
    with open_database(url) as database:
        gap.store(database, *WRONG)
        run(url, database)
    sys.stdout.write(f"{records(url)['suite_versions']} versions\n")


def run(url: str, database: Database) -> None:
    before = records(url)
    decide = _resolution._Resolution.decide
    killed = 0

    def decide_and_kill(resolution: _resolution._Resolution) -> None:
        nonlocal killed
        decide(resolution)
        while True:
            child = os.fork()
            if child == 0:
                store_and_die(url, resolution, 1 + killed * STEP)
            status = os.waitpid(child, 0)[1]
            if not os.WIFSIGNALED(status):
                break
            killed += 1
            assert records(url) == before
        # The last one was not killed, so the state is another one for the challenge itself.
        assert records(url)["challenges"] == 1

    _resolution._Resolution.decide = decide_and_kill  # type: ignore[method-assign]
    try:
        with CellPool(1) as pool:
            challenge(
                database,
                gap.NAME,
                [NEGATIVES],
                reason="r",
                by="ann",
                pool=pool,
                claim=(gap.gap(NEGATIVES),),
            )
    finally:
        _resolution._Resolution.decide = decide  # type: ignore[method-assign]
    sys.stdout.write(f"{killed} killed\n")


if __name__ == "__main__":
    main(sys.argv[1])
