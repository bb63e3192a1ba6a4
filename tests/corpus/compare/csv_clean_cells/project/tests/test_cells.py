import pytest

from tabular.cells import clean_row, is_blank


@pytest.fixture
def row():
    return [f" cell number {i} of the row " for i in range(50)]


def test_row(row):
    assert clean_row(row)[7] == "cell number 7 of the row"


def test_short():
    assert clean_row(["a b", " c", "d "]) == ["a b", "c", "d"]


@pytest.mark.parametrize("cells, answer", [([" ", ""], True), (["x"], False), ([], True)])
def test_blank(cells, answer):
    assert is_blank(cells) is answer
