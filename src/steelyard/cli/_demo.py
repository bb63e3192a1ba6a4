"""`steelyard demo`: what Steelyard does, shown on the programs under examples/, run for real.

With `--all`: every program, a problem solved and a request authored.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._examples import (
    AuthorExample,
    CompareExample,
    ExampleProgram,
    Examples,
    JudgeExample,
    ProfileExample,
    SolveExample,
    judge_example,
    read_examples,
)
from steelyard.cli._progress import progress
from steelyard.reports import (
    Block,
    Code,
    Column,
    Line,
    Span,
    Table,
    Text,
    clause,
    percent,
    print_blocks,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import BehaviourCase, Comparison, Event, OnEvent, Verdict

_GENERATED_CALLS = 20
_BUDGET_S = 2.0
_WIDTH = 80
_OUTCOMES = {
    Verdict.WA: "wrong answer",
    Verdict.TLE: "time limit",
    Verdict.MLE: "memory limit",
    Verdict.OLE: "output limit",
    Verdict.RTE: "run-time error",
    Verdict.CE: "does not compile",
}
_REPORT = "This is a fault of Steelyard; report it with the output of `steelyard doctor`."
_TUTORIAL = "https://github.com/steelyard/steelyard/blob/main/docs/tutorial.md"


def demo(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            show_default="the bundled examples",
            help="Folder with an examples.toml.",
        ),
    ] = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Run all programs, then solve a problem and author one from scripts."
        ),
    ] = False,
) -> None:
    """Judge, profile and compare example programs."""
    root, examples = read_examples(folder)
    with CellPool() as pool:
        if everything:
            faults = _tour(root, examples, pool)
        else:
            faults = _ShortDemo(root, examples, pool).run()
        isolation = pool.isolation
    if isolation.level != "full":
        _show(Text(f"isolation: {isolation.level}; see `steelyard doctor`", "warn"))
    if faults:
        _show(Text(f"{faults} of the results are not as expected. {_REPORT}", "strong bad"))
    elif not everything:
        _show(Code("\n".join(_next_steps(root))))
    raise typer.Exit(1 if faults else 0)


@dataclass
class _ShortDemo:
    """One program of each kind, one class of growth, two rewritten functions."""

    root: Path
    examples: Examples
    pool: CellPool
    faults: int = field(default=0, init=False)

    def run(self) -> int:
        """Show all of it; return how many results are neither as expected nor explained."""
        self._judge()
        if self.examples.profiled is not None:
            self._profile(self.examples.profiled)
        if self.examples.compared is not None:
            self._compare(self.examples.compared)
        return self.faults

    def _judge(self) -> None:
        _show(Text("Judge: is a program right, within its limits?", "strong"))
        chosen = [each for each in self.examples.programs() if each[1].first]
        with progress("judging") as on_event:
            for done, (problem, program) in enumerate(chosen):
                on_event(Event(job="judge", stage=program.file.name, share=done / len(chosen)))
                judged = judge_example(self.root, problem, program, self.pool)
                if judged is None:
                    self._evidence(program.first, f"{program.language} is not installed")
                    continue
                line = f"{program.file.name:<21} {_outcome(judged)}"
                self._result(program.first, line, judged.as_expected)
                if not judged.as_expected:
                    self._explain(judged.must_be, judged.machine)
        self._evidence("", "reward: 0.5 for compiling, up to 0.5 more for tests that pass")

    def _profile(self, profiled: ProfileExample) -> None:
        from steelyard.profiling import profile  # numpy loads slowly  # noqa: PLC0415

        _show(Text("Profile: how does its time grow?", "strong"))
        program = self.root / profiled.program
        with progress("profiling") as on_event:
            report = profile(
                program,
                inputs=self.root / profiled.generator,
                max_n=profiled.max_n,
                budget_s=_BUDGET_S,
                pool=self.pool,
                on_event=on_event,
            )
        time = report.time
        line = f"{program.name}   {time.complexity}, {percent(time.confidence)} sure"
        as_expected = time.complexity == profiled.growth
        self._result("slow", line, as_expected)
        for hotspot in report.hotspots[:1]:
            self._evidence("counted", hotspot)
        if not as_expected:
            self._explain(profiled.growth, time.reason)

    def _compare(self, compared: CompareExample) -> None:
        from steelyard.equivalence import (  # numpy loads slowly  # noqa: PLC0415
            CompareBaseline,
            CompareOptions,
            compare_candidate,
        )

        def options(on_event: OnEvent) -> CompareOptions:
            return CompareOptions(generate=_GENERATED_CALLS, pool=self.pool, on_event=on_event)

        _show(Text("Compare: is a rewritten function the same, and faster?", "strong"))
        with progress("comparing") as on_event:
            project = self.root / compared.root
            baseline = CompareBaseline(compared.function, project, options(on_event))
            found = {
                path: compare_candidate(baseline, self.root / path)
                for path in (compared.accepted, compared.rejected)
            }
        for path, comparison in found.items():
            expected = "accepted" if path == compared.accepted else "rejected"
            as_expected = comparison.verdict == expected
            line = f"{path.name:<16} {_comparison_in_words(comparison)}"
            self._result(comparison.verdict, line, as_expected)
            if shown := _difference(comparison):
                self._evidence("input", shown.input)
                self._evidence("original", shown.differences[0].original)
                self._evidence("candidate", shown.differences[0].candidate)
            if not as_expected:
                self._explain(expected, "; ".join(map(str, comparison.notes)))

    def _result(self, name: str, text: str, as_expected: bool) -> None:
        tone = "good" if as_expected else "bad"
        _show(Text((f"  {name:<9} ", Span(clause(text, _WIDTH - 12), tone))))

    def _evidence(self, name: str, text: str) -> None:
        _show(
            Text(
                f"    {name:<10} {clause(text, _WIDTH - 15)}" if name else f"            {text}",
                "quiet",
            )
        )

    def _explain(self, expected: str, fact: str) -> None:
        """Say what was expected, and the fact about the machine that explains the difference."""
        self._evidence("", f"must be {expected}")
        if fact:
            self._evidence("", fact)
        else:
            self.faults += 1


def _outcome(judged: JudgeExample) -> str:
    cases = judged.result.cases
    failed = {case.verdict for case in cases} - {Verdict.AC}
    passed = sum(case.verdict is Verdict.AC for case in cases)
    failures = ", ".join(_OUTCOMES.get(verdict, verdict.value) for verdict in sorted(failed))
    return (
        f"{passed} of {len(cases)} tests   reward {judged.result.reward:.2f}   {failures}".rstrip()
    )


def _difference(comparison: Comparison) -> BehaviourCase | None:
    """Return the case that differs with the shortest input; None if none differs."""
    cases = comparison.behaviour.cases if comparison.behaviour is not None else ()
    different = [case for case in cases if case.outcome == "different" and case.differences]
    return min(different, key=lambda case: len(case.input), default=None)


def _comparison_in_words(comparison: Comparison) -> str:
    behaviour = comparison.behaviour
    cases = len(behaviour.cases) if behaviour is not None else 0
    different = behaviour.count("different") if behaviour is not None else 0
    if different:
        return f"differs in {different} of {cases} cases, such as"
    gain = comparison.speed.speedup if comparison.speed is not None else None
    speed = f", {gain.mid:.3g} times as fast ({gain.low:.3g} to {gain.high:.3g})" if gain else ""
    return f"same in {cases} cases{speed}"


def _next_steps(root: Path) -> Iterator[str]:
    """Yield commands to paste: in a clone, for its environment."""
    clone = root.parent if (root.parent / "Makefile").is_file() else None
    program = Path(sys.argv[0]).absolute()
    command = "steelyard"
    if clone is not None and program.is_relative_to(clone):
        command = str(program.relative_to(clone))
    steps = {
        "judge a program of yours": (
            "echo 'print(int(input()) ** 2)' > square.py",
            """echo '{"input": "5", "expected": "25"}' > tests.jsonl""",
            f"{command} judge square.py --tests tests.jsonl",
        ),
        "open the pages": ("make serve" if clone else f"{command} serve",),
        "read the tutorial": ("less docs/tutorial.md" if clone else f"open {_TUTORIAL}",),
        "see the long tour": (f"{command} demo --all",),
    }
    yield "Next:"
    for step, commands in steps.items():
        yield f"  # {step}"
        yield from (f"  {each}" for each in commands)


_SCRIPTED = "no model is asked: the replies come from a script; all else is real"


def _show(*blocks: Block) -> None:
    print_blocks(blocks)


def _tour(root: Path, examples: Examples, pool: CellPool) -> int:
    """Show everything; return how many results are neither as expected nor explained."""
    rows: list[tuple[Line, ...]] = []
    faults, done = 0, 0
    programs = sum(1 for _ in examples.programs())
    facts = []
    with progress("judging") as on_event:
        for problem in examples.problems:
            rows.append(("", Span(str(problem.folder), "strong accent"), "", "", "", "", ""))
            for program in problem.programs:
                on_event(Event(job="judge", stage=program.file.name, share=done / programs))
                judged = judge_example(root, problem, program, pool)
                rows.append(_row(program, judged))
                done += 1
                if judged is None or judged.as_expected:
                    continue
                if judged.machine:
                    facts.append(f"{program.file.name}: {judged.machine}")
                else:
                    faults += 1
    figures = [Column(each, "figure") for each in ("cpu ms", "MiB", "reward")]
    _show(Text("Real programs, compiled and run in the sandbox", "strong"))
    _show(Table(("", "program", "verdicts", "passed", *figures), rows))
    _show(*(Text(fact, "warn") for fact in facts))
    if examples.solved is not None:
        faults += _solve(root, examples.solved, pool)
    if examples.authored is not None:
        faults += _author(root, examples.authored, pool)
    if not faults and not facts:
        _show(Text("every program ended as it must", "strong good"))
    return faults


def _solve(root: Path, solved: SolveExample, pool: CellPool) -> bool:
    """Solve a problem from its script and print the story; return True if it ended differently."""
    from steelyard.solving import (  # noqa: PLC0415
        SolveOptions,
        Solver,
        read_generator,
        read_problem,
        read_solve_story,
        story_view,
    )

    folder = root / solved.folder
    script = f"scripted:{folder / 'replies.json'}"
    options = SolveOptions(
        planner=script, coder=script, analyst=script, language=solved.language, pool=pool
    )
    problem = read_problem(folder / "problem.json")
    if problem.input_generator is None:
        generator = read_generator(folder / "generate.py")
        problem = problem.model_copy(update={"input_generator": generator})
    _show(Text("A problem solved: plans, programs, tests, curves and decisions"))
    _show(Text(_SCRIPTED, "warn"))
    with tempfile.TemporaryDirectory(prefix="steelyard-demo-") as logs:
        with progress("solving") as on_event:
            own = options.model_copy(update={"on_event": on_event})
            result = Solver(own, logs=logs, caching=False).solve(problem)
        print_blocks(story_view(read_solve_story(Path(result.logs))))
    return result.stop != solved.stop


def _author(root: Path, authored: AuthorExample, pool: CellPool) -> bool:
    """Author a problem from its script, print the report; return True if it ended differently."""
    from steelyard.authoring import AuthorOptions  # noqa: PLC0415
    from steelyard.authoring.pipeline import Author, view  # noqa: PLC0415

    folder = root / authored.folder
    script = f"scripted:{folder / 'replies.json'}"
    request = (folder / "request.txt").read_text("utf-8")
    _show(Text("A request authored: specification, suite, solutions, strength"))
    _show(Text(_SCRIPTED, "warn"), Code(request.strip()))
    with progress("authoring") as on_event:
        options = AuthorOptions.of(
            writer=script, solver=script, checker=script, pool=pool, on_event=on_event
        )
        report = Author(options, caching=False).author(request)
    print_blocks(view(report, brief=True))
    return report.stop != authored.stop


def _row(program: ExampleProgram, judged: JudgeExample | None) -> tuple[Line, ...]:
    if judged is None:
        return ("-", f"  {program.file.name}", Span("not here", "quiet"), "", "", "", "")
    cases = judged.result.cases
    verdicts = {case.verdict for case in cases}
    passed = sum(case.verdict is Verdict.AC for case in cases)
    ran = Verdict.CE not in verdicts
    shown: list[str | Span] = [" ".join(each for each in Verdict if each in verdicts)]
    if not judged.as_expected:
        shown.append(Span(f" (must be {judged.must_be})", "strong bad"))
    return (
        Span("✓", "good") if judged.as_expected else Span("✗", "strong bad"),
        f"  {program.file.name}",
        shown,
        f"{passed}/{len(cases)}",
        f"{max(case.cpu_ms for case in cases):,.1f}" if ran else "",
        f"{max(case.memory_mib for case in cases):.1f}" if ran else "",
        f"{judged.result.reward:.2f}",
    )
