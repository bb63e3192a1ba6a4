"""`steelyard solve`, `show` and `replay` as a user meets them."""

import json
import re
from pathlib import Path

import pytest

from steelyard.solving import SolveOptions
from tests.e2e.conftest import Run

SCRIPTED = "scripted:replies.json"
ROLES = ("planner", "coder", "analyst")

WRONG = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n + 2; }\n"
RIGHT = "#include <iostream>\nint main() { long n; std::cin >> n; std::cout << 2 * n; }\n"
PROBLEM = {
    "task_id": "double",
    "prompt": "Read a number and print its double.",
    "unit_tests": [{"input": "2\n", "output": "4\n"}, {"input": "5\n", "output": "10\n"}],
}
PLAN = {"problem_statement": "Double it.", "algorithm": "Multiply by two."}
SCRIPT = {"planner": [PLAN], "coder": [{"code_cpp": WRONG}, {"code_cpp": RIGHT}]}


def without_seconds(text: str) -> str:
    return re.sub(r"\d+\.\d s", "", text)


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    (tmp_path / "replies.json").write_text(json.dumps(SCRIPT))
    file = tmp_path / "problem.json"
    file.write_text(json.dumps(PROBLEM))
    return file


def test_a_run_its_story_and_its_replay(steelyard: Run, problem: Path, tmp_path: Path) -> None:
    solved = steelyard(
        "solve", problem, "--models", SCRIPTED, "--allow-unmeasured", "--out", "best.cpp"
    )
    assert solved.returncode == 0, solved.stderr
    assert "SUCCESS  double" in solved.stdout
    assert "growth    not measured" in solved.stdout
    assert "no model is asked" in solved.stderr
    for stage in ("plan", "code", "judge", "verdict"):
        assert stage in solved.stderr
    assert (tmp_path / "best.cpp").read_text() == RIGHT

    story = steelyard("show", "double")
    assert story.returncode == 0
    for said in ("turn 0", "1 of 2 pass", "back to the coder", "turn 1", "2 of 2 pass", "SUCCESS"):
        assert said in story.stdout
    assert "std::cout" not in story.stdout
    assert "n + 2" in steelyard("show", "logs/double", "--code").stdout
    told = json.loads(steelyard("show", "double", "--json").stdout)
    assert [turn["verdict"]["efficient"] for turn in told["turns"]] == [False, None]
    assert told["result"]["status"] == "success"

    replayed = steelyard("replay", "double")
    assert replayed.returncode == 0
    assert "the same decisions" in replayed.stdout
    for command, whole in (("show", story), ("replay", replayed)):
        (tmp_path / command).write_text("no problem")  # a file's name never decides
        again = steelyard("solve", command, "double")
        assert without_seconds(again.stdout) == without_seconds(whole.stdout)
    named = steelyard("solve", "./show")
    assert (named.returncode, "show is not a problem" in named.stderr) == (2, True), named.stderr


def test_json_is_one_object_and_nothing_else(steelyard: Run, problem: Path) -> None:
    done = steelyard("solve", problem, "--models", SCRIPTED, "--allow-unmeasured", "--json")
    result = json.loads(done.stdout)
    assert (result["status"], result["stop"], result["tests_passed"]) == ("success", "right", 2)
    assert result["code"]["code_cpp"] == RIGHT
    assert done.stderr == ""


def test_without_evidence_success_must_be_allowed(steelyard: Run, problem: Path) -> None:
    done = steelyard("solve", problem, "--models", SCRIPTED, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"], result["stop"]) == (1, "failed", "unproved")
    assert "--allow-unmeasured" in result["reason"]
    resumed = steelyard("solve", "--resume", "logs/double", "--allow-unmeasured", "--json")
    assert (resumed.returncode, json.loads(resumed.stdout)["stop"]) == (0, "right")


def test_a_failure_has_status_1_and_its_best_program(steelyard: Run, problem: Path) -> None:
    done = steelyard("solve", problem, "--models", SCRIPTED, "--max-iter", "1", "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert (result["stop"], result["tests_passed"], result["tests"]) == ("max-iterations", 1, 2)
    assert result["code"]["code_cpp"] == WRONG


def test_a_text_with_samples_is_a_problem(steelyard: Run, problem: Path) -> None:
    assert problem.exists()
    text = "Double a number.\n\nExample\n\nInput:\n2\n\nOutput:\n4\n"
    done = steelyard("solve", "--text", text, "--models", SCRIPTED, "--allow-unmeasured", "--json")
    result = json.loads(done.stdout)
    assert result["task_id"].startswith("text-")
    assert (result["status"], result["tests"]) == ("success", 1), done.stdout


def test_a_text_without_samples_proves_nothing(steelyard: Run, problem: Path) -> None:
    assert problem.exists()
    done = steelyard(
        "solve", "--text", "Double it.", "--models", SCRIPTED, "--allow-unmeasured", "--json"
    )
    result = json.loads(done.stdout)
    assert done.returncode == 1
    assert (result["status"], result["stop"]) == ("failed", "unproved")
    assert result["code"]


def test_lines_are_not_folded_where_they_go_to_a_file(steelyard: Run, problem: Path) -> None:
    said = dict(PROBLEM, task_id="double-" + "x" * 90)
    problem.write_text(json.dumps(said))
    done = steelyard("solve", problem, "--models", SCRIPTED, "--allow-unmeasured", COLUMNS="60")
    begins = f"SUCCESS  {said['task_id']}: it passes all tests"
    assert [line for line in done.stdout.splitlines() if line.startswith(begins)], done.stdout
    assert "\ntests     2 of 2 tests\n" in done.stdout


def test_without_a_key_the_role_the_variable_and_the_flag_are_named(
    steelyard: Run, problem: Path
) -> None:
    done = steelyard("solve", problem, "--planner", "anthropic:claude", ANTHROPIC_API_KEY="")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    for word in ("--planner", "ANTHROPIC_API_KEY", "--models"):
        assert word in done.stderr


def test_help_names_the_default_models(steelyard: Run) -> None:
    shown = steelyard("solve", "--help", COLUMNS="200").stdout
    text = " ".join(shown.split())
    for role in ROLES:
        option = text.partition(f"--{role} MODEL ")[2]
        assert f"[default: {getattr(SolveOptions(), role)}]" in option.partition(" --")[0]


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("{", "the script replies.json: not JSON"),
        ("[]", 'the script replies.json must be an object such as {"coder": [...]}'),
        ('{"coder": 3}', "replies.json: 'coder' must be a list of replies, got int; write it"),
        (None, "the script replies.json cannot be read: No such file or directory; give a JSON"),
    ],
)
def test_a_script_of_replies_that_cannot_be_read_is_one_line(
    steelyard: Run, problem: Path, tmp_path: Path, script: str | None, line: str
) -> None:
    replies = tmp_path / "replies.json"
    replies.unlink() if script is None else replies.write_text(script)
    done = steelyard("solve", problem, "--models", "scripted:replies.json")
    assert (done.returncode, done.stdout) == (2, "")
    announced, error = done.stderr.splitlines()
    assert announced == "no model is asked: replies come from the script replies.json"
    assert error.startswith(f"steelyard: {line}")


def test_half_of_a_surrogate_pair_in_a_reply_is_a_bad_reply(steelyard: Run, problem: Path) -> None:
    script = {**SCRIPT, "coder": ["\ud800 prose", *SCRIPT["coder"]]}
    (problem.parent / "replies.json").write_text(json.dumps(script))
    done = steelyard("solve", problem, "--models", SCRIPTED, "--allow-unmeasured", "--json")
    assert done.returncode == 0, done.stderr
    kept = json.loads((problem.parent / "logs/double/iter_0/02_coder.json").read_text())
    assert kept["reply"]["text"] == "? prose"


def test_a_generator_that_is_broken_ends_the_call_before_any_reply(
    steelyard: Run, problem: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("def generate(n, seed:\n")
    done = steelyard("solve", problem, "--models", SCRIPTED, "--generator", "broken.py")
    assert done.returncode == 2
    assert "--generator: broken.py: the generator, line 1, is not valid Python" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "logs").exists()
