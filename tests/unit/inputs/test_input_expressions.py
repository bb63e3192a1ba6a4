"""The closed language of inputs: what it describes, what it refuses, and that it stays bounded."""

import itertools
import json
import subprocess
import sys
from typing import Any

import pytest

from steelyard.errors import SpecificationError
from steelyard.families import (
    FAMILIES,
    SLOPES,
    args_of,
    as_compact,
    expand,
    literal,
    names_of,
)
from steelyard.schemas import CompactInput
from steelyard.values import canonical_json, digest_of

SPANS = ((0, 0), (0, 9), (-5, 5), (3, 10**9), (-(10**18), 10**18), (-9, -2))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("[[0] * 5, 5]", [[0] * 5, 5]),
        (
            "[2 * [1] + [3], 'ab' * 2 + 'c', {'a': [None, True, -1.5]}]",
            [[1, 1, 3], "ababc", {"a": [None, True, -1.5]}],
        ),
        ("[range(3), range(9, 0, -4), 2**31 - 1, -7 // 2]", [[0, 1, 2], [9, 5, 1], 2**31 - 1, -4]),
        ("[ascending([3, 1, 2]), rows(range(6), 3)]", [[1, 2, 3], [[0, 1, 2], [3, 4, 5]]]),
        ("[organ_pipe([1, 2, 3, 4, 5])]", [[1, 3, 5, 4, 2]]),
        ("[[[0] * 2] * 2]", [[[0, 0], [0, 0]]]),
    ],
)
def test_an_expression_describes_a_value(expression: str, value: list[Any]) -> None:
    assert expand(expression) == value


def test_an_order_arranges_random_numbers_of_an_interval() -> None:
    (made,) = expand("[organ_pipe(100000, 0, 9, seed=3)]")
    assert isinstance(made, list)
    assert (len(made), min(made), max(made)) == (100_000, 0, 9)
    peak = made.index(9)
    assert made[:peak] == sorted(made[:peak])
    assert made[peak:] == sorted(made[peak:], reverse=True)
    assert expand("[organ_pipe(100000, 0, 9, seed=4)]") != [made]


def test_repeated_rows_are_not_one_object() -> None:
    (rows,) = expand("[[[0] * 2] * 2]")
    assert isinstance(rows, list)
    rows[0].append(1)  # type: ignore[union-attr]
    assert rows[1] == [0, 0]


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "[",
        "5",
        "[x]",
        "[foo(3)]",
        "[__import__('os')]",
        "[[].append(3)]",
        "[1 .real]",
        "[(lambda: 1)()]",
        "[f'{1}']",
        "[x for x in range(3)]",
        "[uniform(*[3, 0, 1])]",
        "[uniform(**{'n': 3})]",
        "[uniform(3, 5, 1)]",
        "[uniform('a', 0, 1)]",
        "[uniform(3, 0)]",
        "[organ_pipe([1, 'a'])]",
        "[fibonacci(3, 0, 1, seed=1.5)]",
        "[True + 1]",
        "['a' + 1]",
        "[{1: 2}]",
        "[b'a']",
        "[1e999]",
        "[1j]",
        "[...]",
        "[range(0, 9, 0)]",
        "[put([1], 3, 4)]",
        "[parents([[0, 9]], 3)]",
        "[chosen([7], [1])]",
        "[words(3, '', 5)]",
        "[1 // 0]",
        "['\ud800']",
        "[" * 300 + "]" * 300,
        "[" + "-" * 9_000 + "1]",
        "[" + "1," * 30_000 + "]",
    ],
)
def test_what_is_not_of_the_language_is_refused_in_one_line(expression: str) -> None:
    with pytest.raises(
        SpecificationError, match=r"cannot be expanded: .*; write literals"
    ) as caught:
        expand(expression)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "expression",
    [
        "[[0] * 10**9]",
        "['ab' * 10**9]",
        "[[[[[0] * 900] * 900] * 900]]",
        "[range(10**12)]",
        "[range(10**40)]",
        "[2**10**9]",
        "[10**400 * 10**400 * 10**400 * 10**400]",
        "[uniform(10**9, 0, 1)]",
        "[organ_pipe(10**9, 0, 1)]",
        "[random_graph(10**9, 3)]",
        "[complete(10**9, 10**3)]",
        "[words(3, 'ab', 10**9)]",
        "[cycle(10**9)]",
        "[" + "range(10**6), " * 30 + "1]",
        "[mirrored([1], 10**9)]",
        "[sloped(10**9, 0, 0, 1, 0, 'near')]",
        "[padded([[0, 1]], 5, 10**9)]",
        "[adjacency([], 10**9)]",
        "[parents([], 10**9)]",
        "[drawn(['ab' * 50], 10**5)]",
        "[cycled(['ab' * 50], 10**5)]",
        "[chosen([0] * 10**5, [['ab' * 50]])]",
        "[chosen([0] * 10**6, [range(10**6)])]",
        "[[2**4000] * 10**6]",
        "[drawn([{'a' * 999: 1}], 10**5)]",
        "[overlapped(['a' * 10**4], 10**4)]",
    ],
)
def test_a_large_value_is_refused_before_it_is_made(expression: str) -> None:
    with pytest.raises(SpecificationError, match=r"more than|too large"):
        expand(expression)


@pytest.mark.parametrize("name", names_of("values"))
def test_values_are_as_many_as_asked_for_and_inside_their_bounds(name: str) -> None:
    for n in (0, 1, 2, 5, 64):
        for low, high in SPANS:
            for seed in range(3):
                values = FAMILIES[name].make(n, low, high, seed)
                assert len(values) == n
                assert all(low <= value <= high and type(value) is int for value in values)


@pytest.mark.parametrize("name", ["distinct", "consecutive", "spread", "ends", "colliding"])
def test_different_values_differ_as_long_as_there_are_enough(name: str) -> None:
    for n, low, high in ((10, 0, 9), (10, -30, 30), (500, 1, 10**9), (50, 3, 2**70)):
        assert len(set(FAMILIES[name].make(n, low, high, 5))) == n


@pytest.mark.parametrize("name", names_of("order"))
def test_an_order_keeps_the_items(name: str) -> None:
    for n in (0, 1, 2, 5, 13, 64):
        assert sorted(FAMILIES[name].make(list(range(n)), 3)) == list(range(n))


@pytest.mark.parametrize("name", names_of("tree"))
def test_a_tree_joins_all_nodes_without_a_circle(name: str) -> None:
    for n in (1, 2, 3, 30):
        edges = FAMILIES[name].make(n, 1, 3)
        assert len(edges) == n - 1
        assert sorted({down for _, down in edges}) == list(range(2, n + 1))
        assert all(1 <= up < down for up, down in edges)


@pytest.mark.parametrize("name", names_of("graph"))
def test_a_graph_is_simple_and_names_nodes(name: str) -> None:
    for n, m in ((1, 0), (2, 1), (3, 3), (10, 12), (30, 400)):
        edges = FAMILIES[name].make(n, m, 1, 3)
        assert all(1 <= node <= n for edge in edges for node in edge)
        assert all(one != other for one, other in edges)
        assert len({frozenset(edge) for edge in edges}) == len(edges)


def probes(keys: list[int]) -> int:
    """The slots that CPython's dict visits while it takes keys in, by its own rule."""
    size, table, visited = 8, [None] * 8, 0

    def enter(table: list[Any], key: int) -> int:
        mask, perturb, slot, count = len(table) - 1, hash(key), hash(key) & (len(table) - 1), 1
        while table[slot] is not None:
            perturb >>= 5
            slot, count = (5 * slot + perturb + 1) & mask, count + 1
        table[slot] = key
        return count

    for used, key in enumerate(keys, 1):
        visited += enter(table, key)
        if used * 3 >= size * 2:
            while size <= used * 3:
                size *= 2
            old, table = [each for each in table if each is not None], [None] * size
            visited += sum(enter(table, each) for each in old)
    return visited


def test_colliding_keys_take_many_probes_within_a_small_interval() -> None:
    n = 8_000
    usual = probes(FAMILIES["distinct"].make(n, 1, 10**9, 1))
    assert probes(FAMILIES["colliding"].make(n, 1, 10**9, 1)) > 25 * usual


def test_brackets_are_balanced() -> None:
    for name in ("brackets", "nested", "flat_brackets"):
        for n in (0, 1, 2, 7, 40):
            text = FAMILIES[name].make(n, "()[]", 3)
            assert len(text) == n // 2 * 2
            while any(pair in text for pair in ("()", "[]")):
                text = text.replace("()", "").replace("[]", "")
            assert text == ""


def test_a_level_order_has_no_entry_without_a_parent() -> None:
    for form in ("full", "left", "right", "zigzag", "random"):
        for n in (0, 1, 2, 3, 8, 31):
            free = 1
            entries = FAMILIES["level_order"].make(list(range(n)), form, 2)
            for entry in entries:
                assert free > 0
                free += -1 if entry is None else 1
            assert len(entries) == n
            assert not n or None not in (entries[0], entries[-1])


@pytest.mark.parametrize(
    "value",
    [
        [0] * 100_000,
        list(range(50_000)),
        "a" * 4_000 + "b",
        [1, 2, 3] * 5_000,
        [[0] * 300] * 300,
        ["ab"] * 3_000,
        [5] * 900 + list(range(900, 0, -1)) + [7, 7, 8],
        {"a": [1] * 5_000},
        [True] * 5_000,
        [0.5] * 3_000,
        [None] * 3_000,
        [-3] * 2_000,
        list(range(0, -6_000, -3)),
    ],
)
def test_large_arguments_are_stored_briefly(value: Any) -> None:
    compact = as_compact([value, 5])
    assert len(compact.model_dump_json()) < 2_100
    assert canonical_json(list(args_of(compact))) == canonical_json([value, 5])


@pytest.mark.parametrize(
    "value",
    [
        [1, True] * 2_000,
        [0.0, -0.0] * 2_000,
        [1, 1.0] * 2_000,
        [[1], [True]] * 2_000,
        [1.0] * 40 + [1] * 3_000,
        "\ud83d" * 4_000,
        [{"a": 1}, {"b": 1}] * 500,
    ],
)
def test_equal_values_of_different_types_are_not_merged(value: Any) -> None:
    compact = as_compact([value])
    assert canonical_json(list(args_of(compact))) == canonical_json([value])


def test_small_arguments_and_those_without_a_pattern_stay_as_they_are() -> None:
    noise = FAMILIES["uniform"].make(3_000, 0, 10**9, 1)
    assert as_compact([[1, 2]]).args == ([1, 2],)
    assert as_compact([noise]).args == (noise,)
    assert as_compact([noise], "[uniform(3000, 0, 10**9, 1)]").args is None


def test_an_input_of_many_runs_is_read_back() -> None:
    runs = sorted(FAMILIES["uniform"].make(20_000, -100, 100, 1))
    compact = as_compact([runs])
    assert compact.args is None
    assert args_of(compact) == (runs,)


def test_an_expression_that_gives_other_arguments_is_not_kept() -> None:
    compact = as_compact([[0] * 5_000], "[[1] * 5000]")
    assert args_of(compact) == ([0] * 5_000,)


def test_a_changed_input_is_noticed() -> None:
    digest = digest_of([[0] * 9])
    for changed in (
        CompactInput(expression="[[0] * 8]", digest=digest),
        CompactInput(args=([0] * 8,), digest=digest),
    ):
        with pytest.raises(SpecificationError, match="does not have the digest"):
            args_of(changed)


def test_literals_are_read_back() -> None:
    for value in ([], "", [[]], {}, [{}], "'\"\\\n", ["é", "\x00"], [1.5, -2, None, False]):
        assert expand(f"[{literal(value)}]") == [value]


def test_expressions_give_the_same_values_in_every_process() -> None:
    names = [*names_of("values"), *names_of("order")]
    expression = f"[{', '.join(f'{name}(50, -9, 10**12, seed=7)' for name in names)}]"
    script = (
        "import sys; from steelyard.families import expand\n"
        "from steelyard.values import digest_of\n"
        "print(digest_of(expand(sys.argv[1])))"
    )
    command = [sys.executable, "-c", script, expression]
    other = subprocess.run(
        command, env={"PYTHONHASHSEED": "77"}, capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == digest_of(expand(expression))
    assert json.loads(json.dumps(expand(expression))) == expand(expression)


def shared(rows: list[list[int]]) -> list[int]:
    """By how much each interval reaches over the start of the next."""
    ranked = sorted(rows)
    return [one[1] - other[0] for one, other in itertools.pairwise(ranked)]


@pytest.mark.parametrize("form", SLOPES)
def test_numbers_stay_between_ends_that_depend_on_their_position(form: str) -> None:
    for n in (0, 1, 2, 30):
        made = FAMILIES["sloped"].make(n, 1, 0, 2, 3, form, 5)
        assert len(made) == n
        assert all(i <= number <= 2 * i + 3 for i, number in enumerate(made))
