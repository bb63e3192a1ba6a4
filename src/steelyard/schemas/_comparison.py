"""A rewritten function beside its original: does it behave the same, and is it really faster?"""

from enum import IntEnum
from typing import ClassVar, Literal

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._report import Report


class TestType(IntEnum):
    """Where a test comes from."""

    __test__ = False  # the name makes pytest take it for a test class

    EXISTING_UNIT_TEST = 1
    INSPIRED_REGRESSION = 2
    GENERATED_REGRESSION = 3
    REPLAY_TEST = 4
    CONCOLIC_COVERAGE_TEST = 5
    INIT_STATE_TEST = 6


class InvocationId(Record):
    """Which call of the function, in which test."""

    test_module: str
    """Its file, relative to the project; empty for calls without a test around them."""
    test_class: str = ""
    test_function: str = ""
    """With its parameters, as pytest names it; for a call without a test, what it was made by."""
    function: str
    """`pkg.module:qualified.name`."""
    iteration: int
    """Counts the calls of the function in one test, from 0."""

    @property
    def test(self) -> str:
        """The test's name, as pytest writes it."""
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
    """Whether its test passed, as far as it went."""
    runtime_ns: int | None
    """CPU time of the call; None where it was not timed."""
    return_value: str | None
    """What it returned or raised, shortened for people; None where it was not recorded."""
    test_type: TestType
    timed_out: bool = False

    @property
    def unique_invocation_loop_id(self) -> str:
        """Names the call among all of a run."""
        return f"{self.loop_index}:{self.id}"


class ValueDifference(Record):
    """One place where two values differ."""

    path: str
    """Such as `result[3].price` or `arguments.items[0]`."""
    original: str
    """What stands there, in short; empty where there is nothing."""
    candidate: str
    kind: Literal["value", "type", "missing", "extra", "order", "aliasing", "not-comparable"]
    """`missing` and `extra`: the candidate's value has less or more. `aliasing`: the same object
    in one, objects of their own in the other. `not-comparable`: nothing can be said."""

    def __str__(self) -> str:
        if self.kind == "not-comparable":
            return f"{self.path}: {self.original or self.candidate} cannot be compared"
        if self.kind == "aliasing":
            return (
                f"{self.path} is {self.candidate} in the candidate, {self.original} in the original"
            )
        return f"{self.path}: {self.original or 'nothing'} != {self.candidate or 'nothing'}"


class BehaviourCase(Record):
    """One test or call, run with both versions."""

    name: str
    """The test's name as pytest writes it, or `replay 3`, `generated 17`, `concolic 2`."""
    test_type: TestType
    outcome: Literal["same", "different", "not-comparable", "dropped"]
    """`dropped`: it says nothing, as it is flaky or fails with the original too."""
    calls: int = 0
    """How often it calls the function."""
    input: str = ""
    """The call that differs, in short (shrunk where it could be); empty where none does."""
    differences: tuple[ValueDifference, ...] = ()
    note: str = ""
    """Why it was dropped, or how the candidate failed; one line."""


class Behaviour(Record):
    """What both versions did."""

    verdict: Literal["same", "different", "unproved"]
    """`unproved`: nothing differed, but nothing could be compared either."""
    cases: tuple[BehaviourCase, ...] = ()
    side_effects: tuple[ValueDifference, ...] = ()
    """What they did to the world around: patched functions, environment, random states, files."""

    def count(self, outcome: str, test_type: TestType | None = None) -> int:
        """How many cases came out so, of one type or of all."""
        return sum(
            case.outcome == outcome and test_type in (None, case.test_type) for case in self.cases
        )


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
    """Time of the original over the candidate's: 1.05 is 5 % faster."""


class Speed(Record):
    """How long both versions take."""

    verdict: Literal["faster", "slower", "same", "undecided", "not-measured"]
    """`same`: within the threshold, either way."""
    threshold: float
    """The gain that counts: 0.05 is 5 %. A claim of `faster` has its whole interval above it."""
    speedup: Interval | None = None
    """Over all cases together; None where nothing was measured."""
    cases: tuple[SpeedCase, ...] = ()
    estimates: tuple[float, ...] = ()
    """The speedup as each pair of processes saw it, in order."""
    method: Literal["paired", "in-test", "loops"] = "paired"
    """`paired`: interleaved calls in pairs of processes. `in-test`: within the tests, as the
    arguments cannot be carried out of them. `loops`: best of many loops, one version after the
    other; its claims have no known rate of error."""
    processes: int = 0
    rounds: int = 0
    seconds: float = 0.0
    wall_speedup: float | None = None
    """By the clock on the wall, for functions that wait; without an interval."""
    import_ms: tuple[float, float] | None = None
    """CPU time of importing the module: original, candidate."""
    notes: tuple[str, ...] = ()


class VersionMemory(Record):
    """What one call of the costliest case takes."""

    peak_bytes: int
    """Most Python memory at once, beyond what was there before."""
    allocated_blocks: int
    """Still allocated when it returned."""


class MemoryUse(Record):
    """Memory of both versions, over the same calls."""

    original: VersionMemory
    candidate: VersionMemory


class VersionCoverage(Record):
    """What the tests reach of one version of the function."""

    lines: int
    lines_covered: int
    branches: int
    branches_covered: int
    missing_lines: tuple[int, ...] = ()
    """In the module's file."""

    @property
    def share(self) -> float:
        """Lines and branches reached, of all, from 0 to 1."""
        total = self.lines + self.branches
        return (self.lines_covered + self.branches_covered) / total if total else 1.0


class Coverage(Record):
    """What the tests reach of both versions."""

    threshold: float
    original: VersionCoverage
    candidate: VersionCoverage

    @property
    def enough(self) -> bool:
        """Whether both reach the threshold."""
        return min(self.original.share, self.candidate.share) >= self.threshold


class LineTime(Record):
    """One line of a function, as a line profiler saw it."""

    line: int
    """In the module's file."""
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
    "changes-others",
    "slower-import",
]
"""`tampers`: it reaches for the harness, the clock or the interpreter's internals.
`remembers-calls`: it is faster only where the same call comes again. `skips-timed-work`: its
results differ where it is timed. `works-elsewhere`: it works on in other threads or processes.
`not-called`: no test calls the function. `tests-dropped`: some tests say nothing. `tests-only`: no
call could be made again by itself. `private-state`: other data where only the
function reads it. `changes-others`: it changes other functions, too, which are not compared."""


class Reason(Record):
    """One line of the verdict."""

    code: ReasonCode
    text: str
    """One sentence for people, with the evidence."""
    rejects: bool = True
    """Whether it alone rejects the candidate; else it is a warning."""


class Comparison(Report):
    """A candidate beside its original, with all that the verdict rests on."""

    derived: ClassVar[tuple[str, ...]] = ("passed", "accepted")

    function: str
    """`pkg.module:qualified.name`."""
    verdict: Literal["accepted", "rejected"]
    reasons: tuple[Reason, ...] = ()
    """Those that reject first; empty where nothing speaks against it."""
    behaviour: Behaviour | None = None
    """None where the candidate never ran."""
    speed: Speed | None = None
    memory: MemoryUse | None = None
    coverage: Coverage | None = None
    line_profile: LineProfile | None = None
    diff: str = ""
    """From the original's module to the candidate's, unified."""
    python: str = ""
    """The interpreter that ran the project, with its version."""
    part_seconds: dict[str, float] = Field(default_factory=dict)
    """Duration of each part, by name."""

    @property
    def accepted(self) -> bool:
        """Whether to take it."""
        return self.verdict == "accepted"

    @property
    def passed(self) -> bool:
        """Tell whether the candidate is accepted."""
        return self.accepted

    def __str__(self) -> str:
        lines = [f"{self.verdict}: {self.function}"]
        if self.speed is not None and self.speed.speedup is not None:
            gain = self.speed.speedup
            lines.append(f"{gain.mid:.3g} times as fast ({gain.low:.3g} to {gain.high:.3g})")
        lines += [f"{reason.code}: {reason.text}" for reason in self.reasons]
        return "\n".join(lines)
