import pytest

from textsearch.index import Index

WORDS = "red green blue large small round square old new shiny broken cheap".split()


@pytest.fixture
def index():
    made = Index()
    for i in range(300):
        made.add(f"{WORDS[i % 12]} {WORDS[i * 5 % 7]} {WORDS[i * i % 11]} box {i}")
    return made


def test_one_word(index):
    assert len(index.query("box")) == 300


@pytest.mark.parametrize("text, count", [("red box", 86), ("box green", 108), ("box small round", 29)])
def test_several_words(index, text, count):
    assert len(index.query(text)) == count


def test_oldest_first(index):
    found = index.query("Box, Red!")
    assert found == sorted(found)


def test_unknown_word(index):
    assert index.query("box violet") == []


def test_nothing_asked(index):
    assert index.query("") == []
