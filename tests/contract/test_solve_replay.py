"""A run's artefacts are told from edited and damaged ones, and a wrong call from a right one."""

import json
import shutil
from pathlib import Path

import pytest

from steelyard.runs import RunFolder
from tests.contract.solve_shell import (
    PROBLEM,
    RIGHT,
    WHOLE,
    Models,
    Shell,
    decided,
)
from tests.model_server import ModelServer
from tests.needs import needs
from tests.warm_command import Done, WarmCommand

pytestmark = [needs("openai"), pytest.mark.xdist_group("solve_replay")]


@pytest.fixture(scope="module")
def finished(warm: WarmCommand, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run's folder; its models are gone."""
    with ModelServer() as server:
        shell = Shell(warm, tmp_path_factory.mktemp("finished"), Models(server))
        assert shell.solve().wait().status == 0
        return shell.folder


@pytest.fixture
def copy(finished: Path, tmp_path: Path, warm: WarmCommand) -> Path:
    shutil.copytree(finished / "logs", tmp_path / "logs")
    return tmp_path / "logs" / "sum"


def edited(file: Path, **fields: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


def replayed(warm: WarmCommand, folder: Path) -> Done:
    nothing = {"OPENAI_API_KEY": None, "STEELYARD_CACHE__DIR": str(folder / "no-cache")}
    return warm.run("replay", folder, "--json", cwd=folder.parents[1], **nothing)


def test_a_replay_needs_neither_key_nor_network_and_writes_nothing(
    warm: WarmCommand, copy: Path
) -> None:
    before = {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    done = replayed(warm, copy)
    assert (done.status, done.json()["differences"]) == (0, [])
    assert done.json()["result"]["code"]["code_cpp"] == RIGHT
    assert {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()} == before


def test_a_verdict_that_was_edited_is_told(warm: WarmCommand, copy: Path) -> None:
    edited(copy / "iter_0" / "verdict.json", efficient=True, target_agent=None, patch=None)
    done = replayed(warm, copy)
    assert (done.status, done.json()["differences"]) == (1, ["iter_0/verdict"])


@pytest.mark.parametrize("iteration", [0, 1])
def test_a_test_result_that_was_edited_is_told(
    warm: WarmCommand, copy: Path, iteration: int
) -> None:
    other = copy / f"iter_{1 - iteration}" / "tests.json"
    shutil.copy(other, copy / f"iter_{iteration}" / "tests.json")
    done = replayed(warm, copy)
    assert done.status == 1
    assert {f"iter_{iteration}/verdict", "result"} & set(done.json()["differences"])


def test_a_result_that_was_edited_is_told(warm: WarmCommand, copy: Path) -> None:
    edited(copy / "result.json", tests_passed=1)
    done = replayed(warm, copy)
    assert (done.status, done.json()["differences"]) == (1, ["result"])


def test_a_program_that_was_edited_is_told(warm: WarmCommand, copy: Path) -> None:
    edited(copy / "iter_1" / "code.json", code_cpp="print(0)")
    done = replayed(warm, copy)
    assert done.status == 1
    assert "iter_1/code" in done.json()["differences"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.json", b"{"),
        ("result.json", b"\xff\xfe"),
        ("iter_0/tests.json", b""),
        ("iter_0/01_planner.json", b'{"request": 1}'),
        ("iter_0/prune.json", b'{"task_id": "sum", "step": "prune", "content": [1]}'),
    ],
)
def test_a_damaged_artefact_is_one_line(
    warm: WarmCommand, copy: Path, name: str, content: bytes
) -> None:
    assert (copy / name).exists()
    (copy / name).write_bytes(content)
    for call in (("replay", copy), ("solve", "--json", "--resume", copy), ("show", copy)):
        done = warm.run(*call, cwd=copy)
        if name == "result.json" and call[0] == "solve":
            assert done.status == 0  # it is written anew
            (copy / name).write_bytes(content)
            continue
        assert (done.status, len(done.said)) == (2, 1), call
        assert done.stdout == "" or "--json" in call
        assert name in done.stderr
    if name == "run.json":
        assert "another run" in done.stderr
        return
    assert "delete it" in done.stderr


def test_a_finished_run_that_is_resumed_keeps_its_seconds(warm: WarmCommand, copy: Path) -> None:
    edited(copy / "result.json", seconds=1_000)
    done = warm.run("solve", "--json", "--resume", copy, cwd=copy)
    assert (done.status, done.json()["seconds"] >= 1_000) == (0, True)


def test_a_run_of_another_command_is_refused_by_its_name(warm: WarmCommand, copy: Path) -> None:
    for call, name in (
        (("author", "--resume", copy), "author"),
        (("author", "show", copy), "author"),
        (("author", "replay", copy), "author"),
        (("author", "tests", "--resume", copy), "author tests"),
    ):
        done = warm.run(*call, cwd=copy)
        assert done.status == 2
        assert f"holds a run of solve, not of {name}; give another folder" in done.stderr
    edited(copy / "run.json", job="author")
    for words in (("replay",), ("solve", "--resume"), ("show",)):
        assert "a run of author, not of solve" in warm.run(*words, copy, cwd=copy).stderr


@pytest.mark.parametrize("name", ["iter_0/tests.json", "iter_0/prune.json", "iter_1/code.json"])
def test_a_damaged_artefact_that_is_deleted_is_made_again(
    warm: WarmCommand, copy: Path, name: str
) -> None:
    """Without the models: what they said is there still."""
    (copy / name).write_text("{")
    said = warm.run("solve", "--json", "--resume", copy, cwd=copy).stderr
    assert f"{copy / name} is not an artefact" in said
    assert f"delete it, and repeat that step with --resume {copy}" in said
    (copy / name).unlink()
    ended = replayed(warm, copy)
    if name == "iter_0/tests.json":
        missing = f"{name} is missing; repeat that step with --resume"
        assert missing in ended.json()["result"]["reason"]
    done = warm.run("solve", "--json", "--resume", copy, cwd=copy)
    assert decided(done) == WHOLE
    assert replayed(warm, copy).json()["differences"] == []


# ------------------------------------------------------------------------------------ wrong calls

SCRIPT = ("--models", "scripted:replies.json")
CALLS = {
    "no problem": ((), "give one problem"),
    "two problems": (("problem.json", "--text", "Add."), "give one problem"),
    "no such file": (("none.json",), "none.json cannot be read: No such file"),
    "a folder": (("logs",), "logs cannot be read: Is a directory"),
    "no JSON": (("replies.txt",), "is not a problem"),
    "an unknown field": (("unknown.json",), "(runtime)"),
    "a name that leaves the folder": (("leaves.json",), "(task_id)"),
    "logs in a file": (("problem.json", *SCRIPT, "--logs", "problem.json"), "cannot be written to"),
    "logs that nobody may write": (("problem.json", *SCRIPT, "--logs", "/proc/1"), "cannot be"),
    "an unknown provider": (("problem.json", "--models", "acme:m"), "has an unknown provider"),
    "no model": (("problem.json", "--models", "gpt-4.1"), "must be PROVIDER:MODEL"),
    "no script": (("problem.json", "--models", "scripted:none.json"), "cannot be read"),
    "no key": (("problem.json", "--models", "openai:gpt-4.1"), "variable OPENAI_API_KEY"),
    "no price": (
        ("problem.json", "--models", "openai:m@https://gateway.example/v1", "--max-cost", "1"),
        "the price of openai:m is unknown",
    ),
    "a strange language": (("problem.json", *SCRIPT, "--language", "ada"), "language"),
    "no turns": (("problem.json", *SCRIPT, "--max-iter", "0"), "--max-iter"),
    "no run": (("--resume", "nowhere"), "nowhere/run.json cannot be read"),
    "another seed": (("--resume", "logs/sum", "--seed", "2"), "has seed 0, which cannot change"),
    "another folder": (("--resume", "logs/sum", "--logs", "x"), "--logs is for a run that begins"),
    "a text that is not UTF-8": (
        ("--text", "bad \udcff", *SCRIPT),
        "text is not UTF-8 at character 5",
    ),
    "a model's name that is not UTF-8": (
        ("problem.json", "--models", "openai:\udcff"),
        "planner: ",
    ),
    "logs that are not UTF-8": (("problem.json", *SCRIPT, "--logs", "\udcff"), "is not UTF-8"),
    "a run that is not UTF-8": (("--resume", "\udcff"), "cannot be read: No such file"),
    "a run with a long name": (("--resume", "x" * 300), "cannot be read: File name too long"),
    "rules with a long name": (("problem.json", *SCRIPT, "--rules", "x" * 300), "is not a file"),
    "an output with a long name": (
        ("problem.json", *SCRIPT, "--out", "x" * 300),
        "x cannot be written: File name too long",
    ),
    "an output in a folder with a long name": (
        ("problem.json", *SCRIPT, "--out", "x" * 300 + "/best.cpp"),
        "x is not a folder; make it",
    ),
    "broken rules": (
        ("problem.json", *SCRIPT, "--rules", "rules.toml"),
        "--rules: rules.toml: line 1: rules is unknown",
    ),
    "a generator without end": (
        ("problem.json", *SCRIPT, "--generator", "/dev/zero"),
        "is larger than 1 MiB",
    ),
    "a generator that raises": (
        ("problem.json", *SCRIPT, "--generator", "raises.py"),
        "--generator: raises.py: the generator, line 2, at n = 5 raises ValueError: no",
    ),
    "no rules": (("problem.json", *SCRIPT, "--rules", "none.toml"), "is not a file"),
}


def test_a_wrong_call_is_one_line(warm: WarmCommand, copy: Path) -> None:
    folder = copy.parents[1]
    for name, fields in (
        ("problem", {}),
        ("unknown", {"runtime": 1}),
        ("leaves", {"task_id": "../x"}),
    ):
        (folder / f"{name}.json").write_text(json.dumps(PROBLEM | fields))
    (folder / "replies.json").write_text('{"planner": []}')
    (folder / "replies.txt").write_text("Solve this!")
    (folder / "rules.toml").write_text("[rules]\n")
    (folder / "raises.py").write_text("def generate(n, seed):\n    raise ValueError('no')\n")
    result = (copy / "result.json").read_bytes()
    for name, (call, said) in CALLS.items():
        done = warm.run(
            "solve",
            "--json",
            *call,
            cwd=folder,
            OPENAI_API_KEY=None,
            OPENAI_BASE_URL=None,
            STEELYARD_MODELS__PRICES=None,
        )
        assert (done.status, len(done.said)) == (2, 1), (name, done.stderr)
        assert said in done.stderr, name
        error = done.json()["error"]
        assert error["exit_status"] == 2
        assert said in error["message"]
    assert (copy / "result.json").read_bytes() == result


def test_a_folder_is_one_runs_at_a_time(warm: WarmCommand, copy: Path) -> None:
    other = RunFolder()
    other.reopen(copy, "sum")
    try:
        done = warm.run("solve", "--json", "--resume", copy, cwd=copy)
        assert (done.status, len(done.said)) == (2, 1)
        assert "another run is using" in done.stderr
    finally:
        other.close()
