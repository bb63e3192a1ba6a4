"""Arguments and answers as text: what is written is read back, and the format says how."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import SpecificationError
from steelyard.schemas import Specification
from steelyard.values import (
    PlainType,
    format_of,
    layout_of,
    match_mode_of,
    parse_type,
    text_of_answer,
    text_of_arguments,
)

_ATOMS: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(-(10**30), 10**30),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "bool": st.booleans(),
    "str": st.text(st.characters(codec="utf-8"), max_size=8),
}


def values_of(kind: PlainType) -> st.SearchStrategy[Any]:
    match kind.kind:
        case "list":
            return st.lists(values_of(kind.items[0]), max_size=4)
        case "set":
            return st.lists(values_of(kind.items[0]), max_size=4, unique=True)
        case "union":
            return st.one_of(map(values_of, kind.items))
        case "dict":
            keys = values_of(kind.key).map(str)
            return st.dictionaries(keys, values_of(kind.items[0]), max_size=4)
        case "tuple":
            return st.tuples(*map(values_of, kind.items)).map(list)
        case "optional":
            return st.none() | values_of(kind.items[0])
        case _:
            return _ATOMS[kind.kind]


def types() -> st.SearchStrategy[PlainType]:
    atoms = st.sampled_from(sorted(_ATOMS)).map(PlainType)
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            inner.map(lambda each: PlainType("list", (each,))),
            inner.map(lambda each: PlainType("dict", (each,))),
            inner.map(lambda each: PlainType("dict", (each, PlainType("int")))),
            atoms.map(lambda each: PlainType("set", (each,))),
            st.sampled_from([parse_type("int | str"), parse_type("list[int] | bool")]),
            st.lists(inner, min_size=1, max_size=3).map(lambda all_: PlainType("tuple", (*all_,))),
            atoms.map(lambda each: PlainType("optional", (each,))),
        ),
        max_leaves=4,
    )


def spec(returns: str, match_mode: str = "exact", **parameters: str) -> Specification:
    return Specification.model_validate(
        {
            "title": "t",
            "description": "d",
            "returns": returns,
            "match_mode": match_mode,
            "parameters": [{"name": name, "type": kind} for name, kind in parameters.items()],
        }
    )


@settings(max_examples=40)
@given(st.data())
def test_what_is_written_is_read_back(data: st.DataObject) -> None:
    kind = data.draw(types())
    value = data.draw(values_of(kind))
    task = spec(str(kind), x=str(kind))
    assert layout_of(task).read(text_of_arguments(task, [value])) == [(value,)]
    assert layout_of(task).read(text_of_answer(task, value)) == [(value,)]
    unordered = spec(str(kind), "unordered", x="int")
    assert layout_of(task).read(text_of_answer(unordered, value)) == [(value,)]


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("int", -7, "-7\n"),
        ("float", 0.1, "0.1\n"),
        ("float", 2, "2.0\n"),
        ("bool", True, "1\n"),
        ("str", 'a "b" \\', '"a \\"b\\" \\\\"\n'),
        ("list[int]", [3, 1, 2], "3\n3 1 2\n"),
        ("list[int]", [], "0\n"),
        ("list[list[int]]", [[1, 2], [], [5]], "3\n2 1 2\n0\n1 5\n"),
        ("list[tuple[int, int]]", [[1, 2], [3, 4]], "2\n1 2\n3 4\n"),
        ("list[str]", ["a b", ""], '2\n"a b"\n""\n'),
        ("dict[str, int]", {"a": 1, "b": 2}, '2\n"a" 1\n"b" 2\n'),
        ("tuple[int, list[int]]", [9, [1, 2]], "9\n2 1 2\n"),
        ("int | None", None, "0\n"),
        ("int | None", 5, "1 5\n"),
        ("set[int]", [3, 1], "2\n3 1\n"),
        ("dict[int, str]", {"-1": "a", "2": "b"}, '2\n-1 "a"\n2 "b"\n'),
        ("int | str", 5, "1 5\n"),
        ("list[int | str]", [5, "a"], '2\n1 5\n2 "a"\n'),
    ],
)
def test_a_value_as_text(kind: str, value: Any, text: str) -> None:
    assert text_of_arguments(spec("int", x=kind), [value]) == text


def test_items_in_any_order_have_lines_of_their_own() -> None:
    task = spec("list[tuple[int, int]]", "unordered", x="int")
    assert text_of_answer(task, [[1, 2], [3, 4]]) == "2\n1 2\n3 4\n"
    assert text_of_answer(spec("list[int]", "unordered", x="int"), [2, 1]) == "2\n2\n1\n"
    assert match_mode_of(task) == "unordered"
    for returns, text, words in [
        ("list[int]", "2\n2\n1\n", "The count and each item have a line of their own"),
        ("list[int] | None", "1\n2\n2\n1\n", "The 1, the count and each item have a line of"),
        ("tuple[int, int]", "2\n1\n", "Each item has a line of its own, in any order."),
    ]:
        task = spec(returns, "unordered", x="int")
        assert text_of_answer(task, [2, 1]) == text
        assert words in format_of(task)
    assert text_of_answer(spec("list[int] | None", "unordered", x="int"), None) == "0\n"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("int", ""),
        ("int", "x"),
        ("int", "1 2"),
        ("int", "9" * 5_000),
        ("bool", "2"),
        ("str", "bare"),
        ("str", '"open'),
        ("list[int]", "3 1 2"),
        ("list[int]", "-1"),
        ("list[int]", "99999999999999"),
        ("float", "nan"),
        ("int | None", "1"),
        ("int | str", "3 1"),
        ("dict[int, int]", '1 "1" 2'),
    ],
)
def test_another_text_is_refused(kind: str, text: str) -> None:
    with pytest.raises(SpecificationError, match="expected"):
        layout_of(spec("int", x=kind)).read(text)


def test_a_value_that_has_no_text_is_an_error() -> None:
    with pytest.raises(SpecificationError, match="cannot be written as text"):
        text_of_arguments(spec("int", x="int"), [10**5_000])
    with pytest.raises(SpecificationError, match="surrogates not allowed"):
        text_of_arguments(spec("int", x="str"), ["\ud800"])


@pytest.mark.parametrize(
    ("returns", "match_mode", "expected"),
    [
        ("list[int]", "exact", "tokens"),
        ("list[str]", "exact", "exact"),
        ("dict[str, int]", "exact", "exact"),
        ("float", "numeric", "float_tokens"),
        ("list[str]", "unordered", "unordered"),
    ],
)
def test_the_match_mode_of_text(returns: str, match_mode: str, expected: str) -> None:
    assert match_mode_of(spec(returns, match_mode, x="int")) == expected


def test_the_format_in_prose() -> None:
    text = format_of(spec("list[str]", nums="list[int]", limit="int | None"))
    *lines, output = text.splitlines()
    assert lines == [
        "Input, separated by white space:",
        "- nums: the number of items, then each item: an integer",
        "- limit: 0 if there is none, else 1 and an integer",
        "",
    ]
    assert output == (
        "Output: the number of items, then each item: a text in double quotes, in which \\ "
        'precedes each " and \\. The count and each item have a line of their own.'
    )
