"""Python texts are read up to one depth, on every version of Python."""

import ast

import pytest

from steelyard._python_trees import MOST_LEVELS, python_tree


def test_a_text_gives_its_tree_and_no_warning() -> None:
    text = "x = '\\d' + (\n    y.z\n)\n"
    assert ast.dump(python_tree(text)) == ast.dump(ast.parse("x = '\\\\d' + y.z"))


@pytest.mark.parametrize(
    "text",
    ["a" + ".b" * 2 * MOST_LEVELS, "x" + "+x" * 2 * MOST_LEVELS, "f" + "()" * 2 * MOST_LEVELS],
    ids=["attributes", "sums", "calls"],
)
def test_a_deep_text_is_refused(text: str) -> None:
    with pytest.raises(RecursionError):
        python_tree(text)


def test_a_wide_text_is_read() -> None:
    assert len(python_tree("x = 1\n" * 2 * MOST_LEVELS).body) == 2 * MOST_LEVELS


def test_a_sum_of_many_terms_is_read() -> None:
    assert python_tree("x = " + " + ".join(["1"] * 900)).body
