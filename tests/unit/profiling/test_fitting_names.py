"""Two ways of writing one growth are one class."""

import json
from pathlib import Path

import pytest

from steelyard.profiling.fitting import LADDER, canonical, grows_faster, same_class

CORPUS = Path(__file__).parents[2] / "corpus" / "complexity"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("O(n+m)", "O(m+n)"),
        ("O(V+E)", "O(n + m)"),
        ("O(m + n log n)", "O(n log n + m)"),
        ("O(n alpha(n))", "O(n)"),
        ("O(n log log n)", "O(n)"),
        ("O(phi^n)", "O(2^n)"),
        ("O(n 2^n)", "O(n^2 2^n)"),
        ("O((n-1)!)", "O(n*n!)"),
        ("O(n*m + n)", "O(n m)"),
        ("O(n*m + m log n)", "O(n*m)"),
        ("O((n-m)*m)", "O(n*m)"),
        ("O(n log^2 n + n)", "O(n log n log n)"),
        ("O(n^1.5)", "O(n sqrt n)"),
        ("O((n+m) log n)", "O(n log n + m log m)"),
    ],
)
def test_one_growth_has_one_name(a: str, b: str) -> None:
    assert same_class(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("O(n)", "O(n log n)"),
        ("O(n+m)", "O(n)"),
        ("O(n+m)", "O(n*m)"),
        ("O((n+m) log n)", "O(n log n + m)"),
        ("O(2^n)", "O(n!)"),
        ("O(log n)", "O(1)"),
        ("O(m)", "O(n)"),
    ],
)
def test_other_growths_have_other_names(a: str, b: str) -> None:
    assert not same_class(a, b)


def test_names_of_the_ladder_are_canonical() -> None:
    assert [canonical(name) for name in LADDER] == list(LADDER)


def test_every_label_of_the_corpus_is_understood() -> None:
    labels = [json.loads(path.read_text()) for path in sorted(CORPUS.glob("*/label.json"))]
    names = {name for label in labels for name in label["time_accept"] + label["space_accept"]}
    assert names
    for name in names:
        assert canonical(canonical(name)) == canonical(name)
        assert canonical(name).startswith("O(")
        assert grows_faster(canonical(name), name) is False, "it is a complexity, not other text"
    written = {name for name in names if canonical(name) == name}
    assert {"O(n*m)", "O(n+m)", "O((n+m) log n)", "O(n log n + m)", "O(m log n)"} <= written


@pytest.mark.parametrize("text", ["unsure", "", "O(", "O(n", "n log n", "O(n+)", "O(?)", "O(n^)"])
def test_other_text_is_left_alone(text: str) -> None:
    assert canonical(text) == text
