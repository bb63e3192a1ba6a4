import pytest

from tokens.wordpiece import UNKNOWN, WordPiece

SYLLABLES = [a + b + c for a in "bcdfglmnprst" for b in "aeiou" for c in ("", "n", "r", "st")]
VOCABULARY = set(SYLLABLES) | set("aeiounrst") | {"token", "tokenize", "ize", "under", "stand", "ing"}


@pytest.mark.parametrize(
    "word, pieces",
    [
        ("tokenize", ["tokenize"]),
        ("tokens", ["token", "s"]),
        ("understanding", ["under", "stand", "ing"]),
        ("banana", ["ban", "a", "na"]),
        ("x-ray", [UNKNOWN, UNKNOWN, "ra", UNKNOWN]),
    ],
)
def test_pieces(word, pieces):
    assert WordPiece.pieces(word, VOCABULARY) == pieces


def test_nothing():
    assert WordPiece.pieces("", VOCABULARY) == []


def test_sentence():
    model = WordPiece(VOCABULARY)
    assert model.encode("understand tokens") == ["under", "stand", "token", "s"]
    assert len(model.encode("lorem dolor consectetur adipiscing elit tempor incididunt")) > 12
