"""`steelyard author`: whole suites without a model, clear errors, and what stays in the folder."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Run
from tests.warm_command import WarmCommand

SPEC: dict[str, Any] = {
    "title": "Second <largest>",
    "returns": "int | None",
    "description": "Return the second largest different number; null if there is none.",
    "parameters": [{"name": "nums", "type": "list[int]"}],
    "constraints": ["0 <= len(nums) <= 12", "all(-99 <= x <= 99 for x in nums)"],
    "examples": [{"args": [[3, 1, 2]], "expected": 2}, {"args": [[5, 5]], "expected": None}],
}
RIGHT = """\
class Solution:
    def solve(self, nums):
        different = sorted(set(nums))
        return different[-2] if len(different) > 1 else None
"""
READER = """\
n, *nums = map(int, open(0).read().split())
different = sorted(set(nums))
print(f"1 {different[-2]}" if len(different) > 1 else 0)
"""
FEW = ("--cases", "4")
DB = ("--db", "problems.db")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(SPEC))
    return file


@pytest.fixture(scope="module")
def whole(warm: WarmCommand, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run without a model, and the database that stores its results."""
    pytest.importorskip("sqlalchemy")
    folder = tmp_path_factory.mktemp("whole")
    (folder / "spec.json").write_text(json.dumps(SPEC))
    (folder / "right.py").write_text(RIGHT)
    done = warm.run(
        "author",
        "--spec",
        "spec.json",
        "--solution",
        "right.py",
        "--out",
        "second",
        "--mutants",
        "8",
        "--store",
        *FEW,
        *DB,
        cwd=folder,
        OPENAI_API_KEY="",
        ANTHROPIC_API_KEY="",
    )
    assert done.status == 0, done.stderr + done.stdout
    assert "no model is asked" in done.stdout
    assert "stored as second: suite 1" in done.stdout
    return folder


@pytest.fixture
def second(whole: Path, tmp_path: Path) -> Path:
    """A copy of the run's results."""
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    return tmp_path / "second"


def test_a_whole_suite_without_a_model(steelyard: Run, second: Path, tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(READER)
    for program, tests, entry in [
        ("right.py", "second/tests/calls.jsonl", ("--entry", "class:Solution.solve")),
        ("reader.py", "second/tests", ()),
    ]:
        judged = steelyard("judge", program, *entry, "--tests", tests)
        assert judged.returncode == 0, judged.stdout
    strong = steelyard(
        "author",
        "strength",
        "second/suite.json",
        "--solution",
        "right.py",
        "--spec",
        "spec.json",
        "--mutants",
        "8",
        "--json",
    )
    assert strong.returncode == 0, strong.stderr
    problem = json.loads((second / "problem.json").read_text())
    assert {"input": "2\n5 5\n", "output": "0\n"} in problem["unit_tests"]
    page = (second / "report.html").read_text()
    assert "Second &lt;largest&gt;" in page
    assert "<largest>" not in page
    shown = steelyard("author", "show", "second", "--json")
    assert json.loads(shown.stdout)["stop"] == "complete"
    assert "Second <largest>" in steelyard("author", "show", "second").stdout
    assert steelyard("author", "replay", "second").returncode == 0


def test_without_a_solution_outputs_are_unknown(steelyard: Run, spec: Path, tmp_path: Path) -> None:
    done = steelyard("author", "--spec", spec, "--out", "out", *FEW, "--models", "none", "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert (report["status"], report["stop"]) == ("open", "no-outputs")
    assert "give a solution" in report["reason"]
    lines = (tmp_path / "out" / "tests" / "calls.jsonl").read_text().splitlines()
    assert [json.loads(line)["expected"] for line in lines] == [2, None]


def test_a_solution_that_contradicts_the_examples(
    steelyard: Run, spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "wrong.py").write_text(RIGHT.replace("[-2]", "[0]"))
    done = steelyard(
        "author",
        "--spec",
        spec,
        "--solution",
        "wrong.py",
        "--out",
        "out",
        *FEW,
        "--models",
        "none",
        "--json",
    )
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert "solve([3, 1, 2]) gives 1; the example expects 2" in report["reason"]


def test_two_solutions_that_contradict_each_other_are_a_question(
    steelyard: Run, spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "right.py").write_text(RIGHT)
    differs = RIGHT.replace("else None", "else nums[0] if len(nums) == 1 else None")
    (tmp_path / "differs.py").write_text(differs)
    done = steelyard(
        "author",
        "--spec",
        spec,
        "--solution",
        "right.py",
        "--solution",
        "differs.py",
        "--out",
        "out",
        *FEW,
        "--models",
        "none",
        "--json",
    )
    report = json.loads(done.stdout)
    assert (done.returncode, report["stop"]) == (1, "disputed")
    question = report["questions"][0]
    assert question["text"].startswith("What must solve([")
    assert {len(each["solutions"]) for each in question["readings"]} == {1}
    disputed = [each for each in report["suite"]["cases"] if each["trust"] == "disputed"]
    assert disputed
    assert not any(each["has_expected"] for each in disputed)


def test_a_wrong_call_is_one_line(steelyard: Run, spec: Path, tmp_path: Path) -> None:
    fault = tmp_path / "fault.json"
    fault.write_text(json.dumps({**SPEC, "constraints": ["len(nums) > 5", "len(nums) < 3"]}))
    hostile = tmp_path / "hostile.json"
    hostile.write_text(json.dumps({**SPEC, "constraints": ["(lambda: 1)()"]}))
    text = tmp_path / "text.json"
    text.write_text("{")
    own = tmp_path / "project" / "tests"
    own.mkdir(parents=True)
    for args, words in [
        (("a request",), "--out"),
        (("--out", "o"), "give one request"),
        (("text", "--spec", spec, "--out", "o"), "give one of the three"),
        (("--spec", fault, "--out", "o"), "example 1 breaks the constraint"),
        (("--spec", hostile, "--out", "o"), "the specification has a fault"),
        (("--spec", text, "--out", "o"), "it is not JSON"),
        (("--spec", spec, "--out", spec), "is not a folder"),
        (("--spec", spec, "--out", "project"), "project holds tests, which no run of author has"),
        (("--spec", spec, "--out", "o", "--solutions", "0"), "--solutions"),
        (("--spec", spec, "--out", "a b", "--store"), "'a b' cannot name a problem"),
        (("--spec", spec, "--out", "o", "--solution", "none.py"), "none.py"),
        (("a request", "--out", "o", "--models", "none"), "a request needs a model"),
        (("?!", "--out", "o", "--models", "x:y"), "the request asks for nothing"),
        (("show", tmp_path), "cannot be read"),
        (("replay", tmp_path), "cannot be read"),
    ]:
        done = steelyard("author", *args)
        assert done.returncode == 2, (args, done.stderr)
        assert words in done.stderr, args
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "o").exists(), args
    assert list(own.parent.iterdir()) == [own]


def test_results_are_stored_and_take_submissions(
    steelyard: Run, second: Path, tmp_path: Path
) -> None:
    (tmp_path / "wrong.py").write_text(RIGHT.replace("set(nums)", "nums"))
    stored = steelyard("author", "store", "second", *DB)
    assert stored.returncode == 0, stored.stderr
    assert stored.stdout.startswith("second: suite 1"), "it is the same version"
    result = second / "run" / "result.json"
    resumed = json.loads(result.read_text())
    resumed["spending"]["calls"] = 1
    resumed["notes"] += ["n" * 3_000]
    result.write_text(json.dumps(resumed))
    stored = steelyard("author", "store", "second", *DB)
    assert stored.returncode == 0, stored.stderr
    log = steelyard("db", "export", "events.jsonl", *DB)
    assert log.returncode == 0, log.stderr
    steps = [
        event["record"]["payload"]["step"]
        for event in map(json.loads, (tmp_path / "events.jsonl").read_text().splitlines())
        if event.get("record", {}).get("kind") == "run.step"
    ]
    assert steps[0] == "inputs"
    assert "strength_0" in steps
    assert len(steps) == len(set(steps)), "a run that was resumed has each step once"
    right = steelyard("author", "submit", "second", "right.py", *DB)
    assert right.returncode == 0, right.stderr
    wrong = steelyard("author", "submit", "second", "wrong.py", *DB)
    assert wrong.returncode == 1, wrong.stdout
    records = json.loads(steelyard("db", "status", *DB, "--json").stdout)["records"]
    names = ("problems", "suite_versions", "strengths", "runs")
    assert [records[each] for each in names] == [1, 1, 1, 2]


@pytest.mark.parametrize(
    ("fields", "body", "program"),
    [
        (
            {
                "returns": "tuple[int, int]",
                "examples": [{"args": [[3, 1]], "expected": [1, 3]}],
                "match_mode": "unordered",
            },
            "return [max(nums), min(nums)]",
            "_, *nums = map(int, open(0).read().split())\nprint(max(nums), min(nums), sep='\\n')\n",
        ),
        (
            {
                "returns": "float",
                "examples": [{"args": [[3, 1]], "expected": 2.0}],
                "match_mode": "numeric",
            },
            "return sum(each / len(nums) for each in nums)",
            "_, *nums = map(int, open(0).read().split())\nprint(sum(nums) / len(nums) + 1e-12)\n",
        ),
        (
            {
                "returns": "list[int]",
                "examples": [{"args": [[3, 1]], "expected": [1, 3]}],
                "output_type": "in-place",
            },
            "nums.sort()",
            "_, *nums = map(int, open(0).read().split())\nprint(len(nums), *sorted(nums))\n",
        ),
    ],
)
def test_the_report_shows_how_to_judge(
    fields: dict[str, Any], body: str, program: str, steelyard: Run, tmp_path: Path
) -> None:
    spec = SPEC | fields | {"constraints": ["1 <= len(nums) <= 12", *SPEC["constraints"][1:]]}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    answer = {"unordered": "(min(nums), max(nums))", "numeric": "sum(nums) / len(nums)"}
    given = f"return {answer[spec['match_mode']]}" if "match_mode" in spec else body
    head = "class Solution:\n    def solve(self, nums):\n        "
    (tmp_path / "given.py").write_text(f"{head}{given}\n")
    done = steelyard(
        "author",
        "--spec",
        "spec.json",
        "--solution",
        "given.py",
        "--models",
        "none",
        "--out",
        ".",
        "--cases",
        "1",
        "--mutants",
        "0",
    )
    assert done.returncode == 0, done.stderr + done.stdout
    (tmp_path / "solution.py").write_text(f"{head}{body}\n")
    (tmp_path / "program.py").write_text(program)
    lines = (tmp_path / "report.md").read_text().replace("program.cpp", "program.py").splitlines()
    commands = [line.split()[1:] for line in lines if line.startswith("steelyard judge")]
    assert len(commands) == 2
    for command in commands:
        judged = steelyard(*command)
        assert judged.returncode == 0, judged.stdout + judged.stderr
