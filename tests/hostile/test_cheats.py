"""No trick gets a case accepted that the program did not answer, or harms an honest neighbour."""

import json
import threading
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from steelyard import judge
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Verdict, VerifyResult

CHEATS = Path(__file__).with_name("cheats")
TABLE: dict[str, dict[str, Any]] = tomllib.loads((CHEATS / "cheats.toml").read_text())
ENTRIES = {
    "stdio": "stdio",
    "function": "function:total",
    "shared": "function:total",
    "class": "class:Solution.total",
    "asserts": "asserts:total",
}


def cheats() -> Iterator[ParameterSet]:
    """Yield each cheat with each way to enter it: exhaustive except for one way, by turns."""
    for index, (name, row) in enumerate(TABLE.items()):
        ways = list(row.get("entries", ENTRIES))
        for way in ways:
            marks = () if way == ways[index % len(ways)] else pytest.mark.exhaustive
            yield pytest.param(name, way, id=f"{name}-{way}", marks=marks)


# What is expected can be told from all else, so that a program that finds it anywhere can use it.
NUMBERS = {
    "visible": ([40_000_000_001, 37_000_000_002], [10_000_000_000, 67_000_000_005]),
    "hidden": ([20_000_000_009, 57_123_456_700], [30_000_000_000, 30_000_000_000, 17_987_654_321]),
}
ASSERTIONS = (
    "assert total({0}) == {1}",
    "def check(candidate):\n    assert candidate({0}) == {1}",
    "try:\n    got = total({0})\nexcept ValueError:\n    got = None\nassert got == {1}",
    "for got, wanted in zip(map(total, [{0}] * 2), [{1}] * 2):\n    assert got == wanted",
)
SOLUTION = """

class Solution:
    def total(self, numbers):
        return total(numbers)
"""
MAIN = """

if __name__ == "__main__":
    import sys

    print(total([int(word) for word in sys.stdin.readline().split()]))
"""
HONEST = """\
import builtins, gc, os, random, resource, signal, sys, threading

def names(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:  # Landlock shows neither /tmp nor /proc
        return []


folders = {folder: names(folder) for folder in (".", "/tmp", "/dev/shm")}
surroundings = [
    folders, os.getcwd(), sorted(os.environ.items()), len(names("/proc/self/fd")),
    os.umask(0o022), [signal.getsignal(n) for n in (2, 14, 15, 17)],
    sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())), threading.active_count(), os.nice(0),
    sys.getrecursionlimit(), sys.gettrace(), gc.get_threshold(), len(sys.modules),
    hash("text"), random.random(), len(builtins.__dict__), os.sched_getscheduler(0),
    [resource.getrlimit(kind) for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)],
    sum(name.isdigit() for name in names("/proc")), len(os.sched_getaffinity(0)),
]
# Without a file view the work folder has a name that differs from cell to cell.
print(repr(surroundings).replace(os.path.basename(os.getcwd()), "w"), file=sys.stderr)


def total(numbers):
    return sum(numbers)
"""
IN_PLENTY = Limits(cpu_ms=5_000, wall_ms=8_000, memory_mib=256)
"""For what no limit on time ends: there is enough of it on any machine."""
TIGHT = Limits(cpu_ms=200, memory_mib=128)
FIGURES_MAY_DIFFER = {"cpu_ms": 1_000, "memory_mib": 16}

Honest = Callable[[str], VerifyResult]


def source_for(way: str, text: str) -> str:
    return text + {"stdio": MAIN, "class": SOLUTION}.get(way, "")


def cases_for(way: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = []
    for category, inputs in NUMBERS.items():
        for numbers in inputs:
            if way == "stdio":
                case = {"input": " ".join(map(str, numbers)), "expected": str(sum(numbers))}
            elif way == "asserts":
                case = {"code": ASSERTIONS[len(cases)].format(numbers, sum(numbers))}
            else:
                case = {"args": [numbers], "expected": sum(numbers)}
            cases.append({**case, "name": f"case {len(cases)}", "category": category})
    return cases


@pytest.fixture(scope="module")
def cells() -> Iterator[CellPool]:
    with CellPool(2) as pool:
        yield pool


def run(text: str, way: str, pool: CellPool, cases: list[Any], limits: Limits) -> VerifyResult:
    return judge(
        source_for(way, text),
        cases,
        entry=ENTRIES[way],
        isolation="per_candidate" if way == "shared" else "per_case",
        limits=limits,
        pool=pool,
    )


@pytest.fixture(scope="module")
def honest(cells: CellPool) -> Honest:
    """Judges an honest program, and asserts that all is as it was at first."""
    first: dict[str, VerifyResult] = {}
    lock = threading.Lock()

    def check(way: str) -> VerifyResult:
        result = run(HONEST, way, cells, cases_for(way)[::3], IN_PLENTY)
        assert result.success, result
        with lock:
            before = first.setdefault(way, result)
        for case, as_before in zip(result.cases, before.cases, strict=True):
            assert (case.stdout, case.stderr) == (as_before.stdout, as_before.stderr)
            for name, most in FIGURES_MAY_DIFFER.items():
                assert abs(getattr(case, name) - getattr(as_before, name)) < most, name
        return result

    for way in ENTRIES:
        check(way)
    return check


def check_verdicts(result: VerifyResult, cheat: dict[str, Any]) -> None:
    allowed = {Verdict(name) for name in cheat.get("allowed", ("WA", "RTE"))}
    for case in result.cases:
        if case.category == cheat.get("answers"):
            assert case.verdict is Verdict.AC
        else:
            assert case.verdict in allowed, case
        assert case.message.isprintable()
        assert len(case.message) < 1_000
    assert not result.success


def test_the_table_names_every_program() -> None:
    assert {path.stem for path in CHEATS.glob("*.py")} == set(TABLE)
    for path in CHEATS.glob("*.py"):
        assert path.read_text().startswith("# Tries: "), path.name


@pytest.mark.parametrize(("name", "way"), [*cheats()])
def test_no_trick_gets_a_case_accepted_or_harms_a_neighbour(
    name: str, way: str, cells: CellPool, honest: Honest, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheat = TABLE[name]
    cases, limits = cases_for(way), IN_PLENTY
    if cheat.get("tight"):
        cases, limits = cases[-1:], TIGHT
    monkeypatch.setattr("steelyard.judging._runs._ASSERTS_GRACE_MS", 1_000)

    with ThreadPoolExecutor(1) as executor:
        beside = executor.submit(honest, way)
        result = run((CHEATS / f"{name}.py").read_text(), way, cells, cases, limits)
        beside.result()

    check_verdicts(result, cheat)
    result.model_dump_json()
    result.to_json().encode()
    honest(way)


@pytest.mark.parametrize("way", ENTRIES)
def test_learned_examples_are_counted_apart(way: str, cells: CellPool) -> None:
    text = (CHEATS / "hard_code.py").read_text()
    result = run(text, way, cells, cases_for(way), IN_PLENTY)
    assert result.by_category() == {"visible": (2, 2), "hidden": (0, 2)}
    assert json.loads(result.to_json())["categories"]["hidden"] == {"passed": 0, "total": 2}
