"""The problems under examples/problems take the turns of the loop that they are there to show."""

import asyncio
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from steelyard.profiling import GeneratorSource, Point, grows_faster
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    ProblemInput,
    RunResult,
    SolutionLanguage,
    SolveStatus,
    StopCause,
)
from steelyard.solving import (
    SolveOptions,
    Solver,
    SolveStory,
    Turn,
    problem_of_text,
    read_problem,
    read_solve_story,
)

PROBLEMS = Path(__file__).parents[2] / "examples" / "problems"
BUDGET_S = 1.0
"""For each profile: what the programs differ by is seen in less than the usual time."""


@dataclass(frozen=True)
class Example:
    """What must become of a problem that is solved from its script."""

    name: str
    mended: tuple[tuple[str, str, str], ...] = ()
    """Of each program that did not do: who was asked to mend it, on what basis, the reason."""
    language: SolutionLanguage = "cpp"
    status: SolveStatus = "success"
    stop: StopCause = "efficient"
    refused: int = 0
    """Plans that the static rules refused."""
    planner_generates: bool = False
    """The planner's plan has the generator; the user gives it otherwise."""

    @property
    def folder(self) -> Path:
        return PROBLEMS / self.name

    @property
    def problem(self) -> ProblemInput:
        problem = read_problem(self.folder / "problem.json")
        if self.planner_generates:
            return problem
        return problem.model_copy(update={"input_generator": self.generator})

    @property
    def generator(self) -> str:
        return (self.folder / "generate.py").read_text()

    @property
    def programs(self) -> int:
        return len(self.mended) + (self.status == "success")


EXAMPLES = (
    Example("skyline-poster"),
    Example("well-site", mended=(("CODER", "tests", "4: WA"),)),
    Example("crate-stacks", mended=(("CODER", "figures", "time"),)),
    Example(
        "rising-terraces",
        mended=(("PLANNER", "figures", "time"),),
        language="python",
        planner_generates=True,
    ),
    Example("mirror-beads", mended=(("CODER", "figures", "memory"),), planner_generates=True),
    Example("steady-days", refused=1, planner_generates=True),
    Example("zero-triples", status="static_prune_failed", stop="pruned", refused=2),
)
LIKE_ANOTHER = ("crate-stacks", "mirror-beads", "skyline-poster", "steady-days", "well-site")
"""Examples whose turns are alike to another one's, or that README runs; only the exhaustive tests
take them."""
BY_NAME = pytest.mark.parametrize("example", EXAMPLES, ids=[each.name for each in EXAMPLES])


@dataclass(frozen=True)
class Run:
    """One example with what it came to."""

    example: Example
    solver: Solver
    result: RunResult
    story: SolveStory

    @property
    def folder(self) -> Path:
        return self.story.folder


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(
            each, id=each.name, marks=[pytest.mark.exhaustive] if each.name in LIKE_ANOTHER else []
        )
        for each in EXAMPLES
    ],
)
def test_the_loop_takes_the_turn_that_the_example_shows(
    example: Example, pool: CellPool, tmp_path: Path
):
    """One run has all that is to be looked at: a run of its own for each promise takes minutes."""
    script = f"scripted:{example.folder / 'replies.json'}"
    options = SolveOptions(
        planner=script,
        coder=script,
        analyst=script,
        language=example.language,
        budget_s=BUDGET_S,
    )
    solver = Solver(options, logs=tmp_path, caching=False)
    result = asyncio.run(solver.asolve(example.problem))
    run = Run(example, solver, result, read_solve_story(tmp_path / example.name))
    the_run_ends_as_the_example_promises(run)
    those_are_asked_to_mend_a_program_who_can(run)
    the_coder_is_asked_where_a_program_outgrows_its_plan(run)
    a_new_plan_is_made_where_the_planner_was_asked(run)
    plans_are_refused_before_a_program_is_asked_for(run)
    every_program_that_is_right_is_measured(run)
    a_mended_program_is_much_cheaper(run)
    the_folder_is_complete(run)
    a_replay_makes_the_same_decisions(run)
    to_go_on_after_the_end_changes_nothing(run)


def files_of(folder: Path) -> dict[str, bytes]:
    """All artefacts that a run's folder holds, by path."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != ".lock")
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def decided(result: RunResult) -> Any:
    """A result without the moments at which its messages were made."""
    return without_moments(result.model_dump(mode="json", exclude={"seconds"}))


def without_moments(value: Any) -> Any:
    if isinstance(value, list):
        return [without_moments(each) for each in value]
    if isinstance(value, dict):
        return {
            name: without_moments(each) for name, each in value.items() if name != "timestamp_utc"
        }
    return value


# ------------------------------------------------------------------------------- what happens


def the_run_ends_as_the_example_promises(run: Run) -> None:
    result, example = run.result, run.example
    assert (result.status, result.stop) == (example.status, example.stop), result.reason
    assert result.iterations == example.programs
    assert result.notes == ()
    if example.status == "success":
        assert result.tests_passed == result.tests == len(example.problem.unit_tests)
        assert result.growth == "measured"
        holds = {each.name for each in result.evidence if each.outcome == "holds"}
        assert {"brute force", "growth", "portfolio"} <= holds


def those_are_asked_to_mend_a_program_who_can(run: Run) -> None:
    verdicts = [turn.verdict for turn in run.story.turns if turn.verdict is not None]
    mended = [verdict for verdict in verdicts if not verdict.efficient]
    assert [(each.target_agent, each.basis) for each in mended] == [
        (who, basis) for who, basis, _ in run.example.mended
    ]
    for verdict, (_, _, reason) in zip(mended, run.example.mended, strict=True):
        assert reason in verdict.reason
        assert verdict.patch
    assert all(verdict.efficient for verdict in verdicts[len(mended) :])


def plans_are_refused_before_a_program_is_asked_for(run: Run) -> None:
    first = run.story.turns[0]
    assert [bool(found) for _, found in first.plans] == [True] * run.example.refused + [False] * (
        run.example.status == "success"
    )
    coded = [each.request.role for each in first.exchanges].count("coder")
    assert coded == (run.example.status == "success")


def a_new_plan_is_made_where_the_planner_was_asked(run: Run) -> None:
    planned = [bool(turn.plans) for turn in run.story.turns]
    asked = [who == "PLANNER" for who, _, _ in run.example.mended]
    assert planned == [True, *asked]


def every_program_that_is_right_is_measured(run: Run) -> None:
    for turn in run.story.turns:
        right = turn.verdict is not None and turn.verdict.basis != "tests"
        assert (turn.profile is not None) == right
    if run.example.status == "success":
        assert run.result.profile is not None
        assert run.result.profile.prediction.meets_time_limit
        assert run.result.profile.prediction.meets_memory_limit


def a_mended_program_is_much_cheaper(run: Run) -> None:
    for before, after in zip(run.story.turns, run.story.turns[1:], strict=False):
        if before.profile is None:
            continue
        assert after.verdict is not None
        if before.profile.prediction.cpu_ms is None:  # it never took measurable time, nor finished
            assert after.verdict.perf_gain == 0
        else:
            assert after.verdict.perf_gain > 0.5


def the_coder_is_asked_where_a_program_outgrows_its_plan(run: Run) -> None:
    """The planner is, where a program grows as its plan says."""
    for turn in run.story.turns:
        verdict = turn.verdict
        if verdict is None or verdict.efficient or verdict.basis != "figures":
            continue
        if "time" not in verdict.reason:
            continue
        assert turn.profile is not None
        assert turn.plans
        outgrown = grows_faster(
            turn.profile.time.complexity, turn.plans[-1][0].expected_complexity or ""
        )
        assert (verdict.target_agent == "CODER") == bool(outgrown)


# ----------------------------------------------------------------------------------- artefacts


def the_folder_is_complete(run: Run) -> None:
    files = set(files_of(run.folder))
    assert {"run.json", "result.json"} <= files
    expected = {"run.json", "result.json"}
    for turn in run.story.turns:
        expected |= {f"iter_{turn.number}/{name}" for name in names_in(turn, run.example)}
    assert files == expected


def names_in(turn: Turn, example: Example) -> set[str]:
    """What a turn must have left behind."""
    names = set()
    for place, (_, pruned) in enumerate(turn.plans):
        suffix = f"_{place + 1}" if place else ""
        names |= {f"plan{suffix}.json", f"prune{suffix}.json"}
        if example.planner_generates and not pruned:
            names.add(f"plan{suffix}_generator_1.json")
    roles = ["planner"] * len(turn.plans)
    if turn.code is not None:
        roles.append("coder")
        ending = "py" if example.language == "python" else "cpp"
        names |= {f"code.{ending}", "code.json", "tests.json", "prune_code.json", "verdict.json"}
    if turn.profile is not None:
        names.add("profile.json")
    if turn.verdict is not None and turn.verdict.efficient:
        roles += ["reference", "attacker"]
        names |= {"reference.json", "reference_tests.json", "answers.json", "portfolio.json"}
        names |= {"attack.json"}
        if example.language == "cpp":
            names.add("overflow.json")
        if (example.folder / "worst.py").exists():
            names |= {"attack_format.json", "attack_run.json"}
    return names | {f"{place:02}_{role}.json" for place, role in enumerate(roles, start=1)}


def a_replay_makes_the_same_decisions(run: Run) -> None:
    before = files_of(run.folder)
    replay = asyncio.run(run.solver.areplay(run.folder))
    assert replay.differences == ()
    assert replay.recorded == run.result
    assert decided(replay.report) == decided(run.result)
    assert files_of(run.folder) == before


def to_go_on_after_the_end_changes_nothing(run: Run) -> None:
    before = files_of(run.folder)
    again = asyncio.run(run.solver.aresume(run.folder))
    assert decided(again) == decided(run.result)
    after = files_of(run.folder)
    assert after.keys() == before.keys()
    changed = {name for name, content in after.items() if content != before[name]}
    assert changed <= {"result.json"}  # with the moment at which it was written


# ---------------------------------------------------------------------------------- statements


@BY_NAME
def test_the_statement_says_what_the_file_says(example: Example):
    problem = example.problem
    stated = re.search(r"\*\*Limits\.\*\* (\d+) (ms|seconds?), (\d+) MiB\.", problem.prompt)
    assert stated is not None
    unit = 1 if stated[2] == "ms" else 1_000
    assert int(stated[1]) * unit == problem.constraints.runtime_limit
    assert int(stated[3]) == problem.constraints.memory_limit
    bound = re.search(r"\(1 ≤ n ≤ ([\d,]+)\)", problem.prompt)
    assert bound is not None
    assert problem.input_bounds == {"n": int(bound[1].replace(",", ""))}


@BY_NAME
def test_the_statement_shows_its_first_tests(example: Example):
    problem = example.problem
    shown = problem_of_text(problem.prompt).unit_tests
    assert len(shown) >= 2
    for sample, test in zip(shown, problem.unit_tests, strict=False):
        assert sample.input == test.input
        assert sample.output == test.output.rstrip("\n")
    assert 4 <= len(problem.unit_tests) <= 8
    assert problem.task_id == example.name


@BY_NAME
def test_the_generator_reaches_the_bound(example: Example, pool: CellPool):
    bound = example.problem.input_bounds["n"]
    source = GeneratorSource(example.generator.encode(), pool)
    assert (source.says.n_min, source.says.n_max) == (1, bound)
    for n in (1, bound):
        first = source.get(Point(n), 1).content.read().split(maxsplit=1)[0]
        assert int(first) == n


@BY_NAME
def test_the_script_says_whose_generator_it_is(example: Example):
    plans = [
        plan
        for plan in json.loads((example.folder / "replies.json").read_text())["planner"]
        if "$file" not in plan
    ]
    own = [plan.get("input_generator") == {"$file": "generate.py"} for plan in plans]
    assert own == [example.planner_generates] * len(plans)


def test_every_problem_is_listed_and_tested():
    names = {example.name for example in EXAMPLES}
    assert {file.parent.name for file in PROBLEMS.glob("*/problem.json")} == names
    listed = (PROBLEMS / "README.md").read_text()
    for example in EXAMPLES:
        folder = f"examples/problems/{example.name}"
        command = f"steelyard solve {folder}/problem.json --models scripted:{folder}/replies.json"
        if not example.planner_generates:
            command += f" --generator {folder}/generate.py"
        if example.language == "python":
            command += " --language python"
        assert f"`{command}`" in listed
