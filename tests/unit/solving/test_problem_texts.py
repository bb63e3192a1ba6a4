"""Texts of a user's problem: what can be read, and what one line says of the rest."""

from pathlib import Path

import pytest

from steelyard.errors import UsageError
from steelyard.models import ScriptedModel
from steelyard.schemas import ProblemInput
from steelyard.solving import SolveOptions, Solver, problem_of_text, read_generator

NAME = "scripted:none.json"


def test_a_text_that_is_not_unicode_is_told() -> None:
    with pytest.raises(UsageError, match="text is not UTF-8 at character 5"):
        problem_of_text("bad \udcff")


def test_the_name_of_a_file_is_not_a_text(tmp_path: Path) -> None:
    file = tmp_path / "problem.json"
    file.write_text("{}")
    solver = Solver(SolveOptions(planner=NAME, coder=NAME, analyst=NAME), logs=None)
    with pytest.raises(UsageError, match=f"got the name of a file, {file}; give Path"):
        solver.solve(str(file))


def test_a_generator_is_read(tmp_path: Path) -> None:
    file = tmp_path / "generate.py"
    file.write_text("def generate(n, seed): ...  # \N{SNOWMAN}\n", "utf-8")
    assert read_generator(file).endswith("\N{SNOWMAN}\n")
    assert len(read_generator(_of_size(tmp_path, 1 << 20))) == 1 << 20


def _of_size(folder: Path, size: int) -> Path:
    (folder / "large.py").write_bytes(b"#" * size)
    return folder / "large.py"


def test_a_generator_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"# \xff\n")
    for file, said in (
        (Path("/dev/zero"), "larger than 1 MiB"),
        (_of_size(tmp_path, (1 << 20) + 1), "larger than 1 MiB"),
        (tmp_path / "latin.py", "it is not UTF-8"),
        (tmp_path / "none.py", "No such file"),
        (tmp_path, "Is a directory"),
        (Path("a\0b"), "null byte"),
    ):
        with pytest.raises(UsageError, match=said):
            read_generator(file)


@pytest.mark.parametrize(
    "fields",
    [{"input_generator": "\ud800"}, {"unit_tests": [{"input": "\ud800", "output": ""}]}],
)
async def test_a_problem_that_no_artefact_can_hold_is_told(
    fields: dict[str, object], tmp_path: Path
) -> None:
    problem = ProblemInput.model_validate({"task_id": "a", "prompt": "p", **fields})
    options = SolveOptions(planner=NAME, coder=NAME, analyst=NAME)
    with pytest.raises(UsageError, match="surrogate"):
        await Solver(options, logs=tmp_path / "logs").asolve(problem)


async def test_folders_whose_names_no_artefact_can_hold_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "\udcff"
    script = tmp_path / "none.json"
    script.write_text("{}")
    solver = Solver(
        SolveOptions(planner=f"scripted:{script}", coder=NAME, analyst=NAME),
        logs=folder,
        models=dict.fromkeys(("planner", "coder", "analyst"), ScriptedModel(script)),
    )
    for run in (
        solver.asolve(ProblemInput(task_id="a", prompt="p")),
        solver.aresume(folder),
        solver.areplay(folder),
    ):
        with pytest.raises(UsageError, match="name is not UTF-8"):
            await run
    assert not folder.exists()


def test_a_bound_that_is_not_there_is_told() -> None:
    options = SolveOptions(planner=NAME, coder=NAME, analyst=NAME)
    with pytest.raises(UsageError, match=r"'foo' is not a bound; the bounds are .*max_iter"):
        options.changed(foo=3)
    with pytest.raises(UsageError, match="has seed 0, which cannot change"):
        options.changed(seed=2)
    assert options.changed(max_iter=5, seed=None).max_iter == 5
