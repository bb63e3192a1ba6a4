"""`steelyard solve`, `steelyard show`, `steelyard replay`: runs of the solve loop."""

import asyncio
import os
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import RenderableType
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._outputs import check_output, print_json, write_output
from steelyard.errors import GeneratorError, UsageError
from steelyard.rendering import visible
from steelyard.sandbox import CellPool
from steelyard.schemas import Constraints, Event, OnEvent, ProblemInput, RunResult
from steelyard.settings import current_settings

if TYPE_CHECKING:
    from steelyard.solving import Pruner, SolveOptions

__all__ = ["replay", "show", "solve"]

T = TypeVar("T")
_SANDBOX_FAILED = 3
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Rules = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Static rules in place of the usual ones.")
]
Run = Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder, or a task's name.")]


def solve(
    problem: Annotated[
        Path | None, typer.Argument(metavar="[PROBLEM.json]", help="The problem's file.")
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The problem in prose, in place of a file."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Go on with the run in this folder; bounds may be other ones.",
        ),
    ] = None,
    models: Annotated[
        str | None,
        typer.Option(metavar="M", help="One model for all roles, such as scripted:replies.json."),
    ] = None,
    planner: Annotated[
        str | None, typer.Option(metavar="M", help="provider:model that plans.")
    ] = None,
    coder: Annotated[
        str | None, typer.Option(metavar="M", help="provider:model that writes the program.")
    ] = None,
    analyst: Annotated[
        str | None, typer.Option(metavar="M", help="provider:model for figures that leave a doubt.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="cpp|python", help="What the program is written in.")
    ] = None,
    generator: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A Python module with generate(n, seed) for profiling."),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="MS", help="With --text: CPU time, in ms.")
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(metavar="MIB", help="With --text: memory, in MiB.")
    ] = None,
    max_iter: Annotated[
        int | None, typer.Option(metavar="N", help="Programs that the coder may write; 3.")
    ] = None,
    diminish_delta: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="The gain below which going on is not worth it; 0.05."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Of models that take one, and of inputs; 1.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(metavar="USD", help="What models may cost; it is never passed.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens that models may take; never passed.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds for each profile, roughly; 8.")
    ] = None,
    rules: Rules = None,
    logs: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where runs keep their artefacts; logs.")
    ] = None,
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep replies, and take them from there.")
    ] = True,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the best program there.")
    ] = None,
    json: Json = False,
) -> None:
    """Solve a problem with language models, tests and profiles.

    Models plan and write. The judge and the profiler decide.
    """
    from steelyard.solving import Journal, SolveOptions, Solver  # noqa: PLC0415
    from steelyard.solving.reporting import ResultView  # noqa: PLC0415

    if out is not None:
        check_output(out)
    if sum(each is not None for each in (problem, text, resume)) != 1:
        raise UsageError("give one problem: PROBLEM.json, --text TEXT, or --resume DIR")
    if resume is not None:
        beginning = {
            "--generator": generator, "--time-limit": time_limit, "--memory-limit": memory_limit,
            "--logs": logs,
        }  # fmt: skip
        for name, value in beginning.items():
            if value is not None:
                raise UsageError(f"{name} is for a run that begins; leave it out with --resume")
    static = _pruner(rules)
    told: dict[str, object] = {
        "planner": planner or models, "coder": coder or models, "analyst": analyst or models,
        "language": language, "max_iter": max_iter, "diminish_delta": diminish_delta, "seed": seed,
        "max_cost_usd": max_cost, "max_tokens": max_tokens, "budget_s": budget,
    }  # fmt: skip
    given = {name: value for name, value in told.items() if value is not None}
    logs = logs or current_settings().logs
    with CellPool(1) as pool, _progress(quiet=json) as on_event:
        options = SolveOptions.of(**given, pool=pool, on_event=on_event)
        solver = Solver(options, logs=logs, caching=cache, pruner=static)
        if resume is not None:
            folder = _run_in(resume)
            announced = Journal.head_of(folder).options
            announced.changed(**given)  # which names what cannot change
            run = solver.aresume(
                folder, max_iter=max_iter, diminish_delta=diminish_delta, max_cost_usd=max_cost,
                max_tokens=max_tokens, budget_s=budget,
            )  # fmt: skip
        else:
            task = _problem(problem, text, generator, time_limit, memory_limit)
            folder, announced, run = logs / task.task_id, options, solver.asolve(task)
        if not json:
            _announce(announced)
        earlier = None if resume is not None else _head_in(folder)
        try:
            result = _wait(_aborting(run, pool), folder, earlier)
        except GeneratorError as error:
            if generator is None:
                raise
            said = str(error).removeprefix("input_generator: ")
            raise UsageError(f"--generator: {generator}: {said}") from error
    failed = _saved(result, out)
    _print(ResultView(result, shows_code=out is None), result.to_dict(), json=json)
    if failed is not None:
        raise failed
    raise typer.Exit(_status(result))


def show(
    folder: Run,
    code: Annotated[bool, typer.Option("--code", help="Show each program too.")] = False,
    json: Json = False,
) -> None:
    """Show a run of solve: plans, programs, tests and decisions."""
    from steelyard.solving import read_story  # noqa: PLC0415
    from steelyard.solving.reporting import StoryView, story_json  # noqa: PLC0415

    story = read_story(_run_in(folder))
    _print(StoryView(story, shows_code=code), story_json(story), json=json)


def replay(folder: Run, rules: Rules = None, json: Json = False) -> None:
    """Repeat a run of solve from its files, without models.

    The same decisions must follow.
    """
    from steelyard.solving import Solver  # noqa: PLC0415
    from steelyard.solving.reporting import ReplayView  # noqa: PLC0415

    solver = Solver(logs=None, caching=False, pruner=_pruner(rules))
    done = asyncio.run(solver.areplay(_run_in(folder)))
    plain = {"result": done.result.to_dict(), "differences": list(done.differences)}
    _print(ReplayView(done), plain, json=json)
    raise typer.Exit(1 if done.differences else 0)


def _problem(
    file: Path | None,
    text: str | None,
    generator: Path | None,
    time_limit: float | None,
    memory_limit: float | None,
) -> ProblemInput:
    from steelyard.solving import problem_of_text, read_generator, read_problem  # noqa: PLC0415

    limits = Constraints()
    for name, option, value in (
        ("runtime_limit", "--time-limit", time_limit),
        ("memory_limit", "--memory-limit", memory_limit),
    ):
        if value is None:
            continue
        if file is not None:
            raise UsageError(f"{option} is for --text; a file states its own limits")
        if not 0 < value <= 60_000:
            raise UsageError(f"{option} is {value:g}; give a number above 0 and up to 60,000")
        limits = limits.model_copy(update={name: value})
    problem = read_problem(file) if file is not None else problem_of_text(text or "", limits)
    if generator is None:
        return problem
    return problem.model_copy(update={"input_generator": read_generator(generator)})


def _pruner(rules: Path | None) -> "Pruner | None":
    from steelyard.solving import Pruner  # noqa: PLC0415

    if rules is None:
        return None
    if not os.path.isfile(rules):  # Path.is_file raises for some names
        raise UsageError(f"--rules: {rules} is not a file; name a file of static rules")
    pruner = Pruner(rules)
    if pruner.problems:
        raise UsageError(f"--rules: {pruner.problems[0]}; mend it")
    return pruner


def _run_in(folder: Path) -> Path:
    """The folder, or the one of the task of that name."""
    named = current_settings().logs / folder
    there = os.path.exists  # Path.exists raises for some names
    return named if not there(folder) and there(named) else folder


def _announce(options: "SolveOptions") -> None:
    """Scripted replies are no model's: whoever looks on is told."""
    names = (options.planner, options.coder, options.analyst)
    scripted = dict.fromkeys(name for name in names if name.startswith("scripted:"))
    for name in scripted:
        said = f"no model is asked: replies come from the script {visible(name[9:])}"
        report_console(stderr=True).print(Text(said, style="yellow"))


@contextmanager
def _progress(*, quiet: bool) -> Iterator[OnEvent]:
    """A line for each stage as it begins, beside the output."""
    console = report_console(stderr=True, quiet=quiet)

    def on_event(event: Event) -> None:
        if event.stage != "end":
            turn, stage = f"turn {event.iteration}  ", f"{event.stage:<10}"
            line = Text.assemble((turn, "dim"), (stage, "cyan"), visible(event.message))
            console.print(line, soft_wrap=True)

    yield on_event


def _head_in(folder: Path) -> int | None:
    """Which file tells of a run in a folder; None: there is none."""
    try:
        return os.stat(folder / "run.json").st_ino
    except (OSError, ValueError):
        return None


def _wait(run: Coroutine[Any, Any, T], folder: Path, earlier: int | None) -> T:
    """The run's end. Ctrl-C, SIGTERM or SIGHUP leaves a folder to go on from, and says so.

    Args:
        run: The run.
        folder: Where it keeps its artefacts.
        earlier: The head of an earlier run in the folder, which this one has nothing to do with.
    """
    told: list[signal.Signals] = []
    try:
        return asyncio.run(_until_told(run, told))
    except (asyncio.CancelledError, KeyboardInterrupt) as end:
        if _head_in(folder) not in (None, earlier):
            said = f"nothing is lost: go on with steelyard solve --resume {visible(str(folder))}"
            report_console(stderr=True).print(Text(said), soft_wrap=True)
        if told and told[0] != signal.SIGINT:
            signal.raise_signal(told[0])  # for which the command has a handler
        raise KeyboardInterrupt from end


async def _aborting(run: Coroutine[Any, Any, T], pool: CellPool) -> T:
    """Await a run; if it is cancelled, end what still runs in its pool."""
    try:
        return await run
    except asyncio.CancelledError:
        pool.abort()
        raise


async def _until_told(run: Coroutine[Any, Any, T], told: list[signal.Signals]) -> T:
    """The run, cancelled at the first signal to end; at the second nothing more is waited for.

    A handler of the loop's wakes the loop. Python's own is not run before something else wakes
    it, where the signal comes just as the loop begins to wait.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def end(number: signal.Signals) -> None:
        if told:
            raise KeyboardInterrupt
        told.append(number)
        task.cancel()

    before = {number: signal.getsignal(number) for number in _ENDING}
    before = {number: handler for number, handler in before.items() if handler != signal.SIG_IGN}
    for number in before:
        loop.add_signal_handler(number, end, number)
    try:
        return await run
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


def _saved(result: RunResult, out: Path | None) -> UsageError | None:
    if out is None or result.code is None:
        return None
    try:
        write_output(out, result.code.code_cpp)
    except UsageError as error:
        return error
    return None


def _print(view: RenderableType, plain: dict[str, Any], *, json: bool) -> None:
    if json:
        print_json(plain)
    else:
        console = report_console()  # lines are folded for a terminal alone
        console.print(view, crop=False, soft_wrap=not console.is_terminal)


def _status(result: RunResult) -> int:
    if result.status == "success":
        return 0
    machine = result.status == "sandbox_error" or result.stop == "models"
    return _SANDBOX_FAILED if machine else 1
