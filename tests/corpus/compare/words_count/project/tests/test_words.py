import pytest

from corpus.words import frequencies, hapaxes

SPEECH = "to be or not to be that is the question whether tis nobler in the mind to suffer " * 3


@pytest.mark.parametrize("word, count", [("to", 9), ("be", 6), ("question", 3)])
def test_speech(word, count):
    assert frequencies(SPEECH)[word] == count


def test_all():
    assert frequencies("b a B") == {"b": 2, "a": 1}


def test_empty():
    assert frequencies("  ") == {}


def test_hapaxes():
    assert hapaxes("one fish two fish") == 2
