"""Types of arguments, and the one way in which values are written."""

import pytest

from steelyard.errors import SpecificationError
from steelyard.values import PlainType, canonical_json, digest_of, parse_type


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("int", "int"),
        (" list[ list[int] ]", "list[list[int]]"),
        ("List[Optional[int]]", "list[int | None]"),
        ("Dict[str, Tuple[int, str]]", "dict[str, tuple[int, str]]"),
        ("Union[str, None]", "str | None"),
        ("None | int", "int | None"),
        ("int | None | None", "int | None"),
        ("None", "None"),
        ("Dict[int, Set[str]]", "dict[int, set[str]]"),
        ("set[tuple[int, str]]", "set[tuple[int, str]]"),
        ("str | int | None", "str | int | None"),
        ("Union[int, str, List[int]]", "int | str | list[int]"),
        ("int | float", "float"),
    ],
)
def test_a_type_is_read(text: str, normal: str) -> None:
    assert str(parse_type(text)) == normal
    assert parse_type(normal) == parse_type(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "number",
        "list",
        "list[int, int]",
        "dict[float, int]",
        "set[list[int]]",
        "set[int, str]",
        "tuple[]",
        "list[__import__('os')]",
        "list[" * 40 + "int" + "]" * 40,
        "(" * 10_000,
        "1" * 10_000,
        "list[int",
        "l\u0131st[int]",
        "any",
        "int\0",
    ],
)
def test_what_is_not_a_type_is_one_line(text: str) -> None:
    with pytest.raises(SpecificationError, match="is not a type of arguments; write int"):
        parse_type(text)


@pytest.mark.parametrize(
    ("kind", "value", "fault"),
    [
        ("int", True, "the value is True, expected int"),
        ("int", 1.0, "the value is 1.0, expected int"),
        ("float", float("nan"), "the value is nan, expected float"),
        ("float", "1", "the value is a text, expected float"),
        ("list[int]", [1, [2], 3], "[1] is a list, expected int"),
        ("list[float]", [1, 2.5, float("inf")], "[2] is inf, expected float"),
        ("list[list[int]]", [[1], [2, "3"]], "[1][1] is a text, expected int"),
        ("list[list[int]]", [[1], "23"], "[1] is a text, expected list[int]"),
        ("tuple[int, str]", [1], "the value has 1 items, expected tuple[int, str]"),
        ("list[tuple[int, str]]", [[1, "a"], [1, 2]], "[1][1] is 2, expected str"),
        ("dict[str, int]", {"a": None}, "['a'] is None, expected int"),
        ("dict[str, int]", {1: 1}, "the value has the key 1, expected a str"),
        ("list[int | None]", [1, None, "x"], "[2] is a text, expected int"),
        ("set[int]", [1, 2, 1], "the value has an item twice, expected set[int]"),
        ("set[int]", [1, "2"], "[1] is a text, expected int"),
        (
            "dict[int, int]",
            {"01": 1},
            'the value has the key a text, expected an int as text, such as "1"',
        ),
        (
            "set[tuple[int, int]]",
            [[k * (2**61 - 1), 0] for k in range(10_000)],
            "the value has too many items that share a hash",
        ),
        (
            "dict[int, int]",
            {str(k * (2**61 - 1)): 0 for k in range(10_000)},
            "the value has too many keys that share a hash",
        ),
        ("list[int | str]", [1, [2]], "[1] is a list, expected int | str"),
    ],
)
def test_a_wrong_value_is_named_with_its_position(kind: str, value: object, fault: str) -> None:
    assert parse_type(kind).fault_of(value) == fault


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("int", 10**4000),
        ("float", 1),
        ("list[float]", [1, 10**400, -0.0]),
        ("list[int]", []),
        ("list[list[int]]", [[], [1]]),
        ("tuple[int, list[str]]", (1, ["a"])),
        ("dict[str, list[int]]", {"a": [1], "": []}),
        ("str | None", None),
        ("list[int | None]", [None, 1]),
        ("None", None),
        ("set[int]", [3, 1, 2]),
        ("dict[int, list[int]]", {"-5": [1], "0": []}),
        ("list[int | str | None]", [1, "a", None]),
    ],
)
def test_a_right_value_has_no_fault(kind: str, value: object) -> None:
    assert parse_type(kind).fault_of(value) is None


def test_values_for_a_call_have_the_types_that_json_lacks() -> None:
    assert parse_type("set[tuple[int, int]]").value_of([[1, 2], [0, 3]]) == {(1, 2), (0, 3)}
    assert parse_type("dict[int, set[int]]").value_of({"7": [2, 1]}) == {7: {1, 2}}
    assert parse_type("list[set[int] | str]").value_of([[1], "a"]) == [{1}, "a"]
    kind = parse_type("dict[str, list[tuple[int, list[int]]]]")
    assert kind.value_of({"a": [[1, [2]]]}) == {"a": [(1, [2])]}
    assert parse_type("tuple[int, int] | None").value_of(None) is None
    assert parse_type("list[int]").value_of([1]) == [1]


def test_equal_arguments_have_equal_digests() -> None:
    assert canonical_json({"b": [1, (2, 3)], "a": "é"}) == '{"a":"\\u00e9","b":[1,[2,3]]}'
    assert digest_of([(1, 2)]) == digest_of([[1, 2]])
    assert digest_of([1]) != digest_of([1.0]) != digest_of([True])
    assert digest_of([[1], 2]) != digest_of([[1, 2]])
    assert len(digest_of(["\ud800"])) == 64


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, b"x"])
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(SpecificationError, match="cannot be written as JSON"):
        canonical_json(value)  # type: ignore[arg-type]


def test_a_nest_without_end_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(SpecificationError):
        canonical_json(loop)  # type: ignore[arg-type]
    assert PlainType("list", (PlainType("int"),)).fault_of(loop) == "[0] is a list, expected int"
