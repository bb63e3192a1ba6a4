"""Which places the counting form of a Python program has, and what the charges are."""

import ast
import random

import pytest

from assayer.errors import GeneratorError
from assayer.profiling._calls import call_request
from assayer.profiling.counting.incell.bindings import Bindings
from assayer.profiling.counting.incell.blocks import transform
from assayer.profiling.counting.incell.charges import sort_cost
from assayer.schemas import values


def _kinds(source: str) -> list[tuple[str, int]]:
    return transform(source, "main.py")[1]


def _named(source: str, expression: str) -> str:
    bindings = Bindings(ast.parse(source))
    return bindings.dotted(ast.parse(expression, mode="eval").body)


class TestPlaces:
    def test_each_block_has_one_with_its_line(self) -> None:
        source = (
            "def f(a):\n    for x in a:\n        if x:\n            g()\n"
            "        else:\n            h()\n"
        )
        assert _kinds(source) == [
            ("module", 1), ("def", 1), ("loop", 2), ("if", 4), ("else", 6),
        ]  # fmt: skip

    def test_an_elif_is_no_block_of_its_own(self) -> None:
        assert [kind for kind, _ in _kinds("if a:\n    b\nelif c:\n    d\n")] == [
            "module",
            "if",
            "if",
        ]

    def test_arithmetic_that_is_made_small_is_not_charged(self) -> None:
        assert _kinds("x = (a * b + c) % 7\ny = z[i + j]\nn = len(a) + 1") == [("module", 1)]

    @pytest.mark.parametrize(
        "text",
        [
            "a[1:]", "a + b", "a * b", "x in a", "a.pop(0)", "a.pop(i)", "a.sort()", "sum(a)",
            "a.index(1)", "f'{a}'", "sorted(a)", "f(*a)", "' '.join(a)", "a.extend(b)",
        ],
    )  # fmt: skip
    def test_what_works_in_c_is_charged(self, text: str) -> None:
        assert len(_kinds(text)) > 1

    @pytest.mark.parametrize(
        "text", ["a.pop()", "a.append(1)", "x in {1, 2}", "x in 'abc'", "i + 1"]
    )
    def test_what_takes_the_same_time_always_is_not(self, text: str) -> None:
        assert _kinds(text) == [("module", 1)]

    def test_what_must_stay_first_stays_first(self) -> None:
        tree, _ = transform('"""doc"""\nfrom __future__ import annotations\nx = 1\n', "main.py")
        assert ast.get_docstring(tree) == "doc"
        assert isinstance(tree.body[1], ast.ImportFrom)

    def test_annotations_and_patterns_stay_as_they_are(self) -> None:
        source = "def f(a: 'x' + y[1:]) -> b[2:]: ...\nmatch a:\n    case 1+2j: pass\n"
        text = ast.unparse(transform(source, "main.py")[0])
        assert "a: 'x' + y[1:]" in text
        assert "case 1 + 2" in text


class TestNames:
    @pytest.mark.parametrize(
        ("source", "expression", "dotted"),
        [
            ("from heapq import heappush as hp", "hp", "heapq.heappush"),
            ("import heapq as hq\npush = hq.heappush", "push", "heapq.heappush"),
            ("from bisect import *", "insort", "bisect.insort"),
            ("import sys\ninput = sys.stdin.readline", "input", "sys.stdin.readline"),
            ("", "sum", "builtins.sum"),
            ("def sum(a): pass", "sum", ""),
            ("sum = 3\nsum = other", "sum", ""),
            ("def f(push=heappush): pass\nfrom heapq import heappush", "push", "heapq.heappush"),
            ("a = b\nb = a", "a", ""),
        ],
    )
    def test_aliases_are_followed(self, source: str, expression: str, dotted: str) -> None:
        assert _named(source, expression) == dotted

    def test_a_name_is_a_number_where_nothing_else_is_bound_to_it(self) -> None:
        bindings = Bindings(ast.parse("a = 1\na = a + 1\nb = 2\nb = c\nc = [b]"))
        numbers = [each for each in "abc" if bindings.is_number(ast.Name(each, ast.Load()))]
        assert numbers == ["a"]


class TestSorting:
    def test_sorted_and_reversed_lists_cost_a_pass(self) -> None:
        assert sort_cost(range(1000)) == sort_cost(range(1000, 0, -1)) == 1000

    def test_random_ones_cost_n_log_n(self) -> None:
        values = random.Random(1).sample(range(1 << 16), 1 << 16)
        assert 15 << 16 < sort_cost(values) < 17 << 16

    def test_few_runs_cost_little(self) -> None:
        values = [*range(5000)] * 2
        assert sort_cost(values) < 7 * len(values)

    def test_elements_of_the_program_s_own_are_not_compared(self) -> None:
        class Own:
            def __lt__(self, other: object) -> bool:
                raise AssertionError

        assert sort_cost([Own() for _ in range(8)]) == 24
        assert sort_cost([(1, Own()) for _ in range(8)]) == 24


class TestRequests:
    @pytest.mark.parametrize(
        ("text", "request_"),
        [
            (b"[1, [2, 3]]", [[1, [2, 3]], None, 0]),
            (b'{"args": [1], "kwargs": {"k": 2}}\n', [[1], {"k": 2}, 0]),
            (b'{"kwargs": {"k": 2}}', [[], {"k": 2}, 0]),
            (b'[{"$": "tuple", "v": [1]}]', [[(1,)], None, 0]),
        ],
    )
    def test_arguments_become_one_line(self, text: bytes, request_: list[object]) -> None:
        assert b"\n" not in call_request(text)
        assert values.decode(call_request(text)) == request_

    @pytest.mark.parametrize(
        "text", [b"", b"3", b"{}", b'{"arg": [1]}', b'{"args": 3}', b"[" * 99999]
    )
    def test_anything_else_is_refused(self, text: bytes) -> None:
        with pytest.raises(GeneratorError, match="args"):
            call_request(text)
