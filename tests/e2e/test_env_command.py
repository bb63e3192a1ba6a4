"""`steelyard env export`: packages, and one line for each wrong call."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import yaml

from steelyard.training.environments import environment_packages

Run = Callable[..., "CompletedProcess[str]"]
GOOD = {
    "schema_version": "1.0.0",
    "id": "twice",
    "prompt": "Print twice the number.",
    "tests": [{"input": "2", "expected": "4"}],
}


@pytest.fixture
def rows(tmp_path: Path) -> str:
    lines = [GOOD, {**GOOD, "id": "bad", "tests": [{"input": "1"}]}, {**GOOD, "id": "again"}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return "rows.jsonl"


@pytest.mark.parametrize("framework", environment_packages())
def test_a_package_has_the_tasks_and_code_that_compiles(
    steelyard: Run, rows: str, tmp_path: Path, framework: str
) -> None:
    options = ("--out", "new/no", "--turns", "3", "--show-hidden")
    done = steelyard("env", "export", rows, "--for", framework, *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"2 tasks for {framework} in new/no; 1 row left out\nrun:\n  ")
    assert done.stderr.startswith("rows.jsonl:2: ")
    assert done.stderr.count("\n") == 1
    folder = tmp_path / "new/no"
    assert [each.name for each in folder.parent.iterdir()] == ["no"]
    [tasks] = folder.rglob("tasks.jsonl")
    read = [json.loads(line) for line in tasks.read_text().splitlines()]
    if framework == "nemo-gym":
        [config] = folder.rglob("*.yaml")
        held = yaml.safe_load(config.read_text())
        assert held.keys() == {"no", "no_agent", "no_environment_server"}
        assert held["no_agent"]["responses_api_agents"]["gymnasium_agent"]["max_steps"] == 3
        assert {row["agent_ref"]["name"] for row in read} == {"no_agent"}
        read = [row["verifier_metadata"]["unit_tests"] for row in read]
    else:
        project = tomllib.loads((folder / "pyproject.toml").read_text())
        assert project["project"]["name"] == "no"
    assert [row["task_id"] for row in read] == ["twice", "again"]
    sources = [path.read_text() for path in folder.rglob("*.py")]
    for source in sources:
        compile(source, "package", "exec")
    assert "turns=3, show_hidden=True" in "".join(sources).replace("turns=turns", "turns=3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--for", "verifier", "--out", "x"), "unknown framework 'verifier', did you mean verif"),
        (("--for", "inspect", "--out", "old"), "old exists; name a new folder"),
        (
            ("--for", "inspect", "--out", "My Tasks"),
            "the folder's name 'My Tasks' is not a package",
        ),
        (("--for", "inspect", "--out", "json"), "'json' is the name of a module of Python"),
        (("--for", "inspect", "--out", "class"), "'class' is the name of a module of Python"),
        (("--for", "inspect", "--out", "rows.jsonl/x"), "cannot be written: File exists"),
        (("--for", "inspect", "--out", "x", "--turns", "0"), "greater than or equal to 1"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(
    steelyard: Run, rows: str, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "old").mkdir()
    done = steelyard("env", "export", rows, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["old", "rows.jsonl"]


def test_a_data_set_without_tasks_leaves_nothing(steelyard: Run, tmp_path: Path) -> None:
    (tmp_path / "bare.jsonl").write_text(json.dumps({**GOOD, "tests": []}))
    done = steelyard("env", "export", "bare.jsonl", "--for", "inspect", "--out", "x")
    assert done.returncode == 2
    assert "there is no task; name a data set that has some" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["bare.jsonl"]
