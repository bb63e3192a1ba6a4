"""A stated input format writes arguments, reads them back, and describes itself."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.authoring.specification import check_specification
from steelyard.errors import SpecificationError
from steelyard.schemas import Specification
from steelyard.values import format_of, layout_of, text_of_arguments
from tests.unit.values.test_stdio import types, values_of


def spec(input_format: str, **parameters: str) -> Specification:
    return Specification.model_validate(
        {
            "title": "t",
            "description": "d",
            "returns": "int",
            "input_format": input_format,
            "parameters": [{"name": name, "type": kind} for name, kind in parameters.items()],
        }
    )


@pytest.mark.parametrize(
    ("task", "args", "text"),
    [
        (spec("n k\nnums[n]", nums="list[int]", k="int"), ([3, 1, 2], 7), "3 7\n3 1 2\n"),
        (spec("n\nnums[n]", nums="list[int]"), ([],), "0\n\n"),
        (spec("t:\nn\nnums[n]", nums="list[int]"), ([5],), "1\n1\n5\n"),
        (spec("n\na[n]\nb[n]", a="list[int]", b="list[int]"), ([1], [2]), "1\n1\n2\n"),
        (
            spec("n m\nedges[m]...", n="int", edges="list[tuple[int, int]]"),
            (3, [[1, 2], [2, 3]]),
            "3 2\n1 2\n2 3\n",
        ),
        (
            spec("n\nedges[n-1][2]...", n="int", edges="list[list[int]]"),
            (3, [[1, 2], [2, 3]]),
            "3\n1 2\n2 3\n",
        ),
        (spec("r c\ngrid[r][c]...", grid="list[str]"), (["#.", "##"],), "2 2\n#.\n##\n"),
        (spec("r c\ngrid[r][c]...", grid="list[list[int]]"), ([[1], [2]],), "2 1\n1\n2\n"),
        (spec("r c\ngrid[r][c]...", grid="list[list[int]]"), ([],), "0 0\n"),
        (spec("s", s="str"), (" two words ",), " two words \n"),
        (spec("n\ns[n]", s="str"), ("ab",), "2\nab\n"),
        (spec("name age", name="str", age="int"), ("ann", 7), "ann 7\n"),
        (
            spec("a[]\nrows[][]...", a="list[int]", rows="list[list[int]]"),
            ([], [[1], []]),
            "\n1\n\n",
        ),
        (spec("a\nb", a="list[int]", b="int | None"), ([4, 5], None), "2 4 5\n0\n"),
    ],
)
def test_a_format_writes_and_reads(task: Specification, args: tuple[Any, ...], text: str) -> None:
    assert text_of_arguments(task, args) == text
    assert layout_of(task).read(text) == [args]


_NUMBER, _WORD = st.integers(-(10**9), 10**9), st.text("ab#.", min_size=1, max_size=5)
_LINE = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=6)
FORMS: dict[str, tuple[str, st.SearchStrategy[Any]]] = {
    "{0}n\n{0}[{0}n]": ("list[int]", st.lists(_NUMBER, max_size=4)),
    "{0}n\n{0}[{0}n] ": ("list[str]", st.lists(_WORD, max_size=4)),
    "{0}n\n{0}[{0}n]...": ("list[str]", st.lists(_LINE, max_size=4)),
    "{0}n\n{0}[{0}n][]...": (
        "list[list[int]]",
        st.lists(st.lists(_NUMBER, max_size=3), max_size=4),
    ),
    "{0}n\n{0}[{0}n][2]...": (
        "list[list[str]]",
        st.lists(st.lists(_WORD, min_size=2, max_size=2), max_size=4),
    ),
    "{0}[] ": ("list[tuple[int, str]]", st.lists(st.tuples(_NUMBER, _WORD).map(list), max_size=4)),
    "{0}": ("str", _LINE),
}


@settings(max_examples=60)
@given(st.data())
def test_what_a_format_writes_is_read_back(data: st.DataObject) -> None:
    lines, kinds, args = [], {}, []
    for name in data.draw(st.sampled_from([("a",), ("a", "b"), ("c", "b", "a")])):
        if data.draw(st.booleans()):
            form = data.draw(st.sampled_from(sorted(FORMS)))
            kinds[name], values = FORMS[form]
            args.append(data.draw(values))
            lines.append(form.format(name))
        else:  # in the documented form, in a line with another value
            kind = data.draw(types().filter(lambda kind: "str" not in str(kind)))
            kinds |= {name: str(kind), f"{name}k": "int"}
            args += [data.draw(values_of(kind)), data.draw(_NUMBER)]
            lines.append(f"{name} {name}k")
    task = spec("\n".join(lines), **kinds)
    text = text_of_arguments(task, args)
    assert layout_of(task).read(text) == [tuple(args)]
    several = spec("\n".join(["t:", *lines]), **kinds)
    assert layout_of(several).read(f"2\n{text}{text}") == [tuple(args)] * 2
    assert all(name in format_of(task) for name in kinds)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2\n1 2 3\n", "expected the end of the line in line 2"),
        ("2\n1\n", "expected"),
        ("3\n1 x 2\n", "expected an integer in line 2"),
        ("2\n1 2\n3\n", "expected the end in line 3"),
        ("-1\n\n", "expected a count"),
        ("999999999\n1\n", "expected a count"),
        ("", "expected more in line 1"),
    ],
)
def test_a_text_of_another_form_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(SpecificationError, match=message):
        layout_of(spec("n\nnums[n]", nums="list[int]")).read(text)


def test_a_text_that_ends_early_lacks_a_line() -> None:
    with pytest.raises(SpecificationError, match="expected a line in line 2"):
        layout_of(spec("n\ns[n]...", s="list[str]")).read("2\na")
    hostile = layout_of(spec("a b c\nx[a][b][c]", x="list[list[list[int]]]"))
    with pytest.raises(SpecificationError, match="expected a count"):
        hostile.read("9000 9000 0\n" + " " * 20_000)


@pytest.mark.parametrize(
    ("task", "args", "message"),
    [
        (
            spec("n\na[n]\nb[n]", a="list[int]", b="list[int]"),
            ([1], []),
            r"b has length 0, and \[n\] is 1",
        ),
        (spec("n\na[n]", n="int", a="list[int]"), (2, [1]), r"a has length 1, and \[n\] is 2"),
        (spec("a[2]", a="list[int]"), ([1],), r"a has length 1, and \[2\] is 2"),
        (spec("k\na[k]", a="list[int]", k="int"), ([1], 3), r"\[k\] is 3; add a constraint that"),
        (spec("n m\na[n][m]...", a="list[str]"), (["x", "yz"],), r"a\[i\] has length 2, and"),
        (spec("n\na[n]", a="list[str]"), (["a b"],), "'a b' is not one word"),
        (spec("s", s="str"), ("a\nb",), "is not one line"),
    ],
)
def test_arguments_without_a_text_are_an_error(
    task: Specification, args: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(
        SpecificationError, match=f"^(the arg.* in the input format|input_format): .*{message}"
    ):
        text_of_arguments(task, args)


@pytest.mark.parametrize(
    ("input_format", "message"),
    [
        ("n k\nnums", "n is not a parameter or size; remove it, or give a list"),
        ("nums[n]\nn k", "line 1: the size n of nums must come before it"),
        ("nums[n", r"line 1: 'nums\[n' is not a value; write n, nums"),
        ("n\nnums[n*2] k", r"line 2: \[n\*2\] is not a size"),
        ("n\nnums[n][2] k", r"line 2: nums\[n\]\[2\] has 2 sizes and the type list\[int\]"),
        ("nums[-1] k", r"line 1: nums\[-1\] has a negative size"),
        ("nums[] k", r"line 1: \[\] of nums must be the last in its line"),
        ("k\nk nums[]", "line 2: k is there twice"),
        ("k\n\nnums...", "line 3: nums... must be a list with a size, alone"),
        ("nums[]...\nk", "other lines follow those of nums; give their number"),
        ("k", "the parameter nums is missing; add it"),
    ],
)
def test_a_faulty_format_is_named(input_format: str, message: str) -> None:
    faulty = spec(input_format, nums="list[int]", k="int")
    with pytest.raises(SpecificationError, match=f"input_format.*{message}"):
        layout_of(faulty)


def test_a_specification_whose_examples_do_not_fit_has_a_fault() -> None:
    plain = spec("n\na[n]\nb[n]", a="list[int]", b="list[int]").model_dump()
    faulty = Specification.model_validate(
        {**plain, "examples": [{"args": [[1], []], "expected": 0}]}
    )
    assert any("input_format: b has length 0" in each for each in check_specification(faulty))


def test_a_format_in_words() -> None:
    text = format_of(spec("t:\nn k\ngrid[n][2]...\ns", k="int", grid="list[list[int]]", s="str"))
    assert text.splitlines()[:4] == [
        "Input: the number of tests, and for each test, a line each:",
        "- n: the size n of grid; k: an integer",
        "- grid: n lines, each 2 items, each an integer",
        "- s: a text up to the end of the line",
    ]
