"""A Python candidate gets the same verdicts in every backend, and in one process as in many."""

from collections.abc import Sequence
from typing import Any

import pytest

from steelyard import ExecutionVerifier
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Execution, Limits
from tests.contract.python_judging import CASES, judge, says, verdicts

LOOPS = [{**case, "timeout": 0.3} if case["args"] == [2] else case for case in CASES]


def test_every_backend_gives_the_same_verdicts(cells: CellPool) -> None:
    calls = [{"args": [number], "expected": number + 1} for number in range(4)]
    for body, verdict in [
        ("return x + 1", "AC AC AC AC"),
        ("return x + (x < 2)", "AC AC WA WA"),
        ("return x + 1 if x else exit()", "RTE AC AC AC"),
    ]:
        source = f"def f(x): {body}"
        for isolation in ("per_case", "per_candidate"):
            result = judge(source, calls, "function:f", cells, isolation=isolation)
            assert verdicts(result) == verdict
        method = f"class A:\n    def f(self, x): {body}"
        assert verdicts(judge(method, calls, "class:A.f", cells)) == verdict
    source = "def f(x):\n    x.append(2)\n    return x[0] / 2"
    codes = ["x = [1]\nassert f(x) == 0.5 and x == [1, 2]", "assert f([1]) == 1", "assert f([])"]
    assert verdicts(judge(source, codes, "asserts", cells)) == "AC WA AC"
    failing = "assert f(['a']) == 1"
    assert "TypeError" in says(judge(source, [failing], "asserts", cells))


class TestSharedProcess:
    @pytest.mark.parametrize(
        ("source", "cases"),
        [
            ("def f(x): return x", CASES),
            ("def f(x): return x if x != 3 else 0", CASES),
            ("def f(x): return -1", CASES),
            ("def f(x): return x if x % 2 else None", CASES),
            ("def f(x):\n    print('noise', flush=True)\n    return x", CASES),
            ("def f(x):\n    if x in (0, 4): raise ValueError(x)\n    return x", CASES),
            ("def f(x):\n    if x == 2: exit()\n    return x", CASES),
            ("import os\ndef f(x):\n    if x == 5: os._exit(0)\n    return x", CASES),
            ("import os\ndef f(x):\n    if x == 1: os.kill(os.getpid(), 9)\n    return x", CASES),
            ("def f(x):\n    while x == 2: pass\n    return x", LOOPS),
            ("def f(x): return (lambda: x) if x == 1 else x", CASES),
            ("def f(x):\n    import sys\n    if x == 1: sys.stdout = None\n    return x", CASES),
            (
                "def f(x):\n    if x == 1: __builtins__.len = None\n    return len([x]) * x",
                CASES,
            ),
            (
                "seen = []\ndef f(x):\n    seen.append(x)\n    return x if seen == [x] else -1",
                CASES,
            ),
            ("def g(x): return x", CASES),
            ("raise KeyError", CASES),
            ("class f:\n    def __new__(cls, x): return x", CASES),
        ],
    )
    def test_it_gives_the_same_verdicts(
        self, pool: CellPool, source: str, cases: list[dict[str, Any]]
    ) -> None:
        alone = judge(source, cases, "function:f", pool)
        shared = judge(source, cases, "function:f", pool, isolation="per_candidate")
        assert verdicts(shared) == verdicts(alone)
        assert [case.message for case in shared.cases] == [case.message for case in alone.cases]
        assert shared.reward == alone.reward

    def test_state_that_one_call_leaves_for_the_next_can_pass_a_case(self, pool: CellPool) -> None:
        source = "n = -1\ndef f(x):\n    global n\n    n += 1\n    return n"
        assert verdicts(judge(source, CASES, "function:f", pool)) == "AC WA WA WA WA WA"
        assert judge(source, CASES, "function:f", pool, isolation="per_candidate").success

    @pytest.mark.parametrize("isolation", ["per_case", "per_candidate"])
    def test_fail_fast_skips_what_comes_after(self, pool: CellPool, isolation: str) -> None:
        source = "def f(x): return x if x != 2 else 0"
        options = {"isolation": isolation, "fail_fast": True}
        result = judge(source, CASES, "function:f", pool, **options)
        assert verdicts(result) == "AC AC WA SK SK SK"

    @pytest.mark.parametrize(
        ("wrong", "runs"),
        [("sum(iter(int, 1))", 3), ("__import__('time').sleep(60)", 3), ("raise KeyError", 4)],
    )
    def test_a_limit_is_reached_once(
        self, pool: CellPool, monkeypatch: pytest.MonkeyPatch, wrong: str, runs: int
    ) -> None:
        """The case that takes too long ends its shared process, and needs none of its own."""
        source = f"def f(x):\n    if x == 3: {wrong}\n    return x"
        commands = []
        run = pool.run_series

        def recorded(each: Sequence[Command]) -> list[Execution]:
            executions = run(each)
            commands.extend(each[: len(executions)])
            return executions

        monkeypatch.setattr(pool, "run_series", recorded)
        monkeypatch.setattr(pool, "run", lambda command: recorded([command])[0])
        verifier = ExecutionVerifier(
            language="python",
            entry="function:f",
            isolation="per_candidate",
            pool=pool,
            run_timeout=0.4,
            limits=Limits(cpu_ms=400, wall_ms=2_000),
            test_cases=CASES,
        )
        result = verifier.verify(source)
        verdict, ran = result.cases[3].verdict, len([each for each in commands if each.stdin])
        assert verdicts(result) == f"AC AC AC {verdict} AC AC"
        assert verdict in ("TLE", "RTE")
        assert ran == runs

    def test_it_is_for_calls_alone(self, pool: CellPool) -> None:
        for entry, case in (("asserts", "assert f()"), ("stdio", {"input": "", "expected": ""})):
            with pytest.raises(UsageError, match="per_candidate"):
                judge("", [case], entry, pool, isolation="per_candidate")


@pytest.mark.exhaustive
def test_a_flood_of_outcomes_is_no_answer(pool: CellPool) -> None:
    flood = (
        "import os\ndef f(x):\n    os.write(3, b'1 1\\t[\"ok\",1]\\n' * 500_000)\n    return 1\n"
    )
    cases = [{"args": [number], "expected": 1} for number in range(3)]
    assert verdicts(judge(flood, cases, "function:f", pool)) == "RTE RTE RTE"
    shared = judge(flood, cases, "function:f", pool, isolation="per_candidate")
    assert verdicts(shared) == "RTE RTE RTE"
