import pytest

from importer.rows import import_rows, newest


@pytest.fixture
def rows():
    return [f"{i}; name {i}" if i % 4 else f"broken {i}" for i in range(120)]


def test_good_rows(rows):
    assert len(import_rows(rows)) == 90


def test_values():
    assert import_rows(["7; Kim", " 8 ;Lee"]) == [(7, "Kim"), (8, "Lee")]


def test_bad_rows():
    assert import_rows(["a;b", "1;2;3", ""]) == []


def test_newest(rows):
    assert newest(rows) == 119
