"""What came of a call is read as if an enemy had written it."""

import json
import math
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.judging.checkers._outcome import Outcome
from steelyard.schemas import values
from tests.unit.judging.value_judging import judged, message, plain, returned


class TestHostile:
    @pytest.mark.parametrize(
        "output",
        [
            b"",
            b"\n",
            b"ok",
            b"null",
            b"1",
            b"[]",
            b"{}",
            b'"ok"',
            b'["ok"',
            b'["ok"]',
            b'["ok",]',
            b'["ok",[1]]]',
            b'["ok",NaN]',
            b'["ok",Infinity]',
            b"\xff\xfe",
            b"\x00",
            b'[["ok"],1]',
            b'{"ok":1}',
            b"[null,1]",
            b'["OK",[1]]',
            b'["passed"]',
            b'["raised"]',
            b'["raised",[],""]',
            b'["raised","E"]',
            b'["raised",5,""]',
            b'["raised",{},""]',
            b'["raised",{"a":1},""]',
            b'["failed"]',
            b'["unplain"]',
            b'["ok",{}]',
            b'["ok",{"v":1}]',
            b'["ok",[{"$":"int"}]]',
            b'["ok",[{"$":"int","v":1}]]',
            b'["ok",[{"$":"int","v":"0xz"}]]',
            b'["ok",[{"$":"float"}]]',
            b'["ok",[{"$":"float","v":"x"}]]',
            b'["ok",[{"$":"float","v":[]}]]',
            b'["ok",{"$":"list","v":"x"}]',
            b'["ok",{"$":"list","v":{"a":1}}]',
            b'["ok",[' + b"1" * 5000 + b"]]",
            b'["ok",' + b"[" * 20_000 + b"]" * 20_000 + b"]",
            b'["ok",' + b'{"$":"tuple","v":[' * 900 + b"]}" * 900 + b"]",
        ],
    )
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
        [
            '["ok",',
            '["raised",',
            '["failed",',
            '["unplain",',
            "[",
            "]",
            "{",
            "}",
            ",",
            ":",
            '"$"',
            '"v"',
            '"int"',
            '"float"',
            '"set"',
            '"dict"',
            '"tuple"',
            '"complex"',
            '"bytes"',
            "1",
            "-1",
            "1e999",
            "1e-999",
            "null",
            "true",
            '"a"',
            '"\\ud800"',
            '"0x1"',
            '"nan"',
            '{"$":',
            '"frozenset"',
            ',"v":',
            '["ok",{"$":"dict","v":[',
            '["ok",{"$":"set","v":[',
            "]}]",
        ]
    )
).map(lambda parts: "".join(parts).encode())
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
