"""What came of a call is compared as Python would, and read as if an enemy had written it."""

import itertools
import json
import math
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assayer.errors import TestsError, UsageError
from assayer.judging._outcome import Outcome
from assayer.judging.checkers import checker_for
from assayer.judging.checkers._values import value_checker_for
from assayer.schemas import TestCase, values

HUGE = 10**5000
"""It has more digits than Python writes in base 10: pytest can name no case after it."""


def returned(value: object, *after: object) -> bytes:
    return values.encode(["ok", value, *after]).encode()


def judged(expected: bytes, output: bytes, mode: str = "exact", **options: Any) -> Outcome:
    case = TestCase(name="one", expected=expected)
    checker = value_checker_for(mode, **options)
    checker.validate(case)
    return checker.check(case, output)


def accepted(expected: object, got: object, mode: str = "exact", **options: Any) -> bool:
    """In a list too, so that no answer is told from equal bytes alone."""
    plainly = judged(returned(expected), returned(got), mode, **options).passed
    inside = judged(returned([[expected], 1]), returned([[got], 1.0]), mode, **options).passed
    if mode != "unordered":
        assert plainly == inside
    return plainly


def message(expected: object, got: object, mode: str = "exact", **options: Any) -> str:
    outcome = judged(returned(expected), returned(got), mode, **options)
    assert not outcome.passed
    assert not outcome.crashed
    assert "\n" not in outcome.message
    return outcome.message


plain = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.just(2**70),
        st.integers(-1, 1).map(lambda factor: factor * HUGE),
        st.text(max_size=2), st.binary(max_size=2), st.complex_numbers(max_magnitude=3),
        st.sets(st.one_of(st.integers(), st.text(max_size=2)), max_size=3),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.integers(-2, 2), st.text(max_size=1)), inner, max_size=3),
    ),
    max_leaves=10,
)  # fmt: skip


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
            (1, True), (1, 1.0), (0, False), (0.0, -0.0), (1, 1 + 0j), (math.nan, math.nan),
            (math.inf, math.inf), (HUGE, HUGE), (2**63, 2.0**63), (2**1000, 2.0**1000),
            ({1, 2, 3}, {3, 2, 1}), ({1}, {True}), ({1}, frozenset({1.0})), (b"a", bytearray(b"a")),
            ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({1: "x"}, {1.0: "x"}), ({1: "x"}, {True: "x"}),
            ({(1, 2): 3}, {(1.0, 2): 3}), ({frozenset({1, 2}): 3}, {frozenset({2, 1.0}): 3}),
            ({frozenset({(1, 2), (3, 4)})}, {frozenset({(3, 4), (1, 2)})}), ({None: 1}, {None: 1}),
            ({2**70: 1}, {2.0**70: 1}), ({math.nan}, {math.nan}), ({math.nan: 1}, {math.nan: 1}),
            (complex(math.nan, 1), complex(math.nan, 1)), ({1j: 1}, {1j: 1}), ("\ud800", "\ud800"),
        ],
        ids=itertools.count(),
    )  # fmt: skip
    def test_equal(self, expected: object, got: object) -> None:
        assert accepted(expected, got)
        assert accepted(got, expected)

    @pytest.mark.parametrize(
        ("expected", "got"),
        [
            (1, 2), (1, "1"), (1, None), (0, None), (None, False), ("", None), ([], None),
            ([1], (1,)), ([], ()), ([], {}), ({}, set()), ("ab", b"ab"), ("a", ["a"]), (1, [1]),
            (math.nan, 1.0), (math.inf, -math.inf), (math.inf, math.nan), (HUGE, HUGE + 1),
            (2**53 + 1, 2.0**53), (HUGE, math.inf), (HUGE, 1e308), ({1}, {1, 2}), ({1, 2}, {1}),
            ({1}, {"1"}), ({(1, 2)}, {(2, 1)}), ({1: 2}, {2: 1}), ({1: 2}, {"1": 2}),
            ({1: 2}, {1: 3}), ({1: 2}, {1: 2, 3: 4}), ({1: 2, 3: 4}, {1: 2}), ([1], [1, 1]),
            ([1, 2], [2, 1]), (1j, 1), (1 + 1j, 1), (1j, -1j), ({1: [2]}, {1: (2,)}), ("a", "A"),
            ({1: 2}, [(1, 2)]), ({1}, [1]), (b"a", bytearray(b"b")), (b"[1]", [1]),
            ("é", "e\u0301"),
        ],
        ids=itertools.count(),
    )  # fmt: skip
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
    )  # fmt: skip
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
    )  # fmt: skip
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


class TestHostile:
    @pytest.mark.parametrize(
        "output",
        [
            b"", b"\n", b"ok", b"null", b"1", b"[]", b"{}", b'"ok"', b'["ok"', b'["ok"]',
            b'["ok",]',
            b'["ok",[1]]]', b'["ok",NaN]', b'["ok",Infinity]', b"\xff\xfe", b"\x00", b'[["ok"],1]',
            b'{"ok":1}', b'[null,1]', b'["OK",[1]]', b'["passed"]', b'["raised"]',
            b'["raised",[],""]',
            b'["raised","E"]', b'["raised",5,""]', b'["raised",{},""]', b'["raised",{"a":1},""]',
            b'["failed"]', b'["unplain"]', b'["ok",{}]', b'["ok",{"v":1}]', b'["ok",[{"$":"int"}]]',
            b'["ok",[{"$":"int","v":1}]]', b'["ok",[{"$":"int","v":"0xz"}]]',
            b'["ok",[{"$":"float"}]]',
            b'["ok",[{"$":"float","v":"x"}]]', b'["ok",[{"$":"float","v":[]}]]',
            b'["ok",{"$":"list","v":"x"}]', b'["ok",{"$":"list","v":{"a":1}}]',
            b'["ok",[' + b"1" * 5000 + b"]]", b'["ok",' + b"[" * 20_000 + b"]" * 20_000 + b"]",
            b'["ok",' + b'{"$":"tuple","v":[' * 900 + b"]}" * 900 + b"]",
        ],
    )  # fmt: skip
    def test_what_cannot_be_read_is_a_failure(self, output: bytes) -> None:
        assert not judged(returned([1]), output).passed

    @pytest.mark.parametrize(
        "expected", [{"a": 1}, {1, 2}, (1,), b"a", 1j, 2**70, 1.5, "a", None, frozenset({1})]
    )
    @pytest.mark.parametrize(
        "inner", ["1", "null", '"ab"', "{}", "[[]]", "[1,[2]]", '{"$":5,"v":1}']
    )
    def test_no_kind_is_believed_without_its_inside(self, expected: object, inner: str) -> None:
        tree = json.loads(values.encode([expected]))[0]
        kind = tree["$"] if isinstance(tree, dict) else "int"
        output = f'["ok",{{"$":"{kind}","v":{inner}}}]'.encode()
        assert not judged(returned(expected), output).passed

    def test_the_last_of_two_equal_keys_counts(self) -> None:
        twice = b'["ok",{"$":"dict","v":[["a",1],["a",2]]}]'
        assert not judged(returned({"a": 1}), twice).passed
        assert judged(returned({"a": 2}), twice).passed

    def test_a_number_beyond_all_floats_is_infinite(self) -> None:
        assert judged(returned(math.inf), b'["ok",1e999]').passed
        assert not judged(returned(1e308), b'["ok",1e999]', "numeric").passed
        assert not judged(returned({1}), b'["ok",{"$":"set","v":[1e999]}]').passed

    def test_a_number_that_json_does_not_know_is_none(self) -> None:
        assert judged(returned(math.nan), b'["ok",NaN]').crashed
        assert judged(returned(math.inf), b'["ok",Infinity]').crashed

    def test_what_is_far_longer_is_not_read(self) -> None:
        outcome = judged(returned([1]), returned("x" * 100_000))
        assert outcome.message == "the value is far longer than the expected one"
        assert not outcome.crashed
        long = list(range(100_000))
        assert message(long, [*long[:-1], 0]) == "at [99999]: expected 99999, got 0"

    @pytest.mark.parametrize("mode", ["exact", "unordered"])
    @pytest.mark.parametrize("form", ['{{"$":"set","v":[{}]}}', "[{}]"])
    def test_chosen_hashes_cost_nothing(self, mode: str, form: str) -> None:
        prime = (1 << 61) - 1  # all of its multiples have the hash 0
        items = ",".join(str(number * prime) for number in range(100_000))
        one, two = (f'["ok",{form.format(text)}]'.encode() for text in (items, items + ",1"))
        before = time.thread_time()
        assert not judged(one, two, mode).passed
        assert time.thread_time() - before < 20  # a set of them takes minutes

    def test_nor_do_chosen_keys(self) -> None:
        prime = (1 << 61) - 1
        pairs = ",".join(f"[{number * prime},1]" for number in range(100_000))
        expected = f'["ok",{{"$":"dict","v":[{pairs}]}}]'.encode()
        before = time.thread_time()
        outcome = judged(expected, expected.replace(b",1]]}]", b",2]]}]"))
        assert outcome.message.endswith("expected 1, got 2")
        assert time.thread_time() - before < 20


fragments = st.lists(
    st.sampled_from(
        ['["ok",', '["raised",', '["failed",', '["unplain",', "[", "]", "{", "}", ",", ":", '"$"',
         '"v"', '"int"', '"float"', '"set"', '"dict"', '"tuple"', '"complex"', '"bytes"', "1",
         "-1", "1e999", "1e-999", "null", "true", '"a"', '"\\ud800"', '"0x1"', '"nan"', '{"$":',
         '"frozenset"', ',"v":', '["ok",{"$":"dict","v":[', '["ok",{"$":"set","v":[', "]}]"]
    )
).map(lambda parts: "".join(parts).encode())  # fmt: skip
trees = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.fixed_dictionaries(
            {"$": st.one_of(inner, st.sampled_from([*values._MAKE, "list"])), "v": inner}
        ),
        st.dictionaries(st.sampled_from(["$", "v", "a"]), inner, max_size=2),
    ),
)
answers = st.one_of(
    st.tuples(st.sampled_from(["ok", "raised", "failed", "unplain"]), trees, trees),
    st.tuples(st.sampled_from(["ok", "raised", "failed", "unplain"]), trees),
    trees,
).map(lambda tree: json.dumps(tree).encode())


@pytest.mark.parametrize(
    "make",
    [
        returned,
        lambda value: returned(value, [value]),
        lambda value: values.encode(["raised", "ValueError"]).encode(),
    ],
)
@given(
    plain,
    st.one_of(st.binary(), fragments, answers),
    st.sampled_from(["exact", "numeric", "unordered"]),
)
def test_whatever_comes_the_answer_is_an_outcome(
    make: Callable[[object], bytes], value: object, output: bytes, mode: str
) -> None:
    outcome = judged(make(value), output, mode)
    assert isinstance(outcome, Outcome)
    assert outcome.message == "" or outcome.message.isprintable()
    assert len(outcome.message) < 1000


class TestSettings:
    @pytest.mark.parametrize("mode", ["tokens", "contains", "regex", ""])
    def test_a_mode_for_printed_text_is_refused(self, mode: str) -> None:
        with pytest.raises(UsageError, match="compares no values; use one of exact, numeric"):
            value_checker_for(mode)

    def test_a_tolerance_out_of_place_is_refused(self) -> None:
        with pytest.raises(UsageError, match="'exact' knows no tolerance; use numeric"):
            value_checker_for("exact", abs_tol=1)
        with pytest.raises(UsageError, match="finite number"):
            value_checker_for("numeric", abs_tol=-1)

    @pytest.mark.parametrize("expected", [b"", b"5", b"{}", b"[]", b'["failed", ""]', b"\xff"])
    def test_a_case_that_is_no_call_is_refused(self, expected: bytes) -> None:
        with pytest.raises(TestsError, match='case "one" is no call; load the tests'):
            value_checker_for("exact").validate(TestCase(name="one", expected=expected))

    def test_the_checkers_of_text_are_others(self) -> None:
        assert checker_for("exact") != value_checker_for("exact")
