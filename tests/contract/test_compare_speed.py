"""Speed is claimed where it is there, and where it is more than a trick.

Each timed pair takes seconds: every run has few of them, which show most at once.
"""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from steelyard.comparing import (
    CompareBaseline,
    CompareOptions,
    compare_candidate,
    rank_candidates,
)
from steelyard.comparing._kinds import LOOPS
from steelyard.comparing.incell.told import LoopTests
from steelyard.comparing.recording._versions import ORIGINAL
from steelyard.comparing.timing._loops import results_of
from steelyard.comparing.timing._timed import ALLOWED_S
from steelyard.comparing.timing._timing import time_both
from steelyard.schemas import TestType
from tests.contract.compare_projects import baseline_of, make_project, version_of

pytestmark = [pytest.mark.xdist_group("timing"), pytest.mark.usefixtures("file_view")]

MODULE = """
    import threading


    class Held:
        def __init__(self, values):
            self.values = values
            self.lock = threading.Lock()

        def largest(self):
            best = None
            for value in self.values:
                for _ in range(6):
                    pass
                if best is None or value > best:
                    best = value
            return best


    def squares(values: list[int]) -> list[int]:
        found = []
        for value in values:
            for _ in range(4):
                pass
            found = found + [value * value]
        return found
"""
TESTS = """
    import pytest

    from shop.goods import Held, squares


    @pytest.mark.parametrize("count", [0, 1, 40, 80, 120, 200])
    def test_squares(count):
        assert sum(squares(list(range(count)))) == sum(i * i for i in range(count))


    @pytest.mark.parametrize("count", [1, 300, 500, 700, 900, 1100])
    def test_largest(count):
        assert Held(list(range(count))).largest() == count - 1
"""
FASTER = (
    "def squares(values: list[int]) -> list[int]:\n    return [value * value for value in values]"
)
COMMENTED = """
    def squares(values: list[int]) -> list[int]:
        # A comment changes nothing.
        found = []
        for value in values:
            for _ in range(4):
                pass
            found = found + [value * value]
        return found
"""
REMEMBERING = """
    _known = {}

    def squares(values: list[int]) -> list[int]:
        key = tuple(values)
        if key not in _known:
            found = []
            for value in values:
                for _ in range(4):
                    pass
                found = found + [value * value]
            _known[key] = found
        return list(_known[key])
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path, MODULE, TESTS)


def test_the_fast_one_of_many_candidates_is_accepted_with_its_evidence(project: Path) -> None:
    baseline = CompareBaseline("shop.goods:squares", project, CompareOptions.of(generate=8))
    wrong = FASTER.replace("value * value", "value * 2")
    ranked = rank_candidates(baseline, [wrong, wrong + "  # another one", FASTER])
    assert [found.accepted for _, found in ranked] == [True, False, False]
    assert len({found.part_seconds["original's tests"] for _, found in ranked}) == 1
    index, found = ranked[0]
    assert index == 2
    speed = found.speed
    assert speed is not None
    assert (speed.verdict, speed.method) == ("faster", "paired")
    assert speed.speedup is not None
    assert 1.3 < speed.speedup.low <= speed.speedup.mid <= speed.speedup.high
    assert len(speed.estimates) == speed.processes >= 5
    assert len(speed.cases) >= 6
    assert all(case.original_ns > 0 and case.candidate_ns > 0 for case in speed.cases)
    assert speed.import_ms is not None
    assert speed.wall_speedup is None
    assert found.coverage is not None
    assert found.coverage.candidate.share == 1
    assert found.memory is not None
    assert found.memory.original.peak_bytes > 0
    assert found.line_profile is not None
    assert any("found + [value" in line.text for line in found.line_profile.original)
    assert "-        found = found + [value * value]" in found.diff


def test_what_waits_is_timed_by_the_clock_on_the_wall_too(tmp_path: Path) -> None:
    module = """
        import asyncio

        async def fetched(keys):
            found = []
            for key in keys:
                await asyncio.sleep(0.004)
                found.append(key * 2)
            return found
    """
    tests = """
        import asyncio
        from shop.goods import fetched

        def test_fetched():
            assert asyncio.run(fetched([1, 2, 3, 4, 5, 6])) == [2, 4, 6, 8, 10, 12]
    """
    together = """
        async def fetched(keys):
            async def one(key):
                await asyncio.sleep(0.004)
                return key * 2
            return list(await asyncio.gather(*map(one, keys)))
    """
    baseline = baseline_of(make_project(tmp_path, module, tests), "fetched", generate=0)
    speed = time_both(baseline, version_of(baseline, together)).speed
    assert speed.wall_speedup is not None
    assert speed.wall_speedup > 2


@pytest.mark.exhaustive
def test_unchanged_code_is_not_called_faster(project: Path) -> None:
    baseline = baseline_of(project, "squares", generate=8)
    speed = time_both(baseline, version_of(baseline, COMMENTED)).speed
    assert speed.verdict in ("same", "undecided")


@pytest.mark.exhaustive
def test_remembering_is_no_gain(project: Path) -> None:
    baseline = baseline_of(project, "squares", generate=20)
    timed = time_both(baseline, version_of(baseline, REMEMBERING))
    assert "remembers-calls" in {reason.code for reason in timed.reasons}


def test_an_original_that_remembers_is_timed_where_it_has_nothing_to_remember(
    tmp_path: Path,
) -> None:
    module = """
        import functools

        @functools.cache
        def divisors(number: int) -> list[int]:
            return [each for each in range(1, number + 1) if number % each == 0]
    """
    tests = """
        import pytest

        from shop.goods import divisors


        @pytest.mark.parametrize("number", [1, 12, 97, 360, 1_000, 2_310])
        def test_divisors(number):
            found = divisors(number)
            assert found[-1] == number and all(number % each == 0 for each in found)
    """
    faster = """
        @functools.cache
        def divisors(number: int) -> list[int]:
            small = [each for each in range(1, number // 2 + 1) if number % each == 0]
            return [*small, number] if number > 0 else small
    """
    root = make_project(tmp_path, module, tests)
    baseline = baseline_of(root, "divisors", generate=8)
    found = compare_candidate(baseline, dedent(faster))
    assert found.accepted, found.reasons
    assert found.speed is not None
    assert any("caches were cleared" in note for note in found.speed.notes)


KEEPING = """
    _kept = {}

    def largest(self):
        key = tuple(self.values)
        if key not in _kept:
            best = None
            for value in self.values:
                for _ in range(6):
                    pass
                if best is None or value > best:
                    best = value
            _kept[key] = best
        return _kept[key]
"""
TIRED = """
    _calls = []

    def largest(self):
        _calls.append(1)
        if len(_calls) > 6:
            return len(self.values)
        best = None
        for value in self.values:
            for _ in range(6):
                pass
            if best is None or value > best:
                best = value
        return best
"""


@pytest.mark.exhaustive
def test_remembering_within_tests_is_no_gain(project: Path) -> None:
    baseline = baseline_of(project, "Held.largest")
    timed = time_both(baseline, version_of(baseline, KEEPING))
    assert "remembers-calls" in {reason.code for reason in timed.reasons}


@pytest.mark.exhaustive
def test_results_are_looked_at_within_tests(project: Path) -> None:
    tests = project / "tests" / "test_goods.py"
    tests.write_text(tests.read_text("utf-8").replace("== count - 1", ">= 0"), encoding="utf-8")
    baseline = baseline_of(project, "Held.largest")
    timed = time_both(baseline, version_of(baseline, TIRED))
    assert "skips-timed-work" in {reason.code for reason in timed.reasons}


@pytest.mark.exhaustive
def test_the_rule_of_loops_gives_a_figure_without_an_interval(project: Path) -> None:
    baseline = baseline_of(project, "squares", method="loops")
    timed = time_both(baseline, version_of(baseline, FASTER))
    speed = timed.speed
    assert (speed.verdict, speed.method, timed.reasons) == ("faster", "loops", ())
    assert speed.rounds >= 6
    assert speed.speedup is not None
    assert speed.speedup.low == speed.speedup.high


def test_loops_tell_tests_written_for_the_comparison_apart(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    inspired = tmp_path_factory.mktemp("inspired") / "test_more.py"
    inspired.write_text(
        "from shop.goods import squares\n\ndef test_more():\n    assert squares([3]) == [9]\n"
    )
    baseline = baseline_of(project, "squares", generate=0, inspired=(str(inspired),))
    asked = LoopTests(baseline.session, "", loops=1)
    run = baseline.stand.run(LOOPS, asked, ORIGINAL, seconds=ALLOWED_S)
    results = results_of(run, "squares", baseline.stand.inspired)
    kinds = {each.id.test_function: each.test_type for each in results}
    assert kinds.pop("test_more") is TestType.INSPIRED_REGRESSION
    assert len(kinds) == 6
    assert set(kinds.values()) == {TestType.EXISTING_UNIT_TEST}


def test_a_run_may_address_85_percent_of_memory(tmp_path: Path) -> None:
    tests = """
        import resource

        from shop.goods import squares


        def test_limit():
            soft, hard = resource.getrlimit(resource.RLIMIT_AS)
            total = sum(
                int(line.split()[1]) * 1024
                for line in LINES
                if line.startswith(("MemTotal", "SwapTotal"))
            )
            assert soft == hard
            assert squares([2]) == [4]
            assert abs(soft - 0.85 * total) <= 1
    """
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    root = make_project(tmp_path, MODULE, f"LINES = {lines!r}\n" + dedent(tests))
    baseline = baseline_of(root, "squares", generate=0)
    assert not baseline.dropped_tests


def test_an_environment_of_the_project_is_used_wherever_it_lies(project: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project / ".venv"], check=True)
    packages = next((project / ".venv" / "lib").glob("python*")) / "site-packages"
    (packages / "only_there.py").write_text("VALUE = 3", encoding="utf-8")
    module = project / "shop" / "goods.py"
    module.write_text(f"import only_there\n{module.read_text('utf-8')}", encoding="utf-8")
    baseline = baseline_of(project, "squares", generate=0)
    assert baseline.stand.python == str(project / ".venv" / "bin" / "python")
    assert sum(test.passed for test in baseline.tests.tests.values()) == 12
