"""Which places the counting form of a Python program has, and what the charges are."""

import ast
import random

import pytest

from steelyard.profiling.counting.incell.bindings import Bindings
from steelyard.profiling.counting.incell.blocks import transform
from steelyard.profiling.counting.incell.charged import PREFIX
from steelyard.profiling.counting.incell.costs import (
    compare_cost,
    log_cost,
    product_cost,
    sort_cost,
)
from steelyard.profiling.counting.incell.start import Counts


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
            ("module", 1),
            ("def", 1),
            ("loop", 2),
            ("if", 4),
            ("else", 6),
        ]

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
            "a[1:]",
            "a + b",
            "a * b",
            "x in a",
            "a.pop(0)",
            "a.pop(i)",
            "a.sort()",
            "sum(a)",
            "a.index(1)",
            "f'{a}'",
            "sorted(a)",
            "f(*a)",
            "' '.join(a)",
            "a.extend(b)",
        ],
    )
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


class TestCosts:
    def test_a_product_costs_its_words_by_karatsuba(self) -> None:
        word, thousand = 1 << 62, 1 << 64 * 1000
        assert product_cost(word, word) == 1
        assert product_cost(thousand, word) == product_cost(word, thousand) == 1001
        assert (
            2.9
            < product_cost(thousand * thousand, thousand * thousand)
            / product_cost(thousand, thousand)
            < 3.1
        )

    def test_texts_are_compared_sixteen_bytes_at_a_time(self) -> None:
        assert [compare_cost(each) for each in ("x" * 160, b"x" * 16, [0] * 160, 7)] == [
            11,
            2,
            160,
            1,
        ]

    def test_a_search_takes_the_logarithm_and_at_least_one_step(self) -> None:
        assert [log_cost(size) for size in (0, 1, 2, 1024)] == [0, 1, 1, 10]


class TestCharges:
    def _charged(self, name: str, *operands: object) -> tuple[int, object]:
        counts = Counts(1)
        given = counts.names()[PREFIX + name](0, *operands)
        if hasattr(given, "__next__"):
            given = list(given)
        return counts.take()[0], given

    @pytest.mark.parametrize(
        ("name", "operands", "charge"),
        [
            ("weigh", ([1, 2, 3],), 3),
            ("weigh", ("x" * 32,), 3),
            ("weigh", (7,), 0),
            ("consume", (range(9),), 9),
            ("order", ([2, 1], True), 2),
            ("log", ([0] * 8,), 4),
            ("moved", ([0] * 8,), 8),
            ("zeros", (160,), 10),
            ("deep", ([[1, 2], [3]],), 5),
            ("digits", (1 << 640,), 100),
            ("added", ([1, 2], []), 2),
            ("grown", ("y", "x" * 32), 4),
        ],
    )
    def test_what_an_operand_is_charged(
        self, name: str, operands: tuple[object, ...], charge: int
    ) -> None:
        assert self._charged(name, *operands) == (charge, operands[0])

    @pytest.mark.parametrize(
        ("name", "operands", "charge", "result"),
        [
            ("within", (2, [1, 2, 3]), 2, True),
            ("within", (4, [1, 2, 3]), 3, False),
            ("same", ([1, 2], [1, 2]), 2, True),
            ("differ", ([1, 2], [1, 3]), 1, True),
            ("multiply", ([0], 5), 5, [0] * 5),
            ("power", (3, 1 << 10, 7), 11, (3, 1 << 10, 7)),
            ("insorted", ([1, 3, 5], 2), 4, ([1, 3, 5], 2)),
        ],
    )
    def test_what_is_done_in_an_operation_s_stead_gives_the_same(
        self, name: str, operands: tuple[object, ...], charge: int, result: object
    ) -> None:
        assert self._charged(name, *operands) == (charge, result)

    def test_what_is_lazy_is_charged_as_it_is_gone_through(self) -> None:
        assert self._charged("consume", map(abs, [1, -2])) == (2, [1, 2])

    def test_an_element_taken_out_moves_those_behind_it(self) -> None:
        counts = Counts(1)
        values = [1, 2, 3, 4]
        pop = counts.names()[PREFIX + "pick"](0, values, "pop")
        assert (pop(1), values) == (2, [1, 3, 4])
        assert counts.take() == [3]

    def test_what_the_program_raises_itself_is_raised(self) -> None:
        class Own:
            def __eq__(self, other: object) -> bool:
                raise ValueError("mine")

            __hash__ = None

        with pytest.raises(ValueError, match="mine"):
            self._charged("within", 1, [Own()])
