"""The bundled examples: the models of `examples.toml`, and how a program is judged."""

import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

import steelyard
from steelyard.errors import LanguageError, UsageError
from steelyard.judging import RunningOptions, as_entry, judge_of, load_tests
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, SolutionLanguage, Task, Verdict, VerifyResult
from steelyard.toolchains import find_toolchain, read_source

TABLE = "examples.toml"
_SLOWER, _FASTER = 10.0, 0.1
"""Factors on time limits, to find out if only the machine's speed is to blame for a verdict."""


class ExampleProgram(BaseModel, frozen=True, extra="forbid"):
    """A program, and the verdicts that its cases must get together."""

    file: Path
    language: str
    verdicts: frozenset[Verdict]
    time_limit_ms: int | None = None
    memory_limit_mib: int | None = None
    first: str = ""
    """What the short demo calls it; empty if the short demo leaves it out."""


class ProblemExample(BaseModel, frozen=True, extra="forbid"):
    """A problem with its tests and programs."""

    folder: Path
    tests: Path
    entry: str = "stdio"
    mode: str = "exact"
    abs_tol: float | None = None
    rel_tol: float | None = None
    time_limit_ms: int
    memory_limit_mib: int
    programs: tuple[ExampleProgram, ...]


class ProfileExample(BaseModel, frozen=True, extra="forbid"):
    """A program, and the class of its growth."""

    program: Path
    generator: Path
    max_n: int
    growth: str


class CompareExample(BaseModel, frozen=True, extra="forbid"):
    """A function of a project, and two rewritten ones."""

    root: Path
    function: str
    accepted: Path
    rejected: Path


class SolveExample(BaseModel, frozen=True, extra="forbid"):
    """A problem with a script of replies, and how solving it ends."""

    folder: Path
    language: SolutionLanguage
    stop: str


class AuthorExample(BaseModel, frozen=True, extra="forbid"):
    """A request with a script of replies, and how authoring ends."""

    folder: Path
    stop: str


class Examples(BaseModel, frozen=True, extra="forbid"):
    """All examples of a folder."""

    problems: tuple[ProblemExample, ...] = Field(alias="problem")
    profiled: ProfileExample | None = None
    compared: CompareExample | None = None
    solved: SolveExample | None = None
    authored: AuthorExample | None = None

    def programs(self) -> Iterator[tuple[ProblemExample, ExampleProgram]]:
        """Yield each program with its problem."""
        return ((problem, program) for problem in self.problems for program in problem.programs)


@dataclass(frozen=True)
class JudgeExample:
    """A program with its result."""

    program: ExampleProgram
    result: VerifyResult
    machine: str = ""
    """The fact about the machine that explains verdicts other than expected; empty if none does."""

    @property
    def as_expected(self) -> bool:
        """True if the verdicts are those that the program must get."""
        return _verdicts(self.result) == self.program.verdicts

    @property
    def must_be(self) -> str:
        """The expected verdicts."""
        return " ".join(sorted(self.program.verdicts))


def read_examples(folder: Path | None) -> tuple[Path, Examples]:
    """Read the table of a folder, or of the bundled examples.

    Raises:
        UsageError: if the table is missing or cannot be read.
    """
    root = folder or _bundled()
    file = root / TABLE
    try:
        return root, Examples.model_validate(tomllib.loads(file.read_text()))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}; name another folder") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise UsageError(f"{file}: {key}: {first['msg']}") from error


def judge_example(
    root: Path, problem: ProblemExample, program: ExampleProgram, pool: CellPool
) -> JudgeExample | None:
    """Judge a program; None if this machine lacks its language.

    If the verdicts are not as expected, the program is judged again with other time limits.

    Raises:
        UsageError: if a file of the example cannot be read.
    """
    entry = as_entry(problem.entry)
    task = Task(
        id=str(problem.folder),
        prompt="",
        entry=problem.entry,
        match_mode=problem.mode,
        abs_tol=problem.abs_tol,
        rel_tol=problem.rel_tol,
    )
    suite = load_tests(root / problem.folder / problem.tests, entry=entry)
    source, _ = read_source(root / problem.folder / program.file, program.language)
    try:
        find_toolchain(program.language)
    except LanguageError:
        return None

    def judged(factor: float = 1.0) -> VerifyResult:
        limits = Limits(
            cpu_ms=max(1, round((program.time_limit_ms or problem.time_limit_ms) * factor)),
            memory_mib=program.memory_limit_mib or problem.memory_limit_mib,
        )
        options = RunningOptions(pool=pool, limits=limits)
        return judge_of(task, options, suite=suite, language=program.language).judge(source)

    result = judged()
    if _verdicts(result) == program.verdicts:
        return JudgeExample(program, result)
    if _verdicts(judged(_SLOWER)) == program.verdicts:
        fact = f"slow or busy machine ({_load()}): as expected with ten times the limit"
    elif _verdicts(judged(_FASTER)) == program.verdicts:
        fact = "fast machine: as expected with a tenth of the limit"
    elif Verdict.MLE in program.verdicts and pool.isolation.missing:
        fact = f"isolation is {pool.isolation.level} ({'; '.join(pool.isolation.missing)})"
    else:
        fact = ""
    return JudgeExample(program, result, fact)


def _verdicts(result: VerifyResult) -> frozenset[Verdict]:
    return frozenset(case.verdict for case in result.cases)


def _load() -> str:
    return f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"


def _bundled() -> Path:
    """Return the examples of the checkout or of the installed package."""
    here = Path(__file__).resolve()
    folders = [here.parents[3] / "examples", here.parents[1] / "_examples"]
    folders += [Path(folder) / "_examples" for folder in steelyard.__path__]
    for root in folders:
        if (root / TABLE).is_file():
            return root
    raise UsageError("the examples are not installed; name the folder that holds them")
