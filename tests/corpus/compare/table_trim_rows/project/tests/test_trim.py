import pytest

from sheets.trim import height, trim_rows


@pytest.fixture
def table():
    return [[f"r{i}c{j}" if (i * j) % 3 else " " for j in range(1, 7)] for i in range(1, 60)]


def test_nothing_to_cut(table):
    assert trim_rows(table) == table


def test_cut(table):
    assert trim_rows(table + [["", " "], [""]]) == table


def test_empty_rows_within_stay():
    assert trim_rows([["a"], [""], ["b"]]) == [["a"], [""], ["b"]]


def test_all_empty():
    assert trim_rows([[""], [" "]]) == []


def test_height(table):
    assert height(table + [[""]]) == 59
