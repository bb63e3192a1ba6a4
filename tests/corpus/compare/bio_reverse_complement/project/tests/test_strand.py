import pytest

from bio.strand import is_palindrome, reverse_complement

GENOME = "".join("ACGT"[i * i % 7 % 4] for i in range(600))


@pytest.mark.parametrize("sequence, other", [("ACGT", "ACGT"), ("AAC", "GTT"), ("acX-", "-Ngt"), ("", "")])
def test_short(sequence, other):
    assert reverse_complement(sequence) == other


def test_twice_is_the_same():
    assert reverse_complement(reverse_complement(GENOME)) == GENOME


def test_gaps():
    assert reverse_complement("A" * 50 + "---" + "G" * 50) == "C" * 50 + "---" + "T" * 50


def test_palindrome():
    assert is_palindrome("GAATTC")
    assert not is_palindrome("GAATTT")
    assert not is_palindrome("")
