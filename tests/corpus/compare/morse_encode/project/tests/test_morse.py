import pytest

from radio.morse import encode


@pytest.mark.parametrize("text, code", [("sos", "... --- ..."), ("a b", ".- / -..."), ("7!", ""), ("", "")])
def test_short(text, code):
    assert encode(text) == code


def test_long():
    assert encode("the quick brown fox jumps over the lazy dog " * 5).count("/") == 44


def test_case():
    assert encode("Attention All Ships In Range") == encode("ATTENTION ALL SHIPS IN RANGE")
