import pytest

from metrics.histogram import bucket_counts, exponential_edges


@pytest.fixture(params=[50, 200])
def latencies(request):
    return [100 + i * i * 31 % 60000 for i in range(request.param)]


def test_all_are_counted(latencies):
    assert sum(bucket_counts(latencies, exponential_edges(50, 20))) == len(latencies)


def test_linear_edges(latencies):
    counts = bucket_counts(latencies, list(range(0, 60000, 1500)))
    assert counts[0] == 0


def test_an_edge_belongs_to_the_upper_bucket():
    assert bucket_counts([9, 10, 11], [10]) == [1, 2]


def test_edges_in_any_order():
    assert bucket_counts([1, 5, 9], [8, 4]) == [1, 1, 1]


def test_no_edges():
    assert bucket_counts([1, 2], []) == [2]
