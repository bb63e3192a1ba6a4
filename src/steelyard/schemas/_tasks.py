"""A data set's tasks with their tests, in one form for every format, and findings about them."""

import hashlib
from functools import cached_property
from typing import Annotated, Literal, get_args

from pydantic import Field, JsonValue, StringConstraints, field_validator

from steelyard.schemas._base import SCHEMA_VERSION, Day, Given, Record
from steelyard.schemas._program import Entry, EntryKind
from steelyard.schemas._solve import Bounds

Completion = Literal["program", "continuation", "expression", "arguments"]
"""What a sample is: a whole program; text that continues the task's `prompt` (or its
`starter_code`, where that is set); a Python expression, or the arguments of a call, which the tests
get by calling `answer`."""
SolutionLabel = Literal["right", "wrong", "slow", "hungry"]
"""`slow`: right on small inputs, and beyond the time limit on the largest. `hungry`: the same for
memory."""
Line = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class TestCase(Given):
    """One input with the output that is expected for it."""

    __test__ = False  # the name makes pytest take it for a test class

    input: bytes = Field(default=b"", repr=False)
    """Standard input, byte for byte; a `str` is taken as UTF-8. For the other entries, a call or
    assertions as the harness takes them."""
    expected: bytes = Field(default=b"", repr=False)
    """What the checker compares with: an output, a pattern, or a checker program's answer file."""
    name: str = ""
    category: str = ""
    timeout: Annotated[float, Field(gt=0, le=86_400)] | None = None
    """This case's own CPU limit in seconds; the verifier's `run_timeout` where it is None."""


class TestSuite(Given):
    """An ordered set of cases; every case has a name of its own."""

    __test__ = False

    cases: tuple[TestCase, ...] = ()
    entry_kind: EntryKind = "stdio"
    """What the cases are for: programs that are entered in this way."""
    source: str = ""
    """Where the cases were read from, for people."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all cases: equal digests mean equal tests."""
        total = hashlib.sha256(self.entry_kind.encode())
        for case in self.cases:
            fields = (
                case.input,
                case.expected,
                case.name.encode(),
                case.category.encode(),
                repr(case.timeout).encode(),
            )
            for field in fields:
                total.update(len(field).to_bytes(8, "little"))
                total.update(field)
        return total.hexdigest()

    def __len__(self) -> int:
        return len(self.cases)


class TaskSolution(Given):
    """A program that came with a task. It is a stranger's: it runs in cells only."""

    source: str = Field(repr=False)
    language: str = "python"
    label: SolutionLabel = "right"
    time_complexity: Line = ""
    """Claimed growth of time, such as `O(n log n)`; empty if nobody claims one."""
    memory_complexity: Line = ""
    note: str = ""


class TaskChecker(Given):
    """A program that decides on outputs. It is a stranger's: it runs in cells only."""

    source: str = Field(repr=False)
    language: str = "cpp"
    convention: str = "testlib"


class SizedTest(Given):
    """A large test in few words: the task's `input_generator` makes its input."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    n: int
    """The size that the generator is given."""
    seed: int
    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the text that the generator returns; `expected` belongs to no other input."""
    expected: JsonValue
    """As in `Task.tests`."""
    category: Line = "large"


class Provenance(Given):
    """The origin of a task."""

    file: str = ""
    """The file's name, without its folder."""
    row: int | None = None
    """From 1: the line, or the row of the table."""
    url: str = ""
    license: str = ""
    """As the source states it, such as `MIT` or `CC-BY-NC-4.0`; empty if it states none."""
    digest: str = ""
    """SHA-256 of the row as it was read."""


class RowFault(Record):
    """A row that holds no usable task, or a file that cannot be read. The rest is read."""

    file: str
    """The file's path, or the name of a data set on a hub."""
    row: int | None = None
    """From 1: the line, or the row of the table; None if the fault is in the whole file."""
    message: str

    def __str__(self) -> str:
        place = self.file if self.row is None else f"{self.file}:{self.row}"
        return f"{place}: {self.message}"


COMPARISON = (
    "match_mode",
    "abs_tol",
    "rel_tol",
    "sequences_alike",
    "one_item_lists",
    "ignore_case",
)
"""Fields of a task that say how outputs and values are compared; a checker decides by itself."""


class Task(Given):
    """One task: what is asked, the tests that decide it, and what else its source holds.

    A field that the source lacks keeps its default. Nothing is guessed.
    """

    id: Annotated[
        str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")
    ]
    """Unique in its data set, as the source spells it."""
    source: Line = ""
    """The data set, such as `humaneval`."""
    title: Line = ""
    prompt: str = Field(repr=False)
    """The statement; for a continuation, the code that a sample continues."""
    entry: str = "stdio"
    """As `judge` takes it: `stdio`, `function:NAME`, `class:NAME.METHOD`, `methods:NAME`,
    `asserts:NAME`."""
    form: Line = ""
    """The conventions of the source by which programs run, such as `apps` (see `FORMS`); empty for
    those of the entry alone."""
    language: str | None = None
    """The language of programs; None if the tests suit any."""
    completion: Completion = "program"
    starter_code: str = ""
    tests: tuple[dict[str, JsonValue], ...] = Field(default=(), repr=False)
    """Cases in the form that `load_tests` reads, such as `{"input", "expected"}`. The category
    `visible` marks those that the statement shows."""
    setup: str = Field(default="", repr=False)
    """For assertions: Python text that runs before each case that has no setup of its own."""
    ending: str = Field(default="", repr=False)
    """Text that follows every program: tests in the program's own language."""
    sized_tests: tuple[SizedTest, ...] = Field(default=(), repr=False)
    """Large tests that follow `tests` once their inputs are made (`with_sized_tests`)."""
    match_mode: str = "exact"
    abs_tol: float | None = None
    rel_tol: float | None = None
    sequences_alike: bool = False
    """For calls, a list equals a tuple with the same items."""
    one_item_lists: bool = False
    """For calls, an expected list of one item equals that item."""
    ignore_case: bool = False
    """For printed words and lines, `A` to `Z` equal `a` to `z`."""
    checker: TaskChecker | None = None
    time_limit_ms: int | None = Field(default=None, gt=0, le=3_600_000)
    """CPU time of one case; None if the source states none."""
    memory_limit_mib: int | None = Field(default=None, gt=0, le=1_048_576)
    input_bounds: Bounds = Field(default_factory=dict)
    input_generator: str | None = None
    """A Python module with `generate(n, seed)`, which returns the text of standard input, or the
    arguments of a call as JSON text. It is a stranger's: it runs in cells only."""
    solutions: tuple[TaskSolution, ...] = Field(default=(), repr=False)
    time_complexity: Line = ""
    """The growth that is asked for, such as `O(n)`."""
    memory_complexity: Line = ""
    difficulty: Line = ""
    tags: tuple[Line, ...] = ()
    group: Line = ""
    """Tasks of one contest or family share it: their results are not independent."""
    published: Day | None = None
    """The day since which models may have seen the task."""
    provenance: Provenance = Provenance()
    extra: dict[str, JsonValue] = Field(default_factory=dict, repr=False)
    """Further fields of the source, under its own names."""
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION

    @field_validator("entry")
    @classmethod
    def _is_entry(cls, text: str) -> str:
        Entry.parse(text)
        return text


FaultKind = Literal[
    "broken",
    "unavailable",
    "unsolvable",
    "flaky",
    "vacuous",
    "indifferent",
    "duplicate",
    "contaminated",
]
"""What makes a task useless as evidence:

`broken`        its tests or its checker cannot be used
`unavailable`   it needs a compiler, a header or a package that is missing here
`unsolvable`    none of its own solutions passes
`flaky`         a solution gets different verdicts in two runs
`vacuous`       a program that does nothing, or gives the same answer always, passes
`indifferent`   all of its own wrong programs pass
`duplicate`     an earlier task has the same statement and the same tests
`contaminated`  another data set has the same statement or the same tests
"""
WarningKind = Literal["disputed", "lenient", "weak", "margin", "similar"]
"""What a task can be used in spite of:

`disputed`  some of its own solutions fail
`lenient`   some of its own wrong, slow or hungry programs pass
`weak`      a program that does nothing, or gives the same answer always, passes many cases
`margin`    a right solution takes over half of a limit
`similar`   an earlier task has the same statement, or the same tests
"""
FAULTS: tuple[FaultKind, ...] = get_args(FaultKind)
WARNINGS: tuple[WarningKind, ...] = get_args(WarningKind)


class TaskFinding(Record):
    """One finding about a task."""

    kind: FaultKind | WarningKind
    message: str
    """One line for people."""


class CheckedTask(Record):
    """One task, with what its check has found."""

    id: str
    file: str = ""
    row: int | None = None
    solved: int = Field(default=0, ge=0)
    """Number of its own solutions that passed. 0 without a finding: none could be run."""
    findings: tuple[TaskFinding, ...] = ()
    """Faults before warnings."""

    @property
    def faulty(self) -> bool:
        """True if a finding is a fault."""
        return any(each.kind in FAULTS for each in self.findings)
