"""Records are frozen, strict and complete."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from steelyard.errors import UsageError
from steelyard.schemas import (
    Entry,
    Limits,
    Program,
    Specification,
    TestCase,
    TestSuite,
    canonical_json,
)


def test_the_clock_gets_a_quarter_of_a_second_more() -> None:
    assert Limits(cpu_ms=1_000).wall_ms == 1_250
    assert Limits(cpu_ms=1_000, wall_ms=3_000).wall_ms == 3_000
    assert Limits().replace(cpu_ms=100).wall_ms == 350
    assert Limits(cpu_ms=1_000, wall_ms=3_000).replace(cpu_ms=2_000).wall_ms == 4_000


def test_the_defaults_are_those_for_a_cpp_program() -> None:
    limits = Limits()
    assert (limits.memory_mib, limits.stack_mib, limits.file_mib) == (512, 256, 50)


@pytest.mark.parametrize(
    "bad", [{"cpu_ms": 0}, {"memory_mib": 0}, {"processes": 0}, {"speed": 1}, {"cpu_ms": 10**9}]
)
def test_limits_out_of_range_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Limits.model_validate(bad)


@given(st.lists(st.binary(max_size=8), min_size=2, max_size=4), st.binary(max_size=8))
def test_equal_digests_mean_equal_tests(inputs: list[bytes], expected: bytes) -> None:
    cases = tuple(TestCase(input=data, expected=expected) for data in inputs)
    suite = TestSuite(cases=cases)
    assert suite.digest == TestSuite(cases=cases, source="elsewhere").digest
    assert (suite.digest == TestSuite(cases=cases[::-1]).digest) == (cases == cases[::-1])
    joined = TestCase(input=inputs[0] + inputs[1], expected=expected)
    assert suite.digest != TestSuite(cases=(joined, *cases[2:])).digest


def test_equal_cases_for_another_way_in_are_other_tests() -> None:
    cases = (TestCase(name="1", input=b"[[],null,0]", expected=b'["ok",1]'),)
    kinds = ("stdio", "function", "class", "asserts")
    assert len({TestSuite(cases=cases, entry_kind=kind).digest for kind in kinds}) == len(kinds)
    assert TestSuite(cases=cases).digest == TestSuite(cases=cases, entry_kind="stdio").digest


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("stdio", "stdio", ""),
        ("function:two_sum", "function", "two_sum"),
        ("function:été", "function", "été"),
        ("class:Solution.two_sum", "class", "Solution.two_sum"),
        ("class:Tree", "class", "Tree.solve"),
        ("class", "class", "Solution.solve"),
        ("class:", "class", "Solution.solve"),
        ("asserts", "asserts", ""),
        ("asserts:", "asserts", ""),
        ("asserts:f", "asserts", "f"),
    ],
)
def test_an_entry_is_read_from_its_text(text: str, kind: str, name: str) -> None:
    entry = Entry.parse(text)
    assert (entry.kind, entry.name) == (kind, name)
    assert Entry.parse(str(entry)) == entry
    assert Entry.model_validate_json(entry.model_dump_json()) == entry


@pytest.mark.parametrize(
    "text",
    [
        "function",
        "function:",
        "function:a b",
        "function:a.b",
        "function:a:b",
        "function:1a",
        "function:f()",
        "stdio:f",
        "class:A.b.c",
        "class:A.",
        "class:.b",
        "class:A b",
        "asserts:A.b",
        "asserts:a-b",
    ],
)
def test_what_names_no_entry_is_refused_with_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="an entry is stdio, function:NAME, class:"):
        Entry.parse(text)


@pytest.mark.parametrize("text", ["", "Function:f", " stdio", "call:f", "function :f"])
def test_an_unknown_kind_of_entry_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="'stdio', 'function', 'class', 'methods' or 'asserts'"):
        Entry.parse(text)


def test_a_program_is_entered_as_it_stands_unless_something_is_said() -> None:
    assert Program(source=b"").entry == Entry() == Entry.parse("stdio")
    with pytest.raises(UsageError, match="unknown field 'extra' of Entry; omit it"):
        Entry(kind="function", name="f", extra=1)


def a_specification(**changes: object) -> Specification:
    fields: dict[str, object] = {
        "title": "Pair",
        "description": "Find it.",
        "returns": "int",
        "parameters": ({"name": "nums", "type": "list[int]"},),
        "examples": ({"args": ([1, 2],), "expected": 3},),
    }
    return Specification.model_validate(fields | changes)


def test_equal_specifications_have_equal_digests() -> None:
    assert a_specification().digest == a_specification(tags=(), match_mode="exact").digest
    again = Specification.model_validate_json(a_specification().model_dump_json())
    assert again.digest == a_specification().digest
    changed = [a_specification(returns="float"), a_specification(tags=("a",))]
    assert len({each.digest for each in (*changed, a_specification())}) == 3


def test_canonical_json_is_one_line_of_ascii_with_sorted_keys() -> None:
    assert canonical_json({"b": (1, 1.0, "é"), "a": None}) == '{"a":null,"b":[1,1.0,"\\u00e9"]}'
    for value in (float("inf"), {1, 2}, b"bytes"):
        with pytest.raises(ValueError, match="JSON"):
            canonical_json(value)


def test_a_specification_has_a_schema_that_forbids_other_fields() -> None:
    schema = Specification.model_json_schema()
    assert schema["additionalProperties"] is False
    assert {"title", "parameters", "constraints", "static_rules"} <= schema["properties"].keys()
