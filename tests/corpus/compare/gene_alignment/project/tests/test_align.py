import pytest

from align.global_score import align


@pytest.mark.parametrize(
    "a, b, score",
    [("", "", 0), ("A", "", -2), ("GATTACA", "GATTACA", 7), ("GATTACA", "GCATGCU", -1)],
)
def test_known(a, b, score):
    assert align(a, b) == score


def test_long():
    a = "".join("ACGT"[i * i % 7 % 4] for i in range(50))
    assert align(a, a[5:]) == 45 - 10


def test_either_way():
    assert align("ACGTTT" * 4, "ACT" * 8) == align("ACT" * 8, "ACGTTT" * 4)
