"""How long it takes to verify one candidate against 20 tests, for compare.py."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from complexity import percentiles

from steelyard.equivalence import CompareBaseline, CompareOptions
from steelyard.equivalence._behaving import behaviour_of
from steelyard.equivalence._behaviour import compare_tests
from steelyard.equivalence._versions import Version
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Execution

TESTS = 20
MODULE = '''\
"""Prices as shops write them."""

import re


def parse_price(text, currency="EUR"):
    """The cents that a text such as "1.234,50 EUR" names."""
    match = re.fullmatch(r"\\s*([\\d.]+)(?:,(\\d{1,2}))?\\s*([A-Z]{3})?\\s*", text)
    if match is None or (match[3] or currency) != currency:
        raise ValueError(f"no price in {currency}: {text!r}")
    # whole units, then cents
    return int(match[1].replace(".", "")) * 100 + int((match[2] or "0").ljust(2, "0"))
'''
TEST_FILE = f"""\
import pytest

from prices import parse_price


@pytest.mark.parametrize("cents", range(0, {TESTS - 4} * 12345, 12345))
def test_reads_what_is_written(cents):
    assert parse_price(f"{{cents // 100}},{{cents % 100:02d}} EUR") == cents


def test_thousands_are_grouped():
    assert parse_price("1.234.567,8") == 123456780


def test_other_currencies():
    assert parse_price("12 USD", currency="USD") == 1200


@pytest.mark.parametrize("text", ["", "12 USD"])
def test_what_is_no_price(text):
    with pytest.raises(ValueError, match="no price"):
        parse_price(text)
"""
PLAIN = """
import json, sys, time

class Sum:
    total = 0.0

    def pytest_runtest_logreport(self, report):
        Sum.total += report.duration

import pytest
root = sys.argv[1]
status = pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", root, root], [Sum()])
print()
print(json.dumps([int(status), Sum.total * 1000]))
"""


class Cells(CellPool):
    """Cells that remember what their last run took."""

    last_cpu_ms = 0.0

    def run(self, command: Command) -> Execution:
        """As ever."""
        execution = super().run(command)
        self.last_cpu_ms = execution.cpu_ms
        return execution


def verifying(state: AbstractContextManager[Cells], count: int) -> dict[str, Any]:
    """Warm and cold, beside the tests in plain pytest, which take turns with the warm runs."""
    warm: list[float] = []
    cpu: list[float] = []
    cold: list[float] = []
    plain: list[float] = []
    own: list[float] = []
    with_calls: list[float] = []
    with tempfile.TemporaryDirectory(prefix="steelyard-benchmark-") as temporary, state as pool:
        root = Path(temporary) / "project"
        root.mkdir()
        (root / "prices.py").write_text(MODULE)
        (root / "test_prices.py").write_text(TEST_FILE)
        changed = MODULE.replace("# whole units", "# units")
        version = Version({"prices.py": changed.encode()})
        for _ in range(max(1, count // 20)):
            start = time.monotonic()
            baseline = CompareBaseline(
                "prices:parse_price", root, CompareOptions(generate=0, pool=pool)
            )
            baseline.prepare()
            verify(baseline, version)
            cold.append((time.monotonic() - start) * 1000)
        baseline = CompareBaseline("prices:parse_price", root, CompareOptions(pool=pool))
        baseline.prepare()
        for turn in range(count):
            start = time.monotonic()
            verify(baseline, version)
            warm.append((time.monotonic() - start) * 1000)
            cpu.append(pool.last_cpu_ms)
            if turn % 4 == 0:
                start = time.monotonic()
                own.append(plain_pytest(root))
                plain.append((time.monotonic() - start) * 1000)
                start = time.monotonic()
                behaviour_of(baseline, version)
                with_calls.append((time.monotonic() - start) * 1000)
    return {
        "tests": TESTS,
        "tests_own_ms": percentiles(own),
        "warm_ms": percentiles(warm),
        "warm_beyond_the_tests_ms": round(statistics.median(warm) - statistics.median(own), 1),
        "warm_cpu_ms": percentiles(cpu),
        "warm_with_made_up_calls_ms": percentiles(with_calls),
        "cold_ms": percentiles(cold),
        "plain_pytest_ms": percentiles(plain),
    }


def verify(baseline: CompareBaseline, version: Version) -> None:
    """The tests of one candidate, compared."""
    run = baseline.run_tests(version)
    cases = compare_tests(baseline.tests, run, baseline.dropped_tests, baseline.strictness)
    if len(cases) != TESTS or any(case.outcome != "same" for case in cases):
        raise SystemExit(f"the tests are not alike: {cases}")


def plain_pytest(root: Path) -> float:
    """A start of pytest on the same file; what its tests took of it, in ms."""
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, str(root)],
        cwd=root,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    status, own_ms = json.loads(done.stdout.splitlines()[-1])
    if status:
        raise SystemExit(f"plain pytest failed:\n{done.stdout}{done.stderr}")
    return float(own_ms)
