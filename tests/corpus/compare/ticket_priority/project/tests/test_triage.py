import pytest

from helpdesk.triage import Queue, Ticket


@pytest.fixture
def queue():
    tags = [(), ("ui",), ("blocker", "db"), ("db", "slow")]
    return Queue([Ticket(i, i * 13 % 80, tags[i % 4], i % 5 == 0) for i in range(240)])


@pytest.mark.parametrize("limit_h", [0, 24, 48])
def test_old(queue, limit_h):
    numbers = queue.urgent(limit_h)
    assert numbers == sorted(numbers)
    assert not any(number % 5 == 0 for number in numbers)


def test_only_blockers(queue):
    assert all(number % 4 == 2 for number in queue.urgent(1000))


def test_empty():
    assert Queue().urgent(1) == []
