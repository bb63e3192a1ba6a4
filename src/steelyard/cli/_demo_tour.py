"""`steelyard demo --all`: every program, a problem solved and a request authored."""

import tempfile
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from steelyard.cli._examples import (
    Authored,
    Examples,
    Judged,
    Program,
    Solved,
    judge_example,
)
from steelyard.cli._progress import progress
from steelyard.cli._render import verdict_text
from steelyard.sandbox import CellPool
from steelyard.schemas import Event, Verdict

_SCRIPTED = "no model is asked: the replies come from a script; all else is real"


def tour(root: Path, examples: Examples, pool: CellPool, console: Console) -> int:
    """Show everything; return how many results are neither as expected nor explained."""
    table = Table(title="Real programs, compiled and run in the sandbox", box=SIMPLE)
    for heading in ("", "program", "verdicts", "passed"):
        table.add_column(heading, no_wrap=True)
    for heading in ("cpu ms", "MiB", "reward"):
        table.add_column(heading, justify="right", no_wrap=True)
    faults, done = 0, 0
    programs = sum(1 for _ in examples.programs())
    facts = []
    with progress("judging") as on_event:
        for problem in examples.problems:
            table.add_row("", Text(str(problem.folder), style="bold cyan"))
            for program in problem.programs:
                on_event(Event(job="judge", stage=program.file.name, share=done / programs))
                judged = judge_example(root, problem, program, pool)
                _add_row(table, program, judged)
                done += 1
                if judged is None or judged.as_expected:
                    continue
                if judged.machine:
                    facts.append(f"{program.file.name}: {judged.machine}")
                else:
                    faults += 1
            table.add_section()
    console.print(table)
    for fact in facts:
        console.print(Text(fact, style="yellow"))
    if examples.solved is not None:
        faults += _solve(root, examples.solved, pool, console)
    if examples.authored is not None:
        faults += _author(root, examples.authored, pool, console)
    if not faults and not facts:
        console.print(Text("every program ended as it must", style="bold green"))
    return faults


def _solve(root: Path, solved: Solved, pool: CellPool, console: Console) -> bool:
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
    console.print(_SCRIPTED, style="yellow")
    with tempfile.TemporaryDirectory(prefix="steelyard-demo-") as logs:
        with progress("solving") as on_event:
            own = options.model_copy(update={"on_event": on_event})
            result = Solver(own, logs=logs, caching=False).solve(problem)
        console.print(StoryView(read_story(Path(result.logs))))
    return result.stop != solved.stop


def _author(root: Path, authored: Authored, pool: CellPool, console: Console) -> bool:
    """Author a problem from its script, print the report; return True if it ended differently."""
    from steelyard.authoring import AuthorOptions  # noqa: PLC0415
    from steelyard.authoring.pipeline import Author  # noqa: PLC0415
    from steelyard.authoring.pipeline.reporting import AuthorView  # noqa: PLC0415

    folder = root / authored.folder
    script = f"scripted:{folder / 'replies.json'}"
    request = (folder / "request.txt").read_text("utf-8")
    console.print("A request authored: specification, suite, solutions, strength", style="italic")
    console.print(_SCRIPTED, style="yellow")
    console.print(Text(request.strip()))
    with progress("authoring") as on_event:
        options = AuthorOptions.of(
            writer=script, solver=script, checker=script, pool=pool, on_event=on_event
        )
        report = Author(options, caching=False).author(request)
    console.print(AuthorView(report))
    return report.stop != authored.stop


def _add_row(table: Table, program: Program, judged: Judged | None) -> None:
    if judged is None:
        table.add_row("-", f"  {program.file.name}", Text("not here", style="dim"))
        return
    cases = judged.result.cases
    verdicts = {case.verdict for case in cases}
    passed = sum(case.verdict is Verdict.AC for case in cases)
    ran = Verdict.CE not in verdicts
    shown = Text(" ").join(verdict_text(verdict) for verdict in Verdict if verdict in verdicts)
    if not judged.as_expected:
        shown.append(f" (must be {judged.must_be})", style="bold red")
    table.add_row(
        Text("✓", style="green") if judged.as_expected else Text("✗", style="bold red"),
        f"  {program.file.name}",
        shown,
        f"{passed}/{len(cases)}",
        f"{max(case.cpu_ms for case in cases):,.1f}" if ran else "",
        f"{max(case.memory_mib for case in cases):.1f}" if ran else "",
        f"{judged.result.reward:.2f}",
    )
