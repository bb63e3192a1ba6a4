"""Comparisons with realistic figures, one for each thing that a reader may meet."""

import difflib
import math

from steelyard.schemas import (
    Behaviour,
    BehaviourCase,
    Comparison,
    Coverage,
    Interval,
    Isolation,
    LineProfile,
    LineTime,
    MemoryUse,
    Reason,
    Speed,
    SpeedCase,
    TestType,
    ValueDifference,
    VersionCoverage,
    VersionMemory,
)

HOSTILE = (
    "\x1b[31m\x1b]0;gone\x07<script>alert(1)</script><img src=x onerror=alert(1)>\u202e[bold]&"
)
ENDLESS = "x" * 10_000

ORIGINAL = '''"""Prices of carts."""

from collections import Counter


def totals(lines, rates=None):
    """Sums by category, tax included."""
    rates = rates or {}
    result = {}
    for line in lines:
        if line.category not in result:
            result[line.category] = 0.0
        for other in lines:
            if other is line:
                rate = rates.get(line.category, 0.0)
                result[line.category] += line.price * line.amount * (1 + rate)
    return result


def names(lines):
    return sorted({line.name for line in lines})
'''
FASTER = '''"""Prices of carts."""

from collections import Counter, defaultdict


def totals(lines, rates=None):
    """Sums by category, tax included."""
    rates = rates or {}
    result = defaultdict(float)
    for line in lines:
        rate = rates.get(line.category, 0.0)
        result[line.category] += line.price * line.amount * (1 + rate)
    if not result:
        return {}
    return dict(result)


def names(lines):
    return sorted({line.name for line in lines})
'''


def diff(original: str = ORIGINAL, candidate: str = FASTER) -> str:
    lines = difflib.unified_diff(
        original.splitlines(keepends=True),
        candidate.splitlines(keepends=True),
        "a/shop/carts.py",
        "b/shop/carts.py",
    )
    return "".join(lines)


def around(mid: float, share: float = 0.03) -> Interval:
    return Interval(low=mid * (1 - share), mid=mid, high=mid * (1 + share))


def speed_cases(number: int, gain: float = 1.84) -> tuple[SpeedCase, ...]:
    return tuple(
        SpeedCase(
            name=f"tests/test_carts.py::TestTotals::test_totals_of_many_lines[{10 * k + 10}-eur]",
            original_ns=900.0 * 1.7**k,
            candidate_ns=900.0 * 1.7**k / (gain + 0.3 * math.sin(k)),
            speedup=around(gain + 0.3 * math.sin(k), 0.02 + 0.01 * (k % 4)),
        )
        for k in range(number)
    )


def estimates(number: int, mid: float) -> tuple[float, ...]:
    return tuple(mid * (1 + 0.02 * math.sin(7 * k)) for k in range(number))


def same_cases(number: int, test_type: TestType = TestType.EXISTING_UNIT_TEST, name: str = ""):
    return tuple(
        BehaviourCase(
            name=f"{name} {k}" if name else f"tests/test_carts.py::test_totals[{k}]",
            test_type=test_type,
            outcome="same",
            calls=k + 1,
        )
        for k in range(number)
    )


def line_times(source: str, first: int, last: int, weights: dict[int, int]) -> tuple[LineTime, ...]:
    lines = source.splitlines()
    return tuple(
        LineTime(
            line=number,
            hits=100 * (number in weights),
            time_ns=weights.get(number, 0),
            text=lines[number - 1],
        )
        for number in range(first, last + 1)
    )


ISOLATION = Isolation(
    backend="cell",
    level="full",
    filesystem="view",
    seccomp=True,
    network="none",
    cpu_counter="cgroup-v2",
    memory_counter="cgroup-v2",
)


def accepted() -> Comparison:
    """Alike and faster, with all that can be known; some cases say nothing."""
    return Comparison(
        function="shop.carts:totals",
        verdict="accepted",
        reasons=(
            Reason(code="tests-dropped", text="2 of 61 tests cannot be used", rejects=False),
            Reason(
                code="slower-import",
                rejects=False,
                text="importing the module takes 1.9 ms, 1.2 ms with the original",
            ),
        ),
        behaviour=Behaviour(
            verdict="same",
            cases=(
                *same_cases(24),
                *same_cases(12, TestType.REPLAY_TEST, "replay"),
                *same_cases(21, TestType.GENERATED_REGRESSION, "generated"),
                BehaviourCase(
                    name="tests/test_carts.py::test_on_the_clock",
                    outcome="dropped",
                    test_type=TestType.EXISTING_UNIT_TEST,
                    note="flaky: 2 of 3 runs differ",
                ),
                BehaviourCase(
                    name="generated 21",
                    outcome="dropped",
                    note="the original exceeds its time",
                    test_type=TestType.GENERATED_REGRESSION,
                ),
                BehaviourCase(
                    name="replay 12",
                    test_type=TestType.REPLAY_TEST,
                    outcome="not-comparable",
                    differences=(
                        ValueDifference(
                            path="result.socket",
                            original="<socket.socket>",
                            candidate="",
                            kind="not-comparable",
                        ),
                    ),
                ),
            ),
        ),
        speed=Speed(
            verdict="faster",
            threshold=0.05,
            speedup=Interval(low=1.79, mid=1.84, high=1.9),
            cases=speed_cases(9),
            estimates=estimates(16, 1.84),
            processes=32,
            rounds=410,
            seconds=3.42,
            wall_speedup=1.81,
            import_ms=(1.2, 1.9),
            notes=("calls below 10 microseconds are judged at 10 %",),
        ),
        memory=MemoryUse(
            original=VersionMemory(peak_bytes=13_002_000, allocated_blocks=12),
            candidate=VersionMemory(peak_bytes=410_000, allocated_blocks=12),
        ),
        coverage=Coverage(
            threshold=0.6,
            original=VersionCoverage(lines=10, lines_covered=10, branches=8, branches_covered=8),
            candidate=VersionCoverage(
                lines=8, lines_covered=7, branches=4, branches_covered=3, missing_lines=(14,)
            ),
        ),
        line_profile=LineProfile(
            original=line_times(
                ORIGINAL,
                6,
                17,
                {
                    8: 900,
                    9: 700,
                    10: 21_000,
                    11: 30_000,
                    12: 9_000,
                    13: 2_100_000,
                    14: 2_900_000,
                    15: 41_000,
                    16: 88_000,
                    17: 500,
                },
            ),
            candidate=line_times(
                FASTER,
                6,
                15,
                {8: 900, 9: 1200, 10: 21_000, 11: 40_000, 12: 90_000, 13: 800, 15: 900},
            ),
        ),
        diff=diff(),
        python="CPython 3.11.7",
        part_seconds={"behaviour": 1.21, "speed": 3.42, "coverage": 0.4, "line profile": 0.3},
        notes=("the suite writes files; they were thrown away",),
        isolation=ISOLATION,
    )


def differs() -> Comparison:
    """Faster and wrong: values, arguments and side effects."""
    shrunk = BehaviourCase(
        name="generated 17",
        test_type=TestType.GENERATED_REGRESSION,
        outcome="different",
        calls=1,
        input="totals([Line(name='a', category='', price=1.0, amount=0)], rates=None)",
        differences=(
            ValueDifference(path="result['']", original="0.0", candidate="", kind="missing"),
            ValueDifference(
                path="arguments.lines", original="[Line(...)]", candidate="[]", kind="value"
            ),
            ValueDifference(path="result", original="dict", candidate="defaultdict", kind="type"),
            ValueDifference(path="stdout", original="''", candidate="'slow'", kind="value"),
        ),
    )
    raised = BehaviourCase(
        name="tests/test_carts.py::TestTotals::test_no_rates",
        calls=3,
        test_type=TestType.EXISTING_UNIT_TEST,
        outcome="different",
        input="totals([], rates={'food': None})",
        differences=(
            ValueDifference(
                path="exception", original="TypeError", candidate="KeyError", kind="value"
            ),
        ),
        note="AssertionError: did not raise TypeError",
    )
    return Comparison(
        function="shop.carts:totals",
        verdict="rejected",
        reasons=(
            Reason(code="low-coverage", text="the tests reach 41 % of it", rejects=False),
            Reason(code="behaviour-differs", text="2 of 59 cases differ"),
        ),
        behaviour=Behaviour(
            verdict="different",
            cases=(*same_cases(57), raised, shrunk),
            side_effects=(
                ValueDifference(
                    path="random.getstate()",
                    original="as before",
                    candidate="changed",
                    kind="value",
                ),
            ),
        ),
        speed=Speed(verdict="not-measured", threshold=0.05),
        diff=diff(),
        python="CPython 3.12.1",
        isolation=ISOLATION,
    )


def slower() -> Comparison:
    return Comparison(
        function="shop.carts:totals",
        verdict="rejected",
        reasons=(Reason(code="slower", text="it takes 1.6 times as long"),),
        behaviour=Behaviour(verdict="same", cases=same_cases(3)),
        speed=Speed(
            verdict="slower",
            threshold=0.05,
            speedup=Interval(low=0.58, mid=0.61, high=0.64),
            cases=speed_cases(40, 0.61),
            estimates=estimates(8, 0.61),
            processes=16,
            rounds=90,
            seconds=1.1,
        ),
    )


def undecided(low: float = 0.97, high: float = 1.12) -> Comparison:
    """As when the machine is too loaded, with tests of very unlike gains."""
    return Comparison(
        function="shop.carts:totals",
        verdict="rejected",
        reasons=(Reason(code="undecided", text="the interval spans the threshold"),),
        behaviour=Behaviour(verdict="same", cases=same_cases(1)),
        speed=Speed(
            verdict="undecided",
            threshold=0.05,
            speedup=Interval(low=low, mid=math.sqrt(low * high), high=high),
            cases=(
                SpeedCase(name="a", original_ns=40, candidate_ns=0.3, speedup=around(133.0, 0.5)),
                SpeedCase(name="b", original_ns=2e9, candidate_ns=2e9, speedup=around(1.0, 0.004)),
                SpeedCase(name="c", original_ns=5e3, candidate_ns=9e5, speedup=around(0.0055)),
            ),
            estimates=(0.9, 1.01, 1.2, 1.05),
            processes=8,
            rounds=12,
            seconds=10.0,
            method="loops",
        ),
    )


def broken() -> Comparison:
    """It never ran."""
    return Comparison(
        function="shop.carts:totals",
        verdict="rejected",
        reasons=(Reason(code="does-not-parse", text="line 3: '(' was never closed"),),
    )


def unproved() -> Comparison:
    return Comparison(
        function="shop.carts:Cart.total",
        verdict="rejected",
        reasons=(Reason(code="not-called", text="no test calls the function"),),
        behaviour=Behaviour(verdict="unproved"),
        coverage=Coverage(
            threshold=0.6,
            original=VersionCoverage(
                lines=4,
                lines_covered=1,
                branches=0,
                branches_covered=0,
                missing_lines=(8, 9, 10, 14),
            ),
            candidate=VersionCoverage(lines=0, lines_covered=0, branches=0, branches_covered=0),
        ),
    )


def not_finite() -> Comparison:
    """Figures as a broken clock gives them."""
    nan, inf = float("nan"), float("inf")
    unknown = Interval(low=nan, mid=nan, high=nan)
    return Comparison(
        function="f:g",
        verdict="rejected",
        speed=Speed(
            verdict="undecided",
            threshold=0.05,
            speedup=Interval(low=0.0, mid=2.0, high=inf),
            cases=(
                SpeedCase(name="a", original_ns=nan, candidate_ns=inf, speedup=unknown),
                SpeedCase(
                    name="b",
                    original_ns=1,
                    candidate_ns=0,
                    speedup=Interval(low=1, mid=inf, high=inf),
                ),
                SpeedCase(
                    name="c", original_ns=0, candidate_ns=0, speedup=Interval(low=-1, mid=0, high=0)
                ),
            ),
            estimates=(nan, inf, 0.0, -1.0, 2.0, 2.0),
        ),
        part_seconds={"speed": inf},
    )


def hostile() -> Comparison:
    """All that a project or a candidate can put into words of its own."""
    bad, long = HOSTILE + "\udc80\r\n\t", HOSTILE + ENDLESS
    difference = ValueDifference(path=bad, original=long + "1", candidate=long + "2", kind="value")
    source = f"def f():\n    return {HOSTILE!r}\n"
    lines = (
        LineTime(line=1, hits=2, time_ns=50, text=long),
        LineTime(line=2, hits=1, time_ns=9, text=bad),
    )
    return Comparison(
        function=bad,
        verdict="rejected",
        reasons=(Reason(code="behaviour-differs", text=long),),
        behaviour=Behaviour(
            verdict="different",
            cases=(
                BehaviourCase(
                    name=bad + ENDLESS,
                    test_type=TestType.REPLAY_TEST,
                    outcome="different",
                    input=long,
                    differences=(difference,) * 30,
                    note=bad,
                ),
                BehaviourCase(
                    name=bad, test_type=TestType.REPLAY_TEST, outcome="dropped", note=long
                ),
                BehaviourCase(
                    name=long, test_type=TestType.INIT_STATE_TEST, outcome="not-comparable"
                ),
            ),
            side_effects=(difference,),
        ),
        speed=Speed(
            verdict="faster",
            threshold=0.05,
            speedup=around(2.0),
            estimates=(2.0, 2.1),
            cases=(
                SpeedCase(name=long, original_ns=10, candidate_ns=5, speedup=around(2.0)),
                SpeedCase(name=bad, original_ns=10, candidate_ns=5, speedup=around(2.0)),
            ),
            notes=(bad, long),
            processes=4,
        ),
        coverage=Coverage(
            threshold=0.6,
            original=VersionCoverage(
                lines=999,
                lines_covered=1,
                branches=2,
                branches_covered=0,
                missing_lines=tuple(range(1, 999, 2)),
            ),
            candidate=VersionCoverage(lines=9, lines_covered=1, branches=2, branches_covered=0),
        ),
        line_profile=LineProfile(original=lines, candidate=lines),
        diff=diff(source, source + bad + "\n" + long + "\n") + bad,
        python=bad,
        part_seconds={bad: 1.0},
        notes=(bad, long),
    )


SAMPLES = {
    make.__name__: make
    for make in (
        accepted,
        differs,
        slower,
        undecided,
        broken,
        unproved,
        not_finite,
        hostile,
    )
}
