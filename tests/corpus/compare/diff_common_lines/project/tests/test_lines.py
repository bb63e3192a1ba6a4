import pytest

from diffing.lines import common_lines, similarity


def program(size):
    return [f"    value_{i % 7} = step({i % 5})" for i in range(size)]


@pytest.mark.parametrize("changed", [0, 10, 29])
def test_one_line_changed(changed):
    old = program(30)
    new = [*old[:changed], "    pass", *old[changed + 1 :]]
    assert common_lines(old, new) == 29


def test_nothing_shared():
    assert common_lines(["a", "b"] * 9, ["c", "d"] * 9) == 0


def test_moved_block():
    old = program(28)
    assert common_lines(old, old[14:] + old[:14]) >= 14


def test_empty():
    assert common_lines([], ["a"]) == 0
    assert common_lines([], []) == 0


def test_similarity():
    assert similarity("a\nb\nc", "a\nx\nc") == pytest.approx(2 / 3)
