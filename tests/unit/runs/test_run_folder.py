"""Artefacts: whole or not there, kept once, and read again."""

import json
import os
from pathlib import Path

import pytest

from steelyard.errors import ArtefactError, RecordingError, UsageError
from steelyard.models import ChatTurn, Reply, Request
from steelyard.runs import RunFolder, exchanges_in, read_story
from steelyard.schemas import CodeMessage, ProblemInput, PruneFinding, RunResult
from steelyard.solving import RunHead, SolveOptions

PROBLEM = ProblemInput(task_id="a", prompt="p")
OPTIONS = SolveOptions(planner="scripted:x", coder="scripted:x", analyst="scripted:x")
HEAD = RunHead(task_id="a", problem=PROBLEM, options=OPTIONS, flags="-O2")
CODE = CodeMessage(task_id="a", code_cpp="int main() {}\n")
FOUND = (PruneFinding(rule="r", evidence="e", message="m"),)
REQUEST = Request(
    provider="scripted",
    model="x",
    role="coder",
    prompt="coder@1",
    system="s",
    messages=(ChatTurn(author="user", text="t"),),
    reply_schema={},
    max_tokens=9,
)
REPLY = Reply(text="{}", model="x")


def begun(folder: Path) -> RunFolder:
    run = RunFolder()
    run.begin(folder, HEAD)
    return run


def reopened(folder: Path) -> RunFolder:
    run = RunFolder()
    run.reopen(folder, "a")
    return run


def replayed(folder: Path) -> RunFolder:
    run = RunFolder()
    run.replay(folder, "a")
    return run


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return begun(tmp_path / "a")


def test_each_artefact_has_its_version_and_moment(run: RunFolder, tmp_path: Path) -> None:
    run.keep("code", CodeMessage, CODE)
    run.keep("prune", tuple[PruneFinding, ...], FOUND)
    run.keep_exchange("scripted:x", REQUEST, REPLY)
    files = sorted((tmp_path / "a").rglob("*.json"))
    assert [file.name for file in files] == [
        "01_coder.json",
        "code.json",
        "prune.json",
        "run.json",
    ]
    for file in files:
        said = json.loads(file.read_text())
        assert said["schema_version"] == "1.0.0"
        assert said["timestamp_utc"].endswith("Z")
        assert said["task_id"] == "a"


def test_what_is_kept_is_read_again(run: RunFolder, tmp_path: Path) -> None:
    run.keep("code", CodeMessage, CODE)
    run.keep("prune", tuple[PruneFinding, ...], FOUND)
    run.keep("fault", str, "")
    run.close()
    again = reopened(tmp_path / "a")
    assert again.known("code", CodeMessage) == CODE
    assert again.known("prune", tuple[PruneFinding, ...]) == FOUND
    assert again.known("fault", str) == ""
    assert again.known("profile", str) is None
    again.turn_to(1)
    assert again.known("code", CodeMessage) is None
    assert read_story(tmp_path / "a", RunHead, RunResult).head == HEAD


def test_what_was_kept_before_stays(run: RunFolder) -> None:
    other = CODE.model_copy(update={"code_cpp": "int main() { return 1; }\n"})
    run.keep("code", CodeMessage, CODE)
    assert run.keep("code", CodeMessage, other) == CODE


def test_a_replay_compares_and_writes_nothing(run: RunFolder, tmp_path: Path) -> None:
    run.keep("code", CodeMessage, CODE)
    replay = replayed(tmp_path / "a")
    replay.keep("code", CodeMessage, CODE.model_copy(update={"iteration": 0}))
    assert replay.differences == ()
    replay.keep("code", CodeMessage, CODE.model_copy(update={"code_cpp": "other"}))
    assert replay.differences == ("iter_0/code",)
    with pytest.raises(RecordingError, match="--resume"):
        replay.keep("verdict", str, "x")
    assert sorted(file.name for file in (tmp_path / "a").rglob("*.json")) == [
        "code.json",
        "run.json",
    ]


def test_exchanges_come_back_in_order(run: RunFolder, tmp_path: Path) -> None:
    for turn, role in ((0, "planner"), (0, "coder"), (1, "coder")):
        if turn != run.iteration:
            run.turn_to(turn)
        run.keep_exchange("scripted:x", REQUEST.model_copy(update={"role": role}), REPLY)
    found = [(each.iteration, each.request.role) for each in exchanges_in(tmp_path / "a")]
    assert found == [(0, "planner"), (0, "coder"), (1, "coder")]


def test_a_run_that_goes_on_is_left_alone(run: RunFolder, tmp_path: Path) -> None:
    for begin in (begun, reopened):
        with pytest.raises(UsageError, match="another run is using"):
            begin(tmp_path / "a")
    run.close()
    reopened(tmp_path / "a")


def test_a_run_of_before_is_kept_aside(run: RunFolder, tmp_path: Path) -> None:
    run.keep("code", CodeMessage, CODE)
    run.close()
    new = begun(tmp_path / "a")
    assert new.known("code", CodeMessage) is None
    assert replayed(tmp_path / "a.1").known("code", CodeMessage) == CODE
    new.close()
    begun(tmp_path / "a")
    assert {each.name for each in tmp_path.iterdir()} == {"a", "a.1", "a.2"}


def test_a_folder_that_holds_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give the folder of a run"):
        read_story(tmp_path, RunHead, RunResult)


@pytest.mark.parametrize("text", ["", "{", '{"task_id": "a"}', '{"task_id": "a", "more": 1}'])
def test_a_damaged_artefact_is_told(text: str, run: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "a" / "run.json").write_text(text)
    with pytest.raises(UsageError, match=r"run\.json is not an artefact"):
        read_story(tmp_path / "a", RunHead, RunResult)


def test_what_cannot_be_written_is_told_and_leaves_nothing_half_done(
    run: RunFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "a" / "iter_0"
    folder.write_text("in the way")  # a file where the folder goes
    with pytest.raises(ArtefactError, match="--resume"):
        run.keep("code", CodeMessage, CODE)
    assert sorted(os.listdir(tmp_path / "a")) == [".lock", "iter_0", "run.json"]


def test_a_run_without_a_folder_keeps_nothing(tmp_path: Path) -> None:
    run = RunFolder()
    assert run.keep("code", CodeMessage, CODE) == CODE
    assert run.known("code", CodeMessage) is None
    assert os.listdir(tmp_path) == []


def test_a_link_is_replaced_and_not_followed(run: RunFolder, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (tmp_path / "a" / "result.json").symlink_to(outside)
    run.write("result", CODE)
    assert outside.read_text() == "mine"
    assert not (tmp_path / "a" / "result.json").is_symlink()
