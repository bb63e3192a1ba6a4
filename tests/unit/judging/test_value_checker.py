"""What came of a call is compared as Python would."""

import itertools
import json
import math
from typing import Any

import pytest
from hypothesis import example, given

from steelyard.errors import TestsError, UsageError
from steelyard.judging.checkers import checker_for
from steelyard.judging.checkers._values import value_checker_for
from steelyard.schemas import TestCase, values
from tests.unit.judging.value_judging import HUGE, judged, message, plain, returned


def accepted(expected: object, got: object, mode: str = "exact", **options: Any) -> bool:
    """In a list too, so that no answer is told from equal bytes alone."""
    plainly = judged(returned(expected), returned(got), mode, **options).passed
    inside = judged(returned([[expected], 1]), returned([[got], 1.0]), mode, **options).passed
    if mode != "unordered":
        assert plainly == inside
    return plainly


def has_no_nan(value: Any) -> bool:
    return "nan" not in values.encode(value)


class TestExact:
    @given(plain.filter(has_no_nan), plain.filter(has_no_nan))
    def test_it_is_equality_as_python_has_it(self, one: Any, two: Any) -> None:
        assert accepted(one, two) == (one == two)
        assert accepted(one, one)

    @pytest.mark.parametrize(
        ("expected", "got"),
        [
            (1, True),
            (1, 1.0),
            (0, False),
            (0.0, -0.0),
            (1, 1 + 0j),
            (math.nan, math.nan),
            (math.inf, math.inf),
            (HUGE, HUGE),
            (2**63, 2.0**63),
            (2**1000, 2.0**1000),
            ({1, 2, 3}, {3, 2, 1}),
            ({1}, {True}),
            ({1}, frozenset({1.0})),
            (b"a", bytearray(b"a")),
            ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
            ({1: "x"}, {1.0: "x"}),
            ({1: "x"}, {True: "x"}),
            ({(1, 2): 3}, {(1.0, 2): 3}),
            ({frozenset({1, 2}): 3}, {frozenset({2, 1.0}): 3}),
            ({frozenset({(1, 2), (3, 4)})}, {frozenset({(3, 4), (1, 2)})}),
            ({None: 1}, {None: 1}),
            ({2**70: 1}, {2.0**70: 1}),
            ({math.nan}, {math.nan}),
            ({math.nan: 1}, {math.nan: 1}),
            (complex(math.nan, 1), complex(math.nan, 1)),
            ({1j: 1}, {1j: 1}),
            ("\ud800", "\ud800"),
        ],
        ids=itertools.count(),
    )
    def test_equal(self, expected: object, got: object) -> None:
        assert accepted(expected, got)
        assert accepted(got, expected)

    @pytest.mark.parametrize(
        ("expected", "got"),
        [
            (1, 2),
            (1, "1"),
            (1, None),
            (0, None),
            (None, False),
            ("", None),
            ([], None),
            ([1], (1,)),
            ([], ()),
            ([], {}),
            ({}, set()),
            ("ab", b"ab"),
            ("a", ["a"]),
            (1, [1]),
            (math.nan, 1.0),
            (math.inf, -math.inf),
            (math.inf, math.nan),
            (HUGE, HUGE + 1),
            (2**53 + 1, 2.0**53),
            (HUGE, math.inf),
            (HUGE, 1e308),
            ({1}, {1, 2}),
            ({1, 2}, {1}),
            ({1}, {"1"}),
            ({(1, 2)}, {(2, 1)}),
            ({1: 2}, {2: 1}),
            ({1: 2}, {"1": 2}),
            ({1: 2}, {1: 3}),
            ({1: 2}, {1: 2, 3: 4}),
            ({1: 2, 3: 4}, {1: 2}),
            ([1], [1, 1]),
            ([1, 2], [2, 1]),
            (1j, 1),
            (1 + 1j, 1),
            (1j, -1j),
            ({1: [2]}, {1: (2,)}),
            ("a", "A"),
            ({1: 2}, [(1, 2)]),
            ({1}, [1]),
            (b"a", bytearray(b"b")),
            (b"[1]", [1]),
            ("é", "e\u0301"),
        ],
        ids=itertools.count(),
    )
    def test_not_equal(self, expected: object, got: object) -> None:
        assert not accepted(expected, got)
        assert not accepted(got, expected)

    @pytest.mark.parametrize("number", [2**63, -(2**63), 2**70, 10**400])
    def test_a_large_integer_is_one_in_either_notation(self, number: int) -> None:
        decimal = f'["ok",[{number}]]'.encode()
        tagged = f'["ok",[{{"$":"int","v":"{hex(number)}"}}]]'.encode()
        for expected in (decimal, tagged):
            assert judged(expected, decimal).passed
            assert judged(expected, tagged).passed
            assert not judged(expected, decimal.replace(b"]]", b"1]]")).passed


class TestNumeric:
    @pytest.mark.parametrize(
        ("expected", "got", "options", "right"),
        [
            (1.0, 1.0000009, {}, True),
            (1.0, 1.1, {}, False),
            (1e9, 1e9 + 999.0, {}, True),
            (10**9, 10**9 + 1, {}, False),
            (10**9, 10.0**9 + 1, {}, True),
            (5, 6, {"abs_tol": 1}, True),
            (5, 7, {"abs_tol": 1}, False),
            (100.0, 109.0, {"rel_tol": 0.1}, True),
            (0.0, 1e-9, {"rel_tol": 0.1}, False),
            (math.nan, math.nan, {}, True),
            (math.nan, 1.0, {"abs_tol": 9}, False),
            (math.inf, 1e308, {"rel_tol": 1}, False),
            (math.inf, -math.inf, {"rel_tol": 2}, False),
            (-math.inf, -math.inf, {}, True),
            (HUGE, HUGE, {"abs_tol": 1}, True),
            (HUGE, 1.5, {"abs_tol": 1}, False),
            (1.5, HUGE, {"abs_tol": 1}, False),
            (1 + 1j, 1.0000001 + 1j, {}, True),
            (1 + 1j, 1 + 1.1j, {}, False),
            (2.0, 2.0000001 + 0j, {}, True),
            ("1.0", "1.0000001", {}, False),
            ({"a": [1.0, (2.0,)]}, {"a": [1.0000001, (2.0000001,)]}, {}, True),
            ([1.0], [1.0000001, 2.0], {}, False),
        ],
        ids=itertools.count(),
    )
    def test_numbers_may_be_a_little_off(
        self, expected: object, got: object, options: dict[str, float], *, right: bool
    ) -> None:
        assert accepted(expected, got, "numeric", **options) == right


class TestUnordered:
    @pytest.mark.parametrize(
        ("expected", "got", "options", "right"),
        [
            ([1, 2, 2], [2, 1, 2.0], {}, True),
            ([1, 2, 2], [1, 1, 2], {}, False),
            ([1, 2], [1, 2, 2], {}, False),
            ((1, 2), (2, 1), {}, True),
            ((1, 2), [2, 1], {}, False),
            ((1, 2), [2, 1], {"sequences_alike": True}, True),
            ([[1, 2], [3, 4]], [[3, 4], [1, 2]], {}, True),
            ([[1, 2], [3, 4]], [[4, 3], [1, 2]], {}, False),
            ([[1, 2], [3, 4]], [(3, 4), (1, 2)], {}, False),
            ([[1, 2], [3, 4]], [(3, 4), (1, 2)], {"sequences_alike": True}, True),
            ([{"a": [1]}, {}], ({}, {"a": (1,)}), {"sequences_alike": True}, True),
            ([{1, 2}, {"a": 1, "b": 2}], [{"b": 2, "a": 1}, {2, 1}], {}, True),
            ([math.nan, None, b"a", 1j], [1j, math.nan, b"a", None], {}, True),
            ([b"a", {1}], [frozenset({1}), bytearray(b"a")], {}, True),
            ([1 + 0j, 2], [2 + 0j, 1], {}, True),
            ({1: [1, 2]}, {1: [2, 1]}, {}, False),
            ("ab", "ba", {}, False),
            (1, True, {}, True),
        ],
    )
    def test_the_outermost_items_stand_in_any_order(
        self, expected: object, got: object, options: dict[str, bool], *, right: bool
    ) -> None:
        assert accepted(expected, got, "unordered", **options) == right

    def test_the_arguments_after_the_call_have_an_order(self) -> None:
        case = returned([1, 2], [[3, 4]])
        assert judged(case, returned([2, 1], [[3, 4]]), "unordered").passed
        outcome = judged(case, returned([2, 1], [[4, 3]]), "unordered")
        assert outcome.message == "at argument [0][0]: expected 3, got 4"


@pytest.mark.parametrize("mode", ["exact", "numeric"])
def test_lists_and_tuples_may_count_as_alike(mode: str) -> None:
    assert accepted([1, (2, [3])], (1, [2, (3,)]), mode, sequences_alike=True)
    assert not accepted([1, 2], (1, 3), mode, sequences_alike=True)
    assert not accepted([1], {1}, mode, sequences_alike=True)


class TestMessages:
    @pytest.mark.parametrize(
        ("expected", "got", "said"),
        [
            (5, 6, "expected 5, got 6"),
            ([1, 2, {"a": 5}], [1, 2, {"a": 6}], "at [2]['a']: expected 5, got 6"),
            ([[1], [2, (3,)]], [[1], [2, (4,)]], "at [1][1][0]: expected 3, got 4"),
            ([1, 2], [1], "expected 2 items, got 1"),
            ([[], [1]], [[], []], "at [1]: expected 1 items, got 0"),
            ({"a": 1}, {}, "at ['a']: expected 1, got no such key"),
            ({}, {(1, 2): 3}, "at [(1, 2)]: expected no such key, got 3"),
            ({1: {2: 3}}, {1: {2: "3"}}, "at [1][2]: expected 3, got '3'"),
            ([1], (1,), "expected [1], got (1,)"),
            (set(), frozenset({1}), "expected set(), got {1}"),
            (frozenset(), {}, "expected frozenset(), got {}"),
            (b"ab", bytearray(b"ac"), "expected b'ab', got bytearray(b'ac')"),
            (None, True, "expected None, got True"),
            (math.nan, math.inf, "expected nan, got inf"),
            ("a\nb", "a\tb", r"expected 'a\nb', got 'a\tb'"),
            (0, HUGE, "expected 0, got an integer of 4,153 hex digits"),
            (1j, 2j, "expected complex(0.0, 1.0), got complex(0.0, 2.0)"),
        ],
        ids=itertools.count(),
    )
    def test_they_say_where_and_what(self, expected: object, got: object, said: str) -> None:
        assert message(expected, got) == said

    def test_unordered_ones_name_an_item(self) -> None:
        assert message([1, 2], [2, 3], "unordered") == "expected 1, got 3"
        assert message([1], [1, 2], "unordered") == "expected no other item, got 2"
        assert message([1, 1], [1], "unordered") == "expected 1, got no other item"
        assert (
            message([[1], [2]], [(2,), (3,)], "unordered", sequences_alike=True)
            == "expected [1], got (3,)"
        )

    @given(plain, plain)
    @example("x" * 10_000, "y" * 10_000)
    @example(list(range(10_000)), {str(n): "\n" * n for n in range(300)})
    @example([[[[[["x" * 100] * 50] * 5]]]], {"a" * 1000: 1})
    def test_they_are_one_short_line(self, expected: object, got: object) -> None:
        outcome = judged(returned(expected), returned(got))
        assert len(outcome.message) <= 400
        assert outcome.message == "" or outcome.message.isprintable()


class TestMutation:
    CASE = returned(None, [[1, 2], {"a": 1}])

    @pytest.mark.parametrize(
        ("value", "after", "said"),
        [
            (None, [[1, 2], {"a": 1}], ""),
            (0, [[1, 2], {"a": 1}], "expected None, got 0"),
            (None, [[2, 1], {"a": 1}], "at argument [0][0]: expected 1, got 2"),
            (None, [[1, 2], {"a": 2}], "at argument [1]['a']: expected 1, got 2"),
            (None, [[1, 2]], "at argument: expected 2 items, got 1"),
        ],
    )
    def test_arguments_after_the_call_count(
        self, value: object, after: list[object], said: str
    ) -> None:
        assert judged(self.CASE, returned(value, after)).message == said

    def test_an_outcome_without_them_cannot_be_read(self) -> None:
        assert judged(self.CASE, returned(None)).crashed


class TestExceptions:
    CASE = values.encode(["raised", "LookupError"]).encode()

    @pytest.mark.parametrize(
        ("output", "passed", "crashed", "said"),
        [
            (["raised", ["LookupError", "Exception"], "x"], True, False, ""),
            (["raised", ["KeyError", "LookupError", "Exception"], ""], True, False, ""),
            (["raised", ["ValueError", "Exception"], "no"], False, True, "raised ValueError: no"),
            (["raised", ["ValueError", "Exception"], ""], False, True, "raised ValueError"),
            (["ok", 5], False, False, "returned 5; expected LookupError to be raised"),
            (["unplain", "a generator"], False, False, "returned a generator"),
            (["failed", "the program defines no f"], False, True, "the program defines no f"),
        ],
    )
    def test_a_class_or_one_that_it_derives_from(
        self, output: list[object], said: str, *, passed: bool, crashed: bool
    ) -> None:
        outcome = judged(self.CASE, json.dumps(output).encode())
        assert (outcome.passed, outcome.crashed, outcome.message) == (passed, crashed, said)

    def test_one_that_is_not_expected_is_a_crash(self) -> None:
        output = json.dumps(["raised", ["LookupError"], "a\nb" + "x" * 900]).encode()
        outcome = judged(returned(1), output)
        assert outcome.crashed
        assert outcome.message.startswith("raised LookupError: a bxxx")
        assert len(outcome.message) < 320


class TestSettings:
    @pytest.mark.parametrize("mode", ["tokens", "contains", "regex", ""])
    def test_a_mode_for_printed_text_is_refused(self, mode: str) -> None:
        with pytest.raises(UsageError, match="compares no values; use one of exact, numeric"):
            value_checker_for(mode)

    def test_a_tolerance_out_of_place_is_refused(self) -> None:
        with pytest.raises(UsageError, match="'exact' takes no tolerance; use numeric"):
            value_checker_for("exact", abs_tol=1)
        with pytest.raises(UsageError, match="finite number"):
            value_checker_for("numeric", abs_tol=-1)

    @pytest.mark.parametrize("expected", [b"", b"5", b"{}", b"[]", b'["failed", ""]', b"\xff"])
    def test_a_case_that_is_no_call_is_refused(self, expected: bytes) -> None:
        with pytest.raises(TestsError, match='case "one" is not a call; load the tests'):
            value_checker_for("exact").validate(TestCase(name="one", expected=expected))

    def test_the_checkers_of_text_are_others(self) -> None:
        assert checker_for("exact") != value_checker_for("exact")
