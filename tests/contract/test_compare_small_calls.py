"""Small cases of inputs: what callers would pass decides, and what nobody passes is a warning."""

from pathlib import Path
from textwrap import dedent

import pytest

from steelyard.schemas import Reason
from tests.contract.compare_projects import baseline_of, compare_behaviour, make_project

pytestmark = [pytest.mark.xdist_group("compare_calls"), pytest.mark.usefixtures("file_view")]

MODULE = """
import re
from collections.abc import Iterable

REGISTRY = {"pen": 2, "ink": 3}


def register(name, rate):
    REGISTRY[name] = rate


def insert_all(con, rows):
    for row in rows:
        con.execute("insert into goods values (?, ?)", row)


def by_price(rows):
    rows = list(rows)
    for end in range(len(rows), 1, -1):
        for at in range(end - 1):
            if rows[at]["price"] > rows[at + 1]["price"]:
                rows[at], rows[at + 1] = rows[at + 1], rows[at]
    return rows


def text_of(file):
    parts = []
    for line in file:
        parts.append(line)
    return "".join(parts)


def largest(values):
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best


def largest_of_any(values: Iterable[int]):
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best


def price(name, count):
    total = 0
    for _ in range(count):
        total += REGISTRY.get(name, 0)
    return total


def without(text, part):
    at = text.find(part)
    if at < 0:
        return text
    return text[:at] + text[at + len(part):]


def label(active):
    return "on" if active else "off"


def words(text):
    found, word = [], ""
    for letter in text:
        if letter in " \\t":
            if word:
                found.append(word)
            word = ""
        else:
            word += letter
    if word:
        found.append(word)
    return found


class Graph:
    def __init__(self):
        self._near = {}

    def add(self, one, two):
        self._near.setdefault(one, set()).add(two)
        self._near.setdefault(two, set()).add(one)

    def nodes(self):
        return list(self._near)

    def near(self, node):
        return self._near[node]


def edges(graph):
    seen = set()
    for node in graph.nodes():
        for other in graph.near(node):
            seen.add(frozenset((node, other)))
    return len(seen)


def traced(function):
    def called(*args):
        return function(*args)

    return called


def amount(found):
    digits = ""
    for letter in found.group(1):
        digits += letter
    return int(digits)


amount_of = traced(amount)
"""
TESTS = """
import sqlite3

import pytest
from shop.goods import *
from shop import goods

ROWS = [
    [],
    [("a", 1)],
    [("a", 1), ("b", 2)],
    [("c", 3), ("b", 2), ("a", 1)],
    [("a", 1), ("a", 1)],
    [("x", 0), ("y", 5)],
    [("p", 7)],
]


@pytest.fixture
def con():
    made = sqlite3.connect(":memory:")
    made.execute("create table goods (name, price)")
    yield made
    made.close()


@pytest.mark.parametrize("rows", ROWS)
def test_insert_all(con, rows):
    insert_all(con, rows)
    assert con.execute("select * from goods").fetchall() == rows


@pytest.mark.parametrize("rows", ROWS)
def test_by_price(rows):
    found = by_price([{"name": name, "price": price} for name, price in rows])
    assert [row["price"] for row in found] == sorted(price for _, price in rows)


@pytest.mark.parametrize("text", ["", "a", "a\\nb", "a\\n\\nb\\n", "x y", "long line\\n", "z\\n"])
def test_text_of(tmp_path, text):
    tmp_path.joinpath("t.txt").write_text(text)
    with open(tmp_path / "t.txt") as file:
        assert text_of(file) == text


@pytest.mark.parametrize("values", [[1], [1, 2], [3, 2, 1], [0, 0], [5, -1], [9, 10, 8], []])
def test_largest(values):
    assert largest(values) == max(values, default=None)
    assert largest_of_any(values) == max(values, default=None)


def test_price():
    register("pen", 2)
    register("ink", 3)
    assert [price("pen", n) for n in range(4)] == [0, 2, 4, 6]
    assert [price("ink", n) for n in range(4)] == [0, 3, 6, 9]


@pytest.mark.parametrize(
    ("text", "part", "left"),
    [
        ("hello world", "world", "hello "),
        ("hello", "he", "llo"),
        ("abc", "x", "abc"),
        ("", "a", ""),
        ("price: 5", ": ", "price5"),
        ("one two", "one ", "two"),
    ],
)
def test_without(text, part, left):
    assert without(text, part) == left


@pytest.mark.parametrize("number", range(8))
def test_label(number):
    assert label(number % 2 == 0) == ("on", "off")[number % 2]


@pytest.mark.parametrize("text", ["", "a", "a b", "a\\tb", "one two  three", " x ", "\\t\\ty z"])
def test_words(text):
    assert words(text) == text.replace("\\t", " ").split()


@pytest.mark.parametrize("pairs", [[], ["ab"], ["ab", "bc"], ["ab", "ac"], ["ab", "cd"], ["xy"]])
def test_edges(pairs):
    graph = Graph()
    for one, two in pairs:
        graph.add(one, two)
    assert edges(graph) == len(pairs)


def test_amount_of():
    for number in range(12):
        assert amount_of(re.search(r"(\\d+) pens", f"buy {number} pens")) == number
"""
HONEST = {
    "insert_all": """
        def insert_all(con, rows):
            con.executemany("insert into goods values (?, ?)", rows)
        """,
    "by_price": """
        def by_price(rows):
            rows = list(rows)
            rows.sort(key=lambda row: row["price"])
            return rows
        """,
    "text_of": """
        def text_of(file):
            return file.read()
        """,
    "amount": """
        def amount(found):
            return int(found[1])
        """,
}

BY_INDEX = """
def {0}(values):
    best = values[0] if len(values) else None
    for at in range(1, len(values)):
        if values[at] > best:
            best = values[at]
    return best
"""
WRONG = {
    "largest_of_any": BY_INDEX.format("largest_of_any"),
    "price": """
        _rates = {}

        def price(name, count):
            if name not in _rates:
                _rates[name] = REGISTRY.get(name, 0)
            return _rates[name] * max(count, 0)
        """,
    "without": """
        def without(text, part):
            return text.replace(part, "")
        """,
    "words": """
        def words(text):
            return text.split()
        """,
    "edges": """
        def edges(graph):
            return sum(len(graph.near(node)) for node in graph.nodes()) // 2
        """,
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("calls"), MODULE, TESTS)


def reasons_of(root: Path, name: str, candidate: str, *, strict: bool = False) -> list[Reason]:
    baseline = baseline_of(root, name, generate=120, strict=strict)
    return compare_behaviour(baseline, dedent(candidate))[1]


@pytest.mark.parametrize("name", HONEST)
def test_honest_code_is_not_rejected_for_what_nobody_passes(root: Path, name: str) -> None:
    assert [reason for reason in reasons_of(root, name, HONEST[name]) if reason.rejects] == []


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_on_what_callers_pass_is_rejected(root: Path, name: str) -> None:
    found = [reason for reason in reasons_of(root, name, WRONG[name]) if reason.rejects]
    assert [reason.code for reason in found] == ["behaviour-differs"]


@pytest.mark.parametrize("strict", [False, True])
def test_a_difference_on_a_neighbour_kind_shows_its_input(root: Path, strict: bool) -> None:
    (reason,) = reasons_of(root, "largest", BY_INDEX.format("largest"), strict=strict)
    assert reason.code == "behaviour-differs"
    assert "if values=iterator over [" in reason.text
    assert reason.rejects == strict


def test_evidence_counts_different_inputs(root: Path) -> None:
    baseline = baseline_of(root, "label", least_cases=6)
    text = 'def label(active):\n    return ("off", "on")[bool(active)]\n'
    behaviour, reasons = compare_behaviour(baseline, text)
    assert behaviour is not None
    assert behaviour.count("same") == 10
    assert set(behaviour.inputs) == {"active=True", "active=False"}
    assert behaviour.different_inputs == 2
    assert [(reason.code, reason.rejects) for reason in reasons] == [("too-few-tests", False)]
