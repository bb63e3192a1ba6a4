"""`steelyard demo`: the programs under examples/, judged for real."""

import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel, Field, ValidationError
from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

import steelyard
from steelyard.cli._console import report_console
from steelyard.cli._progress import progress
from steelyard.cli._render import verdict_text
from steelyard.errors import LanguageError, UsageError
from steelyard.judging import Judge, as_entry, entry_checker, load_tests
from steelyard.sandbox import CellPool
from steelyard.schemas import Event, Limits, SolutionLanguage, TestSuite, Verdict, VerifyResult
from steelyard.toolchains import CompileCache, find_toolchain, read_source

__all__ = ["demo"]

_TABLE = "examples.toml"


class _Program(BaseModel, frozen=True, extra="forbid"):
    file: Path
    language: str
    verdicts: frozenset[Verdict]
    time_limit_ms: int | None = None
    memory_limit_mib: int | None = None


class _Problem(BaseModel, frozen=True, extra="forbid"):
    folder: Path
    tests: Path
    entry: str = "stdio"
    mode: str = "exact"
    abs_tol: float | None = None
    rel_tol: float | None = None
    time_limit_ms: int
    memory_limit_mib: int
    programs: tuple[_Program, ...]


class _Solved(BaseModel, frozen=True, extra="forbid"):
    folder: Path
    language: SolutionLanguage
    stop: str


class _Authored(BaseModel, frozen=True, extra="forbid"):
    folder: Path
    stop: str


class _Examples(BaseModel, frozen=True, extra="forbid"):
    problems: tuple[_Problem, ...] = Field(alias="problem")
    solved: _Solved | None = None
    authored: _Authored | None = None


def demo(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help=f"A folder with {_TABLE}; the bundled examples."),
    ] = None,
) -> None:
    """Judge the example programs, solve a problem, and author one.

    The replies of the models come from a script; all else is real.
    """
    root = folder or _bundled()
    examples = _read(root)
    console = report_console()
    table = Table(title="Real programs, compiled and run in the sandbox", box=SIMPLE)
    for heading in ("", "program", "verdicts", "passed"):
        table.add_column(heading, no_wrap=True)
    for heading in ("cpu ms", "MiB", "reward"):
        table.add_column(heading, justify="right", no_wrap=True)
    surprises, done = 0, 0
    programs = sum(len(problem.programs) for problem in examples.problems)
    with CellPool() as pool:
        with progress("judging") as on_event:
            for problem in examples.problems:
                tests = root / problem.folder / problem.tests
                suite = load_tests(tests, entry=as_entry(problem.entry))
                table.add_row("", Text(str(problem.folder), style="bold cyan"))
                for program in problem.programs:
                    on_event(
                        Event(job="judge", stage=str(program.file.name), share=done / programs)
                    )
                    result = _judge(root, problem, program, suite, pool)
                    surprises += _add_row(table, program, result)
                    done += 1
                table.add_section()
        isolation = pool.isolation
        console.print(table)
        if examples.solved is not None:
            surprises += _solve(root, examples.solved, pool, console)
        if examples.authored is not None:
            surprises += _author(root, examples.authored, pool, console)
    console.print(f"[dim]isolation: {escape(str(isolation))}[/]")
    if surprises:
        console.print(f"[bold red]{surprises} programs did not end as {_TABLE} expects[/]")
    else:
        console.print("[bold green]every program ended as it must[/]")
    raise typer.Exit(1 if surprises else 0)


def _solve(root: Path, solved: _Solved, pool: CellPool, console: Console) -> bool:
    """Solve a problem from its script and print the story; return True if it ended differently."""
    from steelyard.solving import (  # noqa: PLC0415
        SolveOptions,
        Solver,
        read_generator,
        read_problem,
        read_story,
    )
    from steelyard.solving.reporting import StoryView  # noqa: PLC0415

    folder = root / solved.folder
    script = f"scripted:{folder / 'replies.json'}"
    options = SolveOptions(
        planner=script, coder=script, analyst=script, language=solved.language, pool=pool
    )
    problem = read_problem(folder / "problem.json")
    if problem.input_generator is None:
        generator = read_generator(folder / "generate.py")
        problem = problem.model_copy(update={"input_generator": generator})
    console.print("A problem solved: plans, programs, tests, curves and decisions", style="italic")
    console.print(
        "no model is asked: the replies of planner and coder come from a script; all else is real",
        style="yellow",
    )
    with tempfile.TemporaryDirectory(prefix="steelyard-demo-") as logs:
        with progress("solving") as on_event:
            own = options.model_copy(update={"on_event": on_event})
            result = Solver(own, logs=logs, caching=False).solve(problem)
        console.print(StoryView(read_story(Path(result.logs))))
    return result.stop != solved.stop


def _author(root: Path, authored: _Authored, pool: CellPool, console: Console) -> bool:
    """Author a problem from its script, print the report; return True if it ended differently."""
    from steelyard.authoring import AuthorOptions  # noqa: PLC0415
    from steelyard.authoring.pipeline import Author  # noqa: PLC0415
    from steelyard.authoring.pipeline.reporting import AuthorView  # noqa: PLC0415

    folder = root / authored.folder
    script = f"scripted:{folder / 'replies.json'}"
    request = (folder / "request.txt").read_text("utf-8")
    console.print("A request authored: specification, suite, solutions, strength", style="italic")
    console.print(
        "no model is asked: the replies come from a script; all else is real", style="yellow"
    )
    console.print(Text(request.strip()))
    with progress("authoring") as on_event:
        options = AuthorOptions.of(
            writer=script, solver=script, checker=script, pool=pool, on_event=on_event
        )
        report = Author(options, caching=False).author(request)
    console.print(AuthorView(report))
    return report.stop != authored.stop


def _bundled() -> Path:
    """Return the examples of the checkout or of the installed package."""
    here = Path(__file__).resolve()
    for root in (here.parents[3] / "examples", *_installed(here)):
        if (root / _TABLE).is_file():
            return root
    raise UsageError("the examples are not installed; name the folder that holds them")


def _installed(here: Path) -> Iterator[Path]:
    yield here.parents[1] / "_examples"
    yield from (Path(folder) / "_examples" for folder in steelyard.__path__)


def _read(root: Path) -> _Examples:
    file = root / _TABLE
    try:
        return _Examples.model_validate(tomllib.loads(file.read_text()))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}; name another folder") from error
    except (ValidationError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file}: {str(error).splitlines()[0]}; fix it") from error


def _judge(
    root: Path, problem: _Problem, program: _Program, suite: TestSuite, pool: CellPool
) -> VerifyResult | LanguageError:
    try:
        toolchain = find_toolchain(program.language)
    except LanguageError as error:
        return error
    entry = as_entry(problem.entry)
    judge = Judge(
        toolchain=toolchain,
        entry=entry,
        checker=entry_checker(entry, problem.mode, problem.abs_tol, problem.rel_tol),
        pool=pool,
        limits=Limits(
            cpu_ms=program.time_limit_ms or problem.time_limit_ms,
            memory_mib=program.memory_limit_mib or problem.memory_limit_mib,
        ),
        cache=CompileCache(),
    )
    source, _ = read_source(root / problem.folder / program.file, program.language)
    return judge.judge(source, suite)


def _add_row(table: Table, program: _Program, result: VerifyResult | LanguageError) -> bool:
    """Add a program's row; return True if its verdict is not the expected one."""
    if isinstance(result, LanguageError):
        table.add_row("-", f"  {program.file.name}", Text("not here", style="dim"))
        return False
    verdicts = {case.verdict for case in result.cases}
    passed = sum(case.verdict is Verdict.AC for case in result.cases)
    as_told = verdicts == program.verdicts
    ran = Verdict.CE not in verdicts
    shown = Text(" ").join(verdict_text(verdict) for verdict in Verdict if verdict in verdicts)
    if not as_told:
        shown.append(f" (must be {' '.join(sorted(program.verdicts))})", style="bold red")
    table.add_row(
        Text("✓", style="green") if as_told else Text("✗", style="bold red"),
        f"  {program.file.name}",
        shown,
        f"{passed}/{len(result.cases)}",
        f"{max(case.cpu_ms for case in result.cases):,.1f}" if ran else "",
        f"{max(case.memory_mib for case in result.cases):.1f}" if ran else "",
        f"{result.reward:.2f}",
    )
    return not as_told
