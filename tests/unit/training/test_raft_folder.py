"""A run's folder: nothing is lost, nothing is mixed."""

from pathlib import Path

import pytest

from steelyard.errors import ArtefactError, UsageError
from steelyard.runs import disk_faults
from steelyard.schemas import TrainingCycle
from steelyard.training.raft._folder import RaftFolder, lines_of
from tests.unit.training.raft_samples import sample

HEAD = {"model": "m", "learning_rate": 0.1}


def begun(path: Path) -> RaftFolder:
    return RaftFolder(path, HEAD, resume=False)


def test_a_run_is_not_written_over(tmp_path: Path) -> None:
    begun(tmp_path).close()
    with pytest.raises(UsageError, match="resume it with --resume"):
        RaftFolder(tmp_path, HEAD, resume=False)


def test_a_changed_option_does_not_reuse_old_samples(tmp_path: Path) -> None:
    begun(tmp_path).close()
    with pytest.raises(UsageError, match=r"learning_rate is 0\.1 there and 0\.2 here"):
        RaftFolder(tmp_path, HEAD | {"learning_rate": 0.2}, resume=True)
    RaftFolder(tmp_path, HEAD, resume=True).close()


def test_there_must_be_a_run_to_resume(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no run to resume"):
        RaftFolder(tmp_path, HEAD, resume=True)


def test_a_run_that_could_not_begin_leaves_none(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(UsageError, match="no model"), begun(tmp_path):
            raise UsageError("no model")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ArtefactError("full"), UsageError("none")])
def test_a_run_that_ended_before_its_model_was_open_is_resumed(
    tmp_path: Path, error: BaseException
) -> None:
    begun(tmp_path).close()  # as one that was killed
    with pytest.raises(type(error)), RaftFolder(tmp_path, HEAD, resume=True):
        raise error
    RaftFolder(tmp_path, HEAD, resume=True).close()


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    with (
        begun(tmp_path),
        pytest.raises(UsageError, match="another run is using"),
    ):
        RaftFolder(tmp_path, HEAD, resume=True)


def test_a_line_that_was_cut_off_is_sampled_again(tmp_path: Path) -> None:
    with begun(tmp_path) as folder:
        folder.append_lines("s.jsonl", lines_of([sample("a", 0), sample("a", 1)]))
        whole = (tmp_path / "s.jsonl").read_bytes()
        (tmp_path / "s.jsonl").write_bytes(whole[:-7])
        assert folder.samples("s.jsonl") == [sample("a", 0)]
        folder.append_lines("s.jsonl", lines_of([sample("a", 1)]))
        assert (tmp_path / "s.jsonl").read_bytes() == whole


def test_hostile_text_survives_the_disk(tmp_path: Path) -> None:
    text = "\x00\u2028\r\n\ud800é" * 3
    with begun(tmp_path) as folder:
        lines = lines_of([sample("a", 0, completion=text.replace("\ud800", ""))])
        folder.append_lines("s.jsonl", lines)
        assert folder.samples("s.jsonl")[0].completion == text.replace("\ud800", "")


def test_figures_of_earlier_cycles_stay(tmp_path: Path) -> None:
    with begun(tmp_path) as folder:
        for number in range(3):
            folder.write(
                f"cycle_{number}/cycle.json", TrainingCycle(cycle=number).model_dump_json()
            )
    with RaftFolder(tmp_path, HEAD, resume=True) as folder:
        assert [each.cycle for each in folder.done()] == [0, 1, 2]


def test_a_complete_cycle_needs_its_model(tmp_path: Path) -> None:
    with begun(tmp_path) as folder:
        for number in range(3):
            text = TrainingCycle(cycle=number).model_dump_json()
            folder.write(f"cycle_{number}/cycle.json", text)
        (tmp_path / "cycle_x").mkdir()  # somebody's own
        with pytest.raises(UsageError, match=r"cycle_2/model is missing, and cycle 2 is complete"):
            folder.checkpoint()
        for number in (1, 2, 3):
            (tmp_path / f"cycle_{number}" / "model").mkdir(parents=True)
            found = folder.checkpoint() if number > 1 else None
            assert found is None or found == (number, tmp_path / f"cycle_{number}" / "model")


def test_a_run_without_training_has_no_model_yet(tmp_path: Path) -> None:
    with begun(tmp_path) as folder:
        assert folder.checkpoint() is None
        folder.write("cycle_0/cycle.json", TrainingCycle(cycle=0).model_dump_json())
        assert folder.checkpoint() is None


@pytest.mark.parametrize("text", ["{", "[]", '{"losses": "x"}'])
def test_figures_that_cannot_be_read_are_one_line(tmp_path: Path, text: str) -> None:
    with begun(tmp_path) as folder:
        folder.write("cycle_0/cycle.json", text)
        with pytest.raises(UsageError, match=r"cycle\.json is not an artefact .*; delete it"):
            folder.done()


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), RuntimeError("I/O error: No space left")]
)
def test_a_full_disk_is_one_line(tmp_path: Path, error: Exception) -> None:
    said = "cannot be written: [Nn]o space left.*; free disk space, then resume"
    with pytest.raises(ArtefactError, match=said), disk_faults(tmp_path):
        raise error
