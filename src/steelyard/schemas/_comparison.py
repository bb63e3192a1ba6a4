"""The comparison of a rewritten function with its original: behaviour and speed."""

from enum import IntEnum
from typing import ClassVar, Literal, get_args

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._report import Report


class TestType(IntEnum):
    """The origin of a test."""

    __test__ = False  # the name makes pytest take it for a test class

    EXISTING_UNIT_TEST = 1
    INSPIRED_REGRESSION = 2
    GENERATED_REGRESSION = 3
    REPLAY_TEST = 4
    CONCOLIC_COVERAGE_TEST = 5
    INIT_STATE_TEST = 6


class InvocationId(Record):
    """A call of the function in a test."""

    test_module: str
    """The test's file, relative to the project; empty for calls outside tests."""
    test_class: str = ""
    test_function: str = ""
    """The name with its parameters, as in pytest; for a call outside tests, its generator."""
    function: str
    """`pkg.module:qualified.name`."""
    iteration: int
    """Number of the call in its test, from 0."""

    @property
    def test(self) -> str:
        """The test's name, as in pytest."""
        return "::".join(
            part for part in (self.test_module, self.test_class, self.test_function) if part
        )

    def __str__(self) -> str:
        return f"{self.test}:{self.function}:{self.iteration}"


class FunctionTestInvocation(Record):
    """One call of the function in one test, in one loop."""

    loop_index: int = Field(ge=1)
    id: InvocationId
    did_pass: bool
    """True if its test passed."""
    runtime_ns: int | None
    """CPU time of the call; None if it was not timed."""
    return_value: str | None
    """The returned value or raised exception, shortened; None if it was not recorded."""
    test_type: TestType
    timed_out: bool = False

    @property
    def unique_invocation_loop_id(self) -> str:
        """The call's unique name in a run."""
        return f"{self.loop_index}:{self.id}"


class ValueDifference(Record):
    """One difference of two values."""

    path: str
    """Such as `result[3].price` or `arguments.items[0]`."""
    original: str
    """The value at `path`, shortened; empty if there is none."""
    candidate: str
    kind: Literal["value", "type", "missing", "extra", "order", "aliasing", "not-comparable"]
    """`missing` and `extra`: the candidate's value has less or more. `aliasing`: one object in one
    version, separate objects in the other. `not-comparable`: the values cannot be compared."""

    def __str__(self) -> str:
        if self.kind == "not-comparable":
            return f"{self.path}: {self.original or self.candidate} cannot be compared"
        if self.kind == "aliasing":
            return (
                f"{self.path} is {self.candidate} in the candidate, {self.original} in the original"
            )
        return f"{self.path}: {self.original or 'nothing'} != {self.candidate or 'nothing'}"


CaseOutcome = Literal["same", "different", "not-comparable", "dropped"]


class BehaviourCase(Record):
    """One test or call, run with both versions."""

    name: str
    """The test's name as in pytest, or `replay 3`, `generated 17`, `concolic 2`."""
    test_type: TestType
    outcome: CaseOutcome
    """`dropped`: not used, as it is flaky or fails with the original too."""
    calls: int = 0
    """Number of its calls of the function."""
    input: str = ""
    """The call that differs, shortened and, if possible, shrunk; empty if none differs."""
    differences: tuple[ValueDifference, ...] = ()
    note: str = ""
    """The reason why it was dropped, or the candidate's failure; one line."""


class Behaviour(Record):
    """The behaviour of both versions."""

    verdict: Literal["same", "different", "unproved"]
    """`unproved`: nothing differed, but nothing was comparable."""
    cases: tuple[BehaviourCase, ...] = ()
    side_effects: tuple[ValueDifference, ...] = ()
    """Differences in side effects: patched functions, environment, random states, files."""

    def count(self, outcome: str, test_type: TestType | None = None) -> int:
        """Return the number of cases with this outcome, of one type or of all."""
        return sum(
            case.outcome == outcome and test_type in (None, case.test_type) for case in self.cases
        )

    def counts(self) -> dict[TestType | None, dict[str, int]]:
        """Return the number of cases by type and outcome; None is the sum of several types."""
        types = sorted({case.test_type for case in self.cases})
        return {
            kind: {outcome: self.count(outcome, kind) for outcome in get_args(CaseOutcome)}
            for kind in (*types, *([None] if len(types) > 1 else []))
        }


class Interval(Record):
    """An estimate with its interval."""

    low: float
    mid: float
    high: float


class SpeedCase(Record):
    """One test's calls, timed with both versions."""

    name: str
    original_ns: float
    """CPU time of all its calls, one after the other."""
    candidate_ns: float
    speedup: Interval
    """Time of the original divided by the candidate's: 1.05 is 5 % faster."""


class Speed(Record):
    """The speed of both versions."""

    verdict: Literal["faster", "slower", "same", "undecided", "not-measured"]
    """`same`: within the threshold in both directions."""
    threshold: float
    """The smallest gain that counts: 0.05 is 5 %. `faster` has its whole interval above it."""
    speedup: Interval | None = None
    """Speedup over all cases; None if nothing was measured."""
    cases: tuple[SpeedCase, ...] = ()
    kinds: tuple[SpeedCase, ...] = ()
    """Generated calls by the types of their arguments; they do not count in `speedup`."""
    estimates: tuple[float, ...] = ()
    """The speedup in each pair of processes, in order."""
    method: Literal["paired", "in-test", "loops"] = "paired"
    """`paired`: interleaved calls in pairs of processes. `in-test`: within the tests, as the
    arguments cannot leave them. `loops`: best of many loops, one version after the other; its
    error rate is unknown."""
    processes: int = 0
    rounds: int = 0
    seconds: float = 0.0
    wall_speedup: float | None = None
    """Speedup in wall time, for functions that wait; without an interval."""
    import_ms: tuple[float, float] | None = None
    """CPU time of importing the module: original, candidate."""
    notes: tuple[str, ...] = ()


class VersionMemory(Record):
    """Memory of one call of the most expensive case."""

    peak_bytes: int
    """Peak of Python memory above the memory before the call."""
    allocated_blocks: int
    """Blocks still allocated when the call returned."""


class MemoryUse(Record):
    """Memory of both versions, over the same calls."""

    original: VersionMemory
    candidate: VersionMemory


class VersionCoverage(Record):
    """The tests' coverage of one version of the function."""

    lines: int
    lines_covered: int
    branches: int
    branches_covered: int
    missing_lines: tuple[int, ...] = ()
    """Line numbers in the module's file."""

    @property
    def share(self) -> float:
        """Share of lines and branches that the tests reach, from 0 to 1."""
        total = self.lines + self.branches
        return (self.lines_covered + self.branches_covered) / total if total else 1.0


class Coverage(Record):
    """The tests' coverage of both versions."""

    threshold: float
    original: VersionCoverage
    candidate: VersionCoverage

    @property
    def enough(self) -> bool:
        """True if both reach the threshold."""
        return min(self.original.share, self.candidate.share) >= self.threshold


class LineTime(Record):
    """One line of a function, in a line profile."""

    line: int
    """Line number in the module's file."""
    hits: int
    time_ns: int
    text: str


class LineProfile(Record):
    """Line by line times of both versions, over the same calls."""

    original: tuple[LineTime, ...]
    candidate: tuple[LineTime, ...]


ReasonCode = Literal[
    "does-not-parse",
    "function-missing",
    "signature-changed",
    "does-not-import",
    "test-fails",
    "behaviour-differs",
    "not-comparable",
    "crashed",
    "timed-out",
    "memory-limit",
    "tampers",
    "remembers-calls",
    "skips-timed-work",
    "works-elsewhere",
    "slower",
    "not-faster",
    "undecided",
    "more-memory",
    "not-called",
    "too-few-tests",
    "low-coverage",
    "tests-dropped",
    "tests-only",
    "private-state",
    "awaits-differ",
    "changes-others",
    "slower-import",
]
"""`tampers`: it uses the harness, the clock or the interpreter's internals.
`remembers-calls`: it is faster only if a call is repeated. `skips-timed-work`: its results differ
when it is timed. `works-elsewhere`: it continues to work in other threads or processes.
`not-called`: no test calls the function. `tests-dropped`: some tests were dropped. `tests-only`:
no call could be repeated outside its test. `private-state`: data differ that only the function
reads. `awaits-differ`: it awaits in another order.
`changes-others`: it also changes other functions, which are not compared."""


class Reason(Record):
    """One line of the verdict."""

    code: ReasonCode
    text: str
    """One sentence for people, with the evidence."""
    rejects: bool = True
    """True if it rejects the candidate by itself; else it is a warning."""


class Comparison(Report):
    """A candidate compared with its original, and the evidence for the verdict."""

    derived: ClassVar[tuple[str, ...]] = ("passed", "accepted")

    function: str
    """`pkg.module:qualified.name`."""
    verdict: Literal["accepted", "rejected"]
    reasons: tuple[Reason, ...] = ()
    """Reasons that reject come first; empty if there are no objections."""
    behaviour: Behaviour | None = None
    """None if the candidate never ran."""
    speed: Speed | None = None
    memory: MemoryUse | None = None
    coverage: Coverage | None = None
    line_profile: LineProfile | None = None
    diff: str = ""
    """Unified diff from the original's module to the candidate's."""
    python: str = ""
    """The interpreter that ran the project, with its version."""
    part_seconds: dict[str, float] = Field(default_factory=dict)
    """Duration of each part, by name."""

    @property
    def accepted(self) -> bool:
        """True if the candidate is accepted."""
        return self.verdict == "accepted"

    @property
    def passed(self) -> bool:
        """True if the candidate is accepted, as `accepted`."""
        return self.accepted

    def _summary(self) -> str:
        lines = [f"{self.verdict}: {self.function}"]
        if self.speed is not None and self.speed.speedup is not None:
            gain = self.speed.speedup
            lines.append(f"{gain.mid:.3g} times as fast ({gain.low:.3g} to {gain.high:.3g})")
        lines += [f"{reason.code}: {reason.text}" for reason in self.reasons]
        return "\n".join(lines)
