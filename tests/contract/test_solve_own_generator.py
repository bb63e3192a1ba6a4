"""The user's own generator is tried before any model is asked."""

from pathlib import Path

import pytest

from steelyard.errors import GeneratorError, UsageError
from steelyard.models import Reply, Request
from steelyard.sandbox import CellPool
from steelyard.schemas import ProblemInput
from steelyard.solving import SolveOptions, Solver

GOOD = "def generate(n, seed):\n    return f'{n}\\n' + '1 ' * n + '\\n'\n"
BROKEN = {
    "def generate(n, seed:\n": "line 1, is not valid Python",
    "def generate(n, seed):\n    raise ValueError('no')\n": "at n = 5 raises ValueError: no",
    "def generate(n, seed):\n    return None\n": "returns None",
    "x = 1\n": "defines no function generate",
}
IGNORES_N = "def generate(n, seed):\n    return '3\\n1 2 3\\n'\n"
NOT_ALIKE = "import random\ndef generate(n, seed):\n    return f'{n}\\n{random.random()}\\n'\n"
NAME = "vllm:silent"


class Silent:
    """A model that has nothing to say."""

    name = NAME

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, request: Request) -> Reply:
        self.asked += 1
        return Reply(text="", model="silent")


async def solved(pool: CellPool, logs: Path, text: str, **fields: object) -> tuple[int, list[str]]:
    """How often a model was asked, and the stages."""
    problem = ProblemInput.model_validate(
        {
            "task_id": "sum",
            "prompt": "Add.",
            "input_generator": text,
            "unit_tests": [{"input": "3\n1 2 3\n", "output": "6\n"}],
            **fields,
        }
    )
    model, stages = Silent(), list[str]()
    solver = Solver(
        SolveOptions(
            planner=NAME,
            coder=NAME,
            analyst=NAME,
            language="python",
            pool=pool,
            on_event=lambda event: stages.append(event.stage),
        ),
        logs=logs,
        models=dict.fromkeys(("planner", "coder", "analyst"), model),
    )
    try:
        result = await solver.asolve(problem)
    except GeneratorError:
        assert model.asked == 0
        assert not logs.exists()
        raise
    assert result.stop == "agent-crashes"
    return model.asked, stages


@pytest.mark.parametrize("bounds", [{}, {"n": 50}])
@pytest.mark.parametrize(("text", "said"), BROKEN.items(), ids=[*BROKEN.values()])
async def test_a_broken_one_ends_the_call(
    pool: CellPool, tmp_path: Path, text: str, said: str, bounds: dict[str, int]
) -> None:
    with pytest.raises(UsageError) as caught:
        await solved(pool, tmp_path / "logs", text, input_bounds=bounds)
    assert str(caught.value).startswith("input_generator: ")
    assert said in str(caught.value)


async def test_one_that_ignores_n_ends_the_call_where_n_is_known(
    pool: CellPool, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="ignores n"):
        await solved(pool, tmp_path / "logs", IGNORES_N, input_bounds={"n": 50})
    with pytest.raises(UsageError, match="ignores n"):
        await solved(pool, tmp_path / "logs", f"n_max = 50\n{IGNORES_N}")
    asked, _ = await solved(pool, tmp_path / "logs", IGNORES_N)  # the planner may state a small n
    assert asked > 0


async def test_one_that_follows_chance_ends_the_call(pool: CellPool, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a different input at n = 5 each time"):
        await solved(pool, tmp_path / "logs", NOT_ALIKE)


@pytest.mark.parametrize("bounds", [{}, {"n": 50}, {"n": 1}])
async def test_a_good_one_is_told_of_and_lets_the_run_begin(
    pool: CellPool, tmp_path: Path, bounds: dict[str, int]
) -> None:
    asked, stages = await solved(pool, tmp_path / "logs", GOOD, input_bounds=bounds)
    assert asked > 0
    assert stages[:2] == ["generator", "plan"]
