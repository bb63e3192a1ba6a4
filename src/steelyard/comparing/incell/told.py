"""What runs of a comparison are asked for, and what they tell: each record once, for both sides."""

from __future__ import annotations

from dataclasses import dataclass, field

from steelyard.project_runs.incell.records import Count
from steelyard.project_runs.incell.sessions import Session

Change = tuple[str, str]
"""What something held before and after."""
State = dict[str, tuple[bytes, bytes]]
"""By name of the project's modules and classes, what it held before and after, if that changed."""

# ------------------------------------------------------------------------------ tests and calls


@dataclass(frozen=True)
class RunTests:
    """A session of the tests around the recorded function."""

    session: Session
    docstring: str
    """The original's; a candidate without one gets it, as it may hold tests."""
    test_timeout_s: float
    keeps_arguments: bool
    """Whether calls are told so that they can be made again."""


@dataclass(frozen=True)
class RunOutside:
    """A session of tests with nothing of ours in their way."""

    session: Session


@dataclass(frozen=True)
class RunScript:
    """A script of the project, with its arguments."""

    script: list[str]


@dataclass(frozen=True)
class RecordedCall:
    """One outermost call of the function in a test or a script, as snapshots."""

    test: str
    iteration: Count
    how: str
    """`returned`, `raised`, `closed` or `unfinished`."""
    before: bytes
    after: bytes
    items: list[str]
    """For a generator, a digest of all there was when it gave each item."""
    first: bytes
    """For a generator, all there was when it gave its first item; else empty."""
    state: State
    said: dict[str, str]
    """`awaits`: how often it gave way to others, and with how many tasks, if it was awaited."""
    call: bytes | None
    """The call, pickled, if it can be made again and has not been told before."""


@dataclass(frozen=True)
class MethodCall:
    """A call of a method of an object like the function's arguments, in a test."""

    call: bytes
    """Pickled: the object's class, the method's name, its other arguments."""


@dataclass(frozen=True)
class TestDone:
    """A test is over."""

    __test__ = False

    test: str
    passed: bool
    skipped: bool
    why: str
    said: dict[str, str]
    """What it wrote, logged and warned of, by kind: `stdout`, `stderr`, `log`, `warnings`."""
    calls: Count


@dataclass(frozen=True)
class TestsDone:
    """All tests are over."""

    __test__ = False

    changes: dict[str, Change]
    """What is different in the world around, files too."""
    sys_path: list[str]
    modules: list[str]
    """That the session had to load, in order."""
    own: list[str]
    """Those of the project."""
    pid: Count
    watched: list[str]
    """The names in modules and classes of the project whose data was looked at."""
    address_bytes: Count
    """The most that the process had mapped at once."""


@dataclass(frozen=True)
class Passed:
    """A test that passes with nothing of ours in its way."""

    test: str


@dataclass(frozen=True)
class MakeCalls:
    """Calls that are made twice each, one after the other."""

    calls: list[bytes]
    call_timeout_s: float
    more: bool
    """Whether they are made once more under other conditions."""
    pairs: list[tuple[Count, Count]] | None
    """Places of calls, and of those whose arguments their objects get; None: chosen there."""
    places: list[Count]
    """Of calls that are made in other worlds, with those that ask for what hangs on them."""
    tables: list[str] = field(default_factory=list)
    """Names of the function's module whose dicts, lists and sets other code changes."""


@dataclass(frozen=True)
class CallBegun:
    """A call is about to be made."""

    place: Count


@dataclass(frozen=True)
class CallMade:
    """One call that was made by itself."""

    place: Count
    again: bool
    before: bytes
    """Empty if it came again."""
    after: bytes
    said: dict[str, str]
    state: State
    raised: str
    """The type of the exception; empty if it returned."""


@dataclass(frozen=True)
class CallChanged:
    """A call made once more, with the arguments of another call in the same objects."""

    place: Count
    donor: Count
    before: bytes
    after: bytes
    said: dict[str, str]
    state: State


@dataclass(frozen=True)
class CallElsewhere:
    """A call made once more in another world."""

    place: Count
    after: bytes
    said: dict[str, str]
    state: State


@dataclass(frozen=True)
class CallTabled:
    """A call made once more while tables of its module have other contents."""

    place: Count
    after: bytes
    said: dict[str, str]
    state: State


@dataclass(frozen=True)
class CallsDone:
    """All calls were made."""

    changes: dict[str, Change]
    pid: Count
    watched: list[str]


# ------------------------------------------------------------------------------------ new calls


@dataclass(frozen=True)
class BothVersions:
    """The files in which the versions differ, as each has them; None: there is no such file."""

    original: dict[str, bytes | None]
    candidate: dict[str, bytes | None]


@dataclass(frozen=True)
class MakeUpCalls:
    """Calls like the recorded ones, and others by annotations."""

    tests: list[str]
    """Where each of the calls was recorded."""
    calls: list[bytes]
    methods: list[bytes]
    """Calls that tests make of methods of the arguments."""
    count: Count
    seed: int
    seconds: float
    call_seconds: float


@dataclass(frozen=True)
class PlantLiterals:
    """Calls that hold literals, each as Python writes it."""

    calls: list[bytes]
    literals: list[str]
    count: Count
    seed: int
    call_seconds: float


@dataclass(frozen=True)
class SolvePaths:
    """Calls that take other paths, worked out by a solver."""

    versions: BothVersions
    calls: list[bytes]
    count: Count
    seconds: float
    call_seconds: float


@dataclass(frozen=True)
class ShrinkCall:
    """The smallest call on which both versions still differ."""

    versions: BothVersions
    call: bytes
    seconds: float
    most_tries: Count


@dataclass(frozen=True)
class NewCall:
    """A call, pickled."""

    call: bytes
    is_known: bool = True
    """Whether its arguments are of kinds that annotations or recorded calls have."""
    shown: str = ""
    """The argument of a neighbour kind, as one would write it."""


@dataclass(frozen=True)
class Notes:
    """What people should know."""

    notes: list[str]


# ----------------------------------------------------------------------------------- what it uses


@dataclass(frozen=True)
class CountLines:
    """The function's lines that tests and calls reach."""

    session: Session
    calls: list[bytes]


@dataclass(frozen=True)
class FunctionCoverage:
    """The lines and branches of the function that were reached."""

    lines: Count
    lines_covered: Count
    branches: Count
    branches_covered: Count
    missing: list[Count]


@dataclass(frozen=True)
class MeasureCalls:
    """Memory of calls, and where in the function time goes."""

    calls: list[bytes]


@dataclass(frozen=True)
class CallMemory:
    """The memory of the costliest call."""

    peak_bytes: Count
    blocks: Count


@dataclass(frozen=True)
class LineTimes:
    """Each line of the function: its number, hits, ns and text."""

    lines: list[tuple[Count, Count, Count, str]]


@dataclass(frozen=True)
class NoLineTimes:
    """The profiler of lines cannot be loaded."""


# ------------------------------------------------------------------------------------------ timing


@dataclass(frozen=True)
class TimeCalls:
    """Calls by case, to be timed in both versions, each process one estimate."""

    versions: BothVersions
    cases: list[list[bytes]]
    made_up: list[bytes]
    """Calls that only heat the code, and show what others cost."""
    first: Count
    """The number of the first process."""
    processes: Count
    seconds: float
    counts_others: bool
    """Whether the time of other processes in the cell can be counted."""


@dataclass(frozen=True)
class PairTimes:
    """One process that timed both versions. Ratios are logarithms of original over candidate."""

    swapped: bool
    """Whether the candidate was loaded first."""
    rounds: Count
    forgetting: bool
    """Whether both cache results, and their caches were emptied."""
    overall: float
    wall: float | None
    """The ratio by the clock on the wall; None if neither version waits."""
    import_ns: tuple[Count, Count]
    first_ns: list[tuple[Count, Count]]
    """By case: its calls when they came for the first time."""
    generated: list[tuple[str, float, float]]
    """Generated calls: the types of their arguments, and both versions' times in ns."""
    cases: list[tuple[float, float]]
    """By case: both versions' times of its calls in ns."""
    call_ns: float
    """The original's time of one call of the cases."""


@dataclass(frozen=True)
class ApartTimes:
    """A pair of processes, one a version, timed from outside."""

    overall: float
    elsewhere: tuple[float, float]
    """CPU time of other threads and processes, as a share of the calls' own."""
    timed_ns: tuple[Count, Count]
    untimed_ns: tuple[int, int]


@dataclass(frozen=True)
class OddResult:
    """Both versions gave something else while they were timed."""

    case: Count
    original: bytes
    candidate: bytes


@dataclass(frozen=True)
class Lost:
    """A process that timed is gone."""

    how: str


@dataclass(frozen=True)
class LoopTests:
    """The tests again and again, each call timed within them."""

    session: Session
    docstring: str
    loops: Count
    """At most so many."""
    looks_at: list[int] = field(default_factory=list)
    """Loops in which results are looked at."""
    counts_others: bool = False
    calling: list[str] | None = None
    """The tests that call the function; None: all are run."""


@dataclass(frozen=True)
class LoopedTest:
    """One test in one loop: the CPU time in ns of each call."""

    test: str
    passed: bool
    times_ns: list[Count]
    new: list[bool]
    """If its calls were looked at, whether such arguments had not been seen before."""
    given: list[bytes]
    """What came out of these calls, arguments with it; empty where that is too much."""


@dataclass(frozen=True)
class Loop:
    """One loop over all tests."""

    index: Count
    tests: list[LoopedTest]


@dataclass(frozen=True)
class LoopsDone:
    """All loops are over."""

    elsewhere_ns: int
    """CPU time of other threads and processes meanwhile."""
    timed_ns: Count
