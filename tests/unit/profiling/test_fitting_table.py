"""Means and standard errors of counts over runs of one size."""

import numpy as np
import pytest

from steelyard.profiling._records import Point
from steelyard.profiling.fitting import Observation, noisy_share
from steelyard.profiling.fitting._class_from_counts import CountTable


def table_of(*counts: tuple[int, ...]) -> CountTable:
    """One size for each tuple, one run for each count in it."""
    return CountTable.of(
        [
            Observation(Point(2**place), 1, {"a": count, "b": 1})
            for place, of_size in enumerate(counts)
            for count in of_size
        ]
    )


def test_means_are_over_the_runs_of_each_size() -> None:
    table = table_of((10,), (20, 40), (90, 110, 100))
    assert table.n.tolist() == [1, 2, 4]
    assert table.means(table.blocks["a"]).tolist() == [10, 30, 100]
    assert table.total().tolist() == [11, 31, 101]


def test_a_block_that_a_run_does_not_name_was_not_entered() -> None:
    table = CountTable.of([Observation(Point(1), 1, {"a": 4}), Observation(Point(1), 1, {"b": 2})])
    assert table.means(table.blocks["a"]).tolist() == [2]
    assert table.added(["a", "b"]).tolist() == [4, 2]
    assert table.added([]).tolist() == [0, 0]


def test_one_run_of_each_size_tells_no_noise() -> None:
    table = table_of((10,), (20,), (40,))
    assert table.noise(table.blocks["a"]).tolist() == [0, 0, 0]


def test_noise_is_the_standard_error_as_a_share() -> None:
    table = table_of((90, 110), (180, 220), (360, 440))
    expected = np.std([0.9, 1.1], ddof=1) / np.sqrt(2)
    assert table.noise(table.blocks["a"]) == pytest.approx([expected] * 3)
    assert table.noise(table.blocks["b"]).tolist() == [0, 0, 0]


def test_a_size_with_one_run_has_the_noise_of_its_neighbours() -> None:
    table = table_of((90, 110), (200,), (400,))
    noise = table.noise(table.blocks["a"])
    assert noise[1] == pytest.approx(np.std([0.9, 1.1], ddof=1))
    assert noise[2] == 0


def test_chosen_sizes_keep_their_runs() -> None:
    table = table_of((1,), (2, 4), (5,)).at(np.array([1, 2]))
    assert table.n.tolist() == [2, 4]
    assert table.means(table.blocks["a"]).tolist() == [3, 5]


def test_the_share_that_two_runs_differ_by_is_of_blocks_that_matter() -> None:
    assert noisy_share({"a": 100, "b": 1}, {"a": 100, "b": 3}, 0.05) == 0
    assert noisy_share({"a": 100}, {"a": 80}, 0.05) == pytest.approx(0.2)
    assert noisy_share({"a": 100}, {"a": 100, "c": 50}, 0.05) == 1
    assert noisy_share({}, {}, 0.05) == 0
