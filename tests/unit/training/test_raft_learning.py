"""Steps of a cycle's training."""

import pytest

from steelyard.training import RAFTConfig
from steelyard.training.raft._learning import steps_of


@pytest.mark.parametrize(
    ("rows", "size", "steps"),
    [
        (1_000, 2, (16, 10)),
        (1_000, 1, (32, 10)),  # memory ran out: as many rows to a step as before
        (100, 2, (16, 4)),  # eight steps
        (20, 2, (10, 1)),
        (1, 1, (1, 1)),
    ],
)
def test_a_step_has_the_configured_rows_and_warming_up_ends(
    rows: int, size: int, steps: tuple[int, int]
) -> None:
    config = RAFTConfig(train_batch_size=2, gradient_accumulation_steps=16, warmup_steps=10)
    assert steps_of(config, rows, size) == steps
