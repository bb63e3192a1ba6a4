"""Many short cases, in series on several cells, give what each gives alone."""

import threading
from collections.abc import Iterator

import pytest

import steelyard
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Event

FAILS = "n = int(input())\nif n % 7 == 3: raise SystemExit(n)\nprint(n if n % 5 else 0)"
CASES = [{"input": f"{n}", "expected": f"{n}"} for n in range(60)]


@pytest.fixture(scope="module")
def two() -> Iterator[CellPool]:
    with CellPool(2) as cells:
        yield cells


def verdict(n: int) -> str:
    return "RTE" if n % 7 == 3 else "AC" if n % 5 or n == 0 else "WA"


@pytest.mark.parametrize("cells", ["pool", "two"])
def test_each_case_has_its_own_verdict(cells: str, request: pytest.FixtureRequest) -> None:
    events: list[Event] = []
    result = steelyard.judge(
        FAILS, CASES, pool=request.getfixturevalue(cells), on_event=events.append
    )
    assert [str(case.verdict) for case in result.cases] == [verdict(n) for n in range(60)]
    assert [case.exit_code for case in result.cases if case.exit_code] == list(range(3, 60, 7))
    seen = {event.case for event in events}
    assert len(events) == 60
    assert seen == set(result.cases)


@pytest.mark.parametrize("first", [0, 5, 41, 59])
def test_a_failure_ends_the_rest_however_many_cells_there_are(
    pool: CellPool, two: CellPool, first: int
) -> None:
    program = f"n = int(input())\nprint(n if n < {first} else -1)"
    for cells in (pool, two):
        result = steelyard.judge(program, CASES, pool=cells, fail_fast=True)
        verdicts = [str(case.verdict) for case in result.cases]
        assert verdicts == ["AC"] * first + ["WA"] + ["SK"] * (59 - first)


@pytest.mark.parametrize("cells", ["pool", "two"])
def test_what_a_callback_raises_ends_all(cells: str, request: pytest.FixtureRequest) -> None:
    seen = 0

    def refuse(_: Event) -> None:
        nonlocal seen
        seen += 1
        raise UsageError("enough")

    cases = [{**case, "input": f"{case['input']}\n"} for case in CASES * 10]
    with pytest.raises(UsageError, match="enough"):
        steelyard.judge(
            "print(input())", cases, pool=request.getfixturevalue(cells), on_event=refuse
        )
    assert seen <= 2  # one of each cell that was at work


def test_long_cases_run_at_once(two: CellPool) -> None:
    threads: set[int] = set()
    result = steelyard.judge(
        "import time\ntime.sleep(0.5)\nprint(1)",
        [{"input": "", "expected": "1"}] * 4,
        pool=two,
        on_event=lambda _: threads.add(threading.get_ident()),
    )
    assert result.passed
    assert len(threads) == 2
