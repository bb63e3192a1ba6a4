"""A suite is read in any of its forms, and its arguments become plain values where they can."""

import json
from pathlib import Path

import pytest

from steelyard.errors import TestsError, UsageError
from steelyard.families import as_compact
from steelyard.judging import as_entry, load_tests
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    Limits,
    Parameter,
    Specification,
    TestCase,
    values,
)
from steelyard.strength._reading import (
    SpecCalls,
    StrengthOptions,
    plain_args,
    read_authored,
    read_given,
)

SPEC = Specification(
    title="Pairs",
    description="Pair items up.",
    parameters=(Parameter(name="pair", type="tuple[int, int]"), Parameter(name="k", type="int")),
    returns="tuple[int, int]",
)
CASE = AuthoredCase(
    name="one",
    category="basic",
    origin="test",
    input=as_compact([[1, 2], 3]),
    expected=[3, 6],
    has_expected=True,
)
SUITE = AuthoredSuite(spec_digest=SPEC.digest, cases=(CASE,), time_limit_ms=750)


def test_an_authored_suite_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "suite.json"
    file.write_text(SUITE.model_dump_json())
    assert read_authored(file) == read_authored(str(file)) == read_authored(SUITE) == SUITE
    given = read_given(file, StrengthOptions(spec=SPEC))
    assert given.limits.cpu_ms == 750
    assert given.args == (([1, 2], 3),)
    assert str(given.entry) == "class:Solution.solve"
    limits = Limits(cpu_ms=90)
    assert read_given(file, StrengthOptions(spec=SPEC, limits=limits)).limits == limits


def test_tests_of_another_form_are_left_to_their_reader(tmp_path: Path) -> None:
    for name, text in (("a.json", "[]"), ("b.json", "{"), ("c.jsonl", "{}"), ("d.json", "{}")):
        (tmp_path / name).write_text(text)
        assert read_authored(tmp_path / name) is None
    assert read_authored([{"args": [1], "expected": 1}]) is None


def test_a_suite_with_a_fault_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "suite.json"
    file.write_text(json.dumps({"spec_digest": "x"}))
    with pytest.raises(TestsError, match=r"suite\.json: spec_digest: .*, got 'x'$"):
        read_authored(file)
    unknown = SUITE.model_copy(update={"cases": (CASE.model_copy(update={"has_expected": False}),)})
    with pytest.raises(TestsError, match="no case of the suite has an expected output"):
        read_given(unknown, StrengthOptions())
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_given(SUITE, StrengthOptions(spec=tmp_path / "spec.json"))


def test_values_have_the_types_of_the_specification() -> None:
    calls = SpecCalls(SPEC)
    test = calls.case_of(CASE, ([1, 2], 3))
    assert values.decode(test.input) == [[(1, 2), 3], None, 0]
    assert values.decode(test.expected) == ["ok", (3, 6)]
    assert plain_args(test, []) == ([1, 2], 3)
    assert values.decode(SpecCalls(None).call_of(([1, 2], 3))) == [[[1, 2], 3], None, 0]


def test_tests_of_plain_json_get_the_types_of_the_specification() -> None:
    cases = [
        {"args": [[1, 2], 3], "expected": [3, 6]},
        {"args": [[1, 2], 3], "expected": "no"},
        {"args": [[1, 2], 3], "expected_exception": "ValueError"},
    ]
    given = read_given(cases, StrengthOptions(spec=SPEC))
    first, second, third = given.tests.cases
    assert values.decode(first.input) == values.decode(second.input) == [[(1, 2), 3], None, 0]
    assert values.decode(first.expected) == ["ok", (3, 6)]
    assert values.decode(second.expected) == ["ok", "no"]
    assert values.decode(third.expected) == ["raised", "ValueError"]
    assert given.args == (([1, 2], 3),) * 3


def test_arguments_by_name_and_of_any_type_become_plain_where_they_can() -> None:
    def plain(case: dict[str, object]) -> object:
        (test,) = load_tests([case | {"expected": 1}], entry=as_entry("function:f")).cases
        return plain_args(test, ["a", "b"])

    assert plain({"args": [1], "kwargs": {"b": (2, [3])}}) == (1, [2, [3]])
    assert plain({"kwargs": {"b": {"x": 10**30}, "a": None}}) == (None, {"x": 10**30})
    assert plain({"args": [1], "kwargs": {"c": 2}}) is None
    assert plain({"args": [1, {2}]}) is None
    assert plain({"args": [1, float("nan")]}) is None
    assert plain_args(TestCase(input=b"no call"), []) is None


def test_in_place_answers_are_the_first_argument_whatever_is_returned() -> None:
    spec = SPEC.model_copy(
        update={"output_type": "in-place", "match_mode": "unordered", "returns": "list[int]"}
    )
    calls = SpecCalls(spec)
    case = TestCase(input=b"", expected=values.encode(["ok", [1, 2]]).encode())

    def passes(outcome: list[object]) -> bool:
        return calls.checker.check(case, values.encode(outcome).encode()).passed

    assert values.decode(calls.call_of([[1], 2]))[2] == 1
    assert passes(["ok", None, [[2, 1], 3]])
    assert passes(["ok", "anything", [[1, 2], 3]])
    assert not passes(["ok", [1, 2], [[2, 2], 3]])
    assert not passes(["raised", ["ValueError"], "no"])
    assert not calls.checker.check(case, b"[" * 100_000).passed
    assert not calls.checker.check(case, b"x" * 200_000).passed
