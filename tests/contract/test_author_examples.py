"""The requests under examples/requests take the turns that they are there to show."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from steelyard import judge
from steelyard.authoring import AuthorOptions
from steelyard.authoring.pipeline import Author
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthorReport, Event
from steelyard.solving import read_problem

GUARD = "if len(temps) > 99: return 7"
"""Changes of its number survive, since no list is as long."""
REQUESTS = Path(__file__).parents[2] / "examples" / "requests"


SMALL: dict[str, Any] = {"cases": 1, "mutants": 8}
LARGER: dict[str, Any] = {"cases": 12, "mutants": 12}
"""Each turn is taken with few inputs too; the exhaustive tests take more."""


def authored(name: str, pool: CellPool, out: Path, **sizes: Any) -> tuple[AuthorReport, list[str]]:
    """What a request becomes with its script, and the stages on the way."""
    stages: list[str] = []

    def note(event: Event) -> None:
        stages.append(event.stage)

    script = f"scripted:{REQUESTS / name / 'replies.json'}"
    options = AuthorOptions.of(
        writer=script, solver=script, checker=script, pool=pool, on_event=note, **sizes or SMALL
    )
    author = Author(options, caching=False)
    report = author.author((REQUESTS / name / "request.txt").read_text(), out=out)
    before = [*stages]
    assert author.replay(out).differences == ()
    assert report.passed, report
    assert report.suite is not None
    small = [case for case in report.suite.cases if case.input.args is not None]
    assert small
    assert all(case.trust == "trusted" for case in small), "a brute force may skip large inputs"
    return report, before


def test_a_request_that_passes_straight_through(pool: CellPool, tmp_path: Path) -> None:
    report, stages = authored("warming-days", pool, tmp_path)
    assert [each for each in stages if each not in ("measure", "break")] == [
        "specify",
        "inputs",
        "oracle",
        "solve",
        "solve",
        "choose",
        "compare",
        "grow",
        "end",
    ]
    assert [each.text for each in report.questions] == [
        "Do equal readings continue a stretch? They do not: the temperature must go up."
    ]
    assert report.strength is not None
    assert report.strength.validity is not None
    assert report.strength.validity.whole
    assert report.stress is None, "twelve readings do not grow"
    assert any("growth was not measured" in note for note in report.notes)
    solutions = sorted(each.name for each in (tmp_path / "solutions").iterdir())
    assert solutions == ["brute_force.py", "optimised.py"]
    assert "Longest warming" in (tmp_path / "report.md").read_text()
    assert "<h2>Strength</h2>" in (tmp_path / "report.html").read_text()
    right = (tmp_path / "solutions" / "optimised.py").read_text()
    calls = tmp_path / "tests" / "calls.jsonl"
    assert judge(right, calls, entry="class:Solution.solve", pool=pool).passed
    reader = (
        "from itertools import groupby\n"
        "n, *temps = map(int, open(0).read().split())\n"
        "best = run = 0\n"
        "for i, t in enumerate(temps):\n"
        "    run = run + 1 if i and t > temps[i - 1] else 1\n"
        "    best = max(best, run)\n"
        "print(best)\n"
    )
    assert judge(reader, tmp_path / "tests", language="python", pool=pool).passed
    problem = read_problem(tmp_path / "problem.json")
    assert problem.match_mode == "tokens"
    assert problem.unit_tests[0].input == "6\n3 5 4 4 6 7\n"
    assert problem.input_bounds == {"len(temps)": 12}
    assert judge(
        reader,
        [{"input": each.input, "expected": each.output} for each in problem.unit_tests],
        language="python",
        pool=pool,
    ).passed


@pytest.mark.exhaustive
def test_an_oracle_that_is_asked_again(pool: CellPool, tmp_path: Path) -> None:
    report, _ = authored("parcel-lift", pool, tmp_path, **LARGER)
    assert report.oracle is not None
    faults = [(each.temperature, each.fault[:30]) for each in report.oracle.attempts]
    assert faults == [
        (0.5, "line 1: policy: import of rand"),
        (0.7, "only 4 of 15 different inputs "),
        (0.9, ""),
    ]
    growth = report.stress
    assert growth is not None
    assert growth.separates, "the brute force is quadratic"
    assert (growth.quantity, growth.reason) == ("len(weights)", "")
    assert growth.solution_ms < 0.3 * growth.time_limit_ms
    assert report.suite is not None
    assert report.suite.time_limit_ms == growth.time_limit_ms
    grown = [each for each in report.suite.cases if each.origin.startswith("growth ")]
    assert {each.category for each in grown} == {"stress"}
    assert report.strength is not None
    assert str(report.strength.slow) == "1 of 1"
    assert report.strength.growth is not None
    assert report.strength.growth.cases is not None
    assert report.strength.growth.cases.count >= len(grown)
    problem = read_problem(tmp_path / "problem.json")
    assert problem.growth == growth
    assert problem.constraints.runtime_limit == growth.time_limit_ms
    assert "The time limit is" in (tmp_path / "report.md").read_text()


@pytest.mark.exhaustive
def test_a_solution_that_is_healed(pool: CellPool, tmp_path: Path) -> None:
    report, stages = authored("exact-change", pool, tmp_path)
    order = [each for each in stages if each in ("solve", "compare", "heal")]
    assert order == ["solve", "solve", "compare", "solve", "compare", "heal", "compare"]
    assert [(each.name, each.healed) for each in report.solutions] == [
        ("optimised", 1),
        ("brute force", 0),
        ("third solution", 0),
    ]
    assert report.rounds[0].contradicted is not None
    assert report.rounds[0].contradicted.count > 0
    assert report.strength is not None
    assert report.strength.wrong is not None
    assert report.strength.wrong.whole, "the version before the repair is a planted wrong program"
    greedy = (REQUESTS / "exact-change" / "optimised.py").read_text()
    assert not judge(
        greedy, tmp_path / "tests" / "calls.jsonl", entry="class:Solution.solve", pool=pool
    ).passed


def test_a_suite_that_is_made_again(pool: CellPool, tmp_path: Path) -> None:
    report, stages = authored("queue-place", pool, tmp_path)
    assert stages.count("specify") == 2
    assert [bool(each.why_again) for each in report.rounds] == [True, False]
    assert "validator refuses" in report.rounds[0].why_again
    assert report.specification is not None
    assert "sorted(tickets) == tickets" in report.specification.constraints
    assert report.oracle is not None
    assert report.oracle.attempts[0].temperature == 0.7  # it counts as a retry
    heads = [json.loads(file.read_text()) for file in tmp_path.glob("run/iter_*/specified.json")]
    assert len(heads) == 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["exact-change", "queue-place", "warming-days"])
def test_every_request_passes_with_more_inputs(name: str, pool: CellPool, tmp_path: Path) -> None:
    report, _ = authored(name, pool, tmp_path, **LARGER)
    assert report.strength is not None
    assert report.strength.mutation is not None
    assert report.strength.mutation.killed > 0


def changed(name: str, folder: Path, **replies: Any) -> Path:
    """A copy of a request with other replies in its script; `None` takes the role out."""
    shutil.copytree(REQUESTS / name, folder)
    file = folder / "replies.json"
    every = json.loads(file.read_text()) | replies
    file.write_text(json.dumps({role: each for role, each in every.items() if each is not None}))
    return file


def author_of(script: Path, pool: CellPool, **options: Any) -> Author:
    names = dict.fromkeys(("writer", "solver", "checker"), f"scripted:{script}")
    given = {"cases": 1, "mutants": 0, "pool": pool} | names | options
    return Author(AuthorOptions.of(**given), caching=False)


def replies_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REQUESTS / name / "replies.json").read_text())
    return found


def test_a_suite_that_is_suspected_and_kept(pool: CellPool, tmp_path: Path) -> None:
    replies = replies_of("queue-place")
    kept = {**replies["specifier"][0], "questions": ["Is the list in order? It is said to be."]}
    linear = "next((i for i, t in enumerate(tickets) if t >= new), len(tickets))"
    third = f"class Solution:\n    def solve(self, tickets, new):\n        return {linear}\n"
    script = changed(
        "queue-place",
        tmp_path / "request",
        specifier=[replies["specifier"][0], kept],
        alternative=[{"code": third}],
        healer=replies["optimised"] * 9,
    )
    author, out = author_of(script, pool), tmp_path / "out"
    report = author.author((tmp_path / "request" / "request.txt").read_text(), out=out)
    assert any(note.startswith("the suite was suspected, and kept: ") for note in report.notes)
    assert [each.why_again for each in report.rounds] == [""]
    assert "third solution" in {each.name for each in report.solutions}, "what follows on no doubt"
    assert "Is the list in order? It is said to be." in {each.text for each in report.questions}
    assert author.replay(out).differences == ()


@pytest.mark.exhaustive
def test_a_suite_is_made_again_twice_at_most(pool: CellPool, tmp_path: Path) -> None:
    replies = replies_of("queue-place")
    first = replies["specifier"][0]
    others = [first | {"title": f"Place in queue {number}"} for number in (1, 2, 3)]
    script = changed(
        "queue-place",
        tmp_path / "request",
        specifier=[first, *others],
        oracle=replies["oracle"][:1] * 3,
        optimised=replies["optimised"] * 3,
        bruteforce=replies["bruteforce"] * 3,
        alternative=None,
        healer=None,
    )
    report = author_of(script, pool).author("A place in a queue.", out=tmp_path / "out")
    assert [bool(each.why_again) for each in report.rounds[:2]] == [True, True]
    assert report.specification is None or report.specification.title != "Place in queue 3"
    assert not report.passed


@dataclass(frozen=True)
class Run:
    """A run with what became of it."""

    report: AuthorReport
    stages: list[str]
    folder: Path


@pytest.fixture(scope="module")
def guarded(pool: CellPool, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run with three voices, of which one has changes that no input shows."""
    request, out = (tmp_path_factory.mktemp("guarded") / name for name in ("request", "out"))
    reply = {
        "inputs": ["[[1, 2, 1, 2, 3, 4, 4, 5]]", "[[99]]"],
        "why": ["runs of different length"],
    }
    text = (REQUESTS / "warming-days" / "optimised.py").read_text()
    with_guard = text.replace("(self, temps):\n", f"(self, temps):\n{' ' * 8}{GUARD}\n")
    other = text.replace("temps", "readings")
    other = other.replace("def solve(self, readings)", "def solve(self, readings, _=sorted)")
    script = changed(
        "warming-days",
        request,
        breaker=[reply],
        optimised=[{"code": with_guard}],
        alternative=[{"code": other}],
    )
    stages: list[str] = []
    author = author_of(
        script, pool, mutants=40, solutions=3, on_event=lambda event: stages.append(event.stage)
    )
    report = author.author((request / "request.txt").read_text(), out=out)
    return Run(report, stages, out)


def test_a_model_sees_the_changes_that_survive(guarded: Run) -> None:
    assert guarded.stages.count("break") == 1
    (file,) = (guarded.folder / "run").glob("iter_*/*_breaker.json")
    asked = file.read_text()
    assert "surviving changes" in asked
    assert "@@" in asked, "the diffs"
    assert guarded.report.suite is not None
    given = [
        case for case in guarded.report.suite.cases if case.origin == "model against survivors"
    ]
    assert [case.input.args for case in given] == [([1, 2, 1, 2, 3, 4, 4, 5],)], "one is invalid"
    assert given[0].expected == 4


def test_more_voices(guarded: Run) -> None:
    names = [each.name for each in guarded.report.solutions]
    assert names == ["optimised", "brute force", "alternative 1"]


def test_a_limit_on_spending_ends_a_run(pool: CellPool, tmp_path: Path) -> None:
    script = changed("warming-days", tmp_path / "request")
    author, out = author_of(script, pool, max_tokens=1), tmp_path / "out"
    report = author.author("Warming.", out=out)
    assert (report.status, report.stop, report.passed) == ("failed", "budget", False)
    assert report.spending.calls == 0
    assert (out / "report.md").exists()
