"""With a key set nothing that a user or a model wrote is in clear in a run's folder."""

import asyncio
import shutil
from pathlib import Path

import pytest

from steelyard.errors import CacheKeyError, UsageError
from steelyard.sandbox import CellPool
from steelyard.solving import Solver, read_solve_story
from tests.contract.solve_team import array, plan, problem, solved

KEY, OTHER = "ab" * 32, "cd" * 32
MARK = "pomegranate"
PROGRAM = f"import sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))  # {MARK}\n"


def a_run(pool: CellPool, folder: Path) -> None:
    given = problem(f"Add n numbers, n <= 500: {MARK}.", ("2\n1 2\n", "3\n"), n=500)
    plans = [plan(array("[rng.randint(0, 99) for _ in range(n)]"), algorithm=MARK)]
    result, _ = solved(
        given,
        {
            "planner": plans,
            "coder": [{"code_cpp": PROGRAM}],
            "reference": [{"code_python": PROGRAM}],
        },
        pool,
        folder,
        language="python",
    )
    assert result.status == "success", result.reason


@pytest.fixture(scope="module")
def encrypted(pool: CellPool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with a key."""
    folder = tmp_path_factory.mktemp("encrypted")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CACHE_ENCRYPT_KEY", KEY)
        a_run(pool, folder)
    return folder / "task"


@pytest.fixture
def folder(encrypted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, with the key in the environment."""
    monkeypatch.setenv("CACHE_ENCRYPT_KEY", KEY)
    return shutil.copytree(encrypted, tmp_path / "task")


def test_prompts_replies_and_programs_are_encrypted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [file for file in folder.rglob("*") if file.is_file() and file.stat().st_size]
    assert len(files) > 10
    assert not [file for file in files if MARK.encode() in file.read_bytes()]
    assert not [file for file in files if b"print" in file.read_bytes()]
    assert MARK in read_solve_story(folder).head.problem.prompt
    assert asyncio.run(Solver(logs=folder.parent).areplay(folder)).differences == ()
    for wrong in (OTHER, None):
        monkeypatch.setenv("CACHE_ENCRYPT_KEY", wrong) if wrong else monkeypatch.delenv(
            "CACHE_ENCRYPT_KEY"
        )
        with pytest.raises(CacheKeyError, match="set CACHE_ENCRYPT_KEY to that key"):
            read_solve_story(folder)


def test_an_artefact_of_another_place_is_not_taken(folder: Path) -> None:
    turn = folder / "iter_0"
    (turn / "plan.json").write_bytes((turn / "code.json").read_bytes())
    with pytest.raises(UsageError, match="was changed"):
        read_solve_story(folder)
