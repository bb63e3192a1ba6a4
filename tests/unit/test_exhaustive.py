"""The shares of the exhaustive tests are disjoint, complete and of about the same size."""

import pytest

from tests.exhaustive import Share

KEYS = [f"tests/contract/test_compare_corpus.py[{number}]" for number in range(600)]


def test_each_key_is_in_one_share_of_six() -> None:
    shares = [Share.parse(f"{part}/6") for part in range(1, 7)]
    sizes = [0] * 6
    for key in KEYS:
        (holder,) = [place for place, share in enumerate(shares) if share.holds(key)]
        sizes[holder] += 1
    assert min(sizes) > 70, sizes


def test_all_and_none_are_what_they_say() -> None:
    assert all(Share.parse("all").holds(key) for key in KEYS)
    assert not any(Share.parse("none").holds(key) for key in KEYS)


@pytest.mark.parametrize("text", ["", "0/6", "7/6", "1/0", "2", "some", "1/6/6", "-1/6"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(pytest.UsageError, match="none, all or K/N"):
        Share.parse(text)
