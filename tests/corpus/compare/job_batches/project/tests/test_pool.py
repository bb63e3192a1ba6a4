import asyncio

import pytest

from jobs.pool import run_all


@pytest.mark.parametrize("batch", [1, 5, 50])
def test_batches_do_not_matter(batch):
    numbers = [i * 11 % 90 for i in range(20)]
    assert asyncio.run(run_all(numbers, batch)) == [sum(i * i % 7 for i in range(n)) for n in numbers]


def test_none():
    assert asyncio.run(run_all([], 4)) == []


def test_bad_batch():
    with pytest.raises(ValueError):
        asyncio.run(run_all([1], 0))
