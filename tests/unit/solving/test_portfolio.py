"""Harder inputs of the same format: relations, properties, growth, stated bounds, transforms."""

import random
from collections.abc import Callable

import pytest

from steelyard.schemas import SolutionLanguage
from steelyard.solving._harder_inputs import Transformed, transformed
from steelyard.solving._input_format import InputFormat
from steelyard.solving._inputs import bound_fault, doublings, growth_fault, size_of

SAMPLE = "5\n9 1 4 15 2\n"
Maker = Callable[[int], str]


def numbers(n: int, *, most: int = 10**9) -> list[int]:
    return random.Random(n).choices(range(1, most), k=n)


def array(values: list[int]) -> str:
    return f"{len(values)}\n{' '.join(map(str, values))}\n"


def used(
    made: str, *samples: str, generated: tuple[str, ...] = (), language: SolutionLanguage = "cpp"
) -> dict[str, Transformed]:
    found = transformed(made, generated, InputFormat(samples), language)
    return {each.name: each for each in found if not each.refused}


def test_the_numbers_of_a_line_are_rearranged() -> None:
    made = array(numbers(4_000))
    found = used(made, SAMPLE)
    assert set(found) == {
        "sorted",
        "reversed",
        "shuffled",
        "organ pipe",
        "all equal",
        "few distinct",
        "multiples of the buckets",
        "multiples of fewer buckets",
    }
    own = made.split()[1:]
    assert found["sorted"].text.split()[1:] == sorted(own, key=int)
    assert found["reversed"].text.split()[1:] == sorted(own, key=int)[::-1]
    assert len(set(found["all equal"].text.split()[1:])) == 1
    pipe = [int(word) for word in found["organ pipe"].text.split()[1:]]
    top = pipe.index(max(pipe))
    assert pipe[:top] == sorted(pipe[:top])
    assert pipe[top:] == sorted(pipe[top:])[::-1]
    for each in found.values():
        assert each.text.split()[0] == "4000"
        assert len(each.text.split()) == 4_001
        assert max(map(int, each.text.split())) <= max(map(int, own))


def test_colliding_keys_share_a_bucket_after_the_table_has_grown() -> None:
    found = used(array(numbers(4_000)), SAMPLE)
    keys = [int(word) for word in found["multiples of the buckets"].text.split()[1:]]
    assert len(set(keys[:1_110])) == 1_110  # so that the table has its next count, 2,357
    assert all(key % 2_357 == 0 for key in keys[1_110:])


def test_python_keys_collide_in_its_table() -> None:
    assert "multiples of the slots" in used(array(numbers(4_000)), SAMPLE, language="python")


@pytest.mark.parametrize(
    ("samples", "generated", "gone"),
    [
        (("3\n1 2 3\n",), (array([1, 2, 3, 4]),), "reversed"),
        (("3\n3 1 2\n",), (array([1, 2, 3, 4]),), "all equal"),
    ],
)
def test_what_all_examples_have_is_kept(
    samples: tuple[str, ...], generated: tuple[str, ...], gone: str
) -> None:
    made = array(list(range(1, 501)))
    assert gone not in used(made, *samples, generated=generated)


def test_an_order_that_the_samples_do_not_have_is_not_required() -> None:
    made = array(sorted(set(numbers(500))))
    assert "reversed" in used(made, SAMPLE, generated=(array([1, 2, 3, 4]),))


def test_rows_of_indices_are_only_reordered() -> None:
    edges = "".join(f"{max(1, node // 2)} {node}\n" for node in range(2, 100))
    found = used(f"99\n{edges}", "3\n2 3\n1 2\n")
    assert {"reversed by column 1", "shuffled by column 2"} <= set(found)
    before = sorted(edges.splitlines())
    assert all(sorted(each.text.splitlines()[1:]) == before for each in found.values())


def test_letters_of_a_word_are_items_too() -> None:
    word = "".join(random.Random(1).choices("abcde", k=40))
    assert {"sorted", "all equal"} <= set(used(f"{len(word)}\n{word}\n", "3\nbab\n"))


def test_a_count_that_the_header_does_not_give_is_a_fault() -> None:
    form = InputFormat([SAMPLE, "1\n7\n"])
    assert form.fault(array(numbers(50))) is None
    assert "in the samples' format" in (form.fault("200000\n" + "1 " * 500) or "")


def test_a_tree_has_one_line_less_than_its_header_says() -> None:
    form = InputFormat(["3\n1 2\n1 3\n", "2\n1 2\n"])
    assert form.fault("4\n1 2\n2 3\n3 4\n") is None
    assert form.fault("4\n1 2\n2 3\n") is not None


def growth(make: Maker) -> str | None:
    ns = doublings(200_000)
    return growth_fault(ns, [size_of(make(n)) for n in ns])


FOLLOWS: dict[str, Maker] = {
    "an array": lambda n: array([1] * n),
    "a word": lambda n: f"{n}\n{'a' * n}\n",
    "a number": lambda n: f"{n}\n",
    "its digits": lambda n: f"{n.bit_length()}\n{' '.join(format(n, 'b'))}\n",
    "two words": lambda n: f"{n}\n{'a' * (n // 3)} {'b' * (n // 3)}\n",
    "its square root": lambda n: f"{n}\n" + "1 " * int(n**0.5),
}
STALLS: dict[str, Maker] = {
    "capped": lambda n: array([1] * min(n, 1_000)),
    "capped after its header": lambda n: f"{n}\n" + "1 " * min(n, 500),
    "capped near the end": lambda n: array([1] * min(n, 120_000)),
    "a capped word": lambda n: f"{n}\n{'a' * min(n, 1_000)}\n",
    "a capped number": lambda n: f"{min(n, 1_000)}\n",
}


@pytest.mark.parametrize("make", FOLLOWS.values(), ids=FOLLOWS)
def test_sizes_that_follow_n(make: Maker) -> None:
    assert growth(make) is None


@pytest.mark.parametrize("make", STALLS.values(), ids=STALLS)
def test_sizes_that_stop_before_the_largest_n(make: Maker) -> None:
    assert growth(make) is not None


STATED = (
    "1 ≤ n ≤ 200,000",
    "$1 \\le n, m \\le 2 \\cdot 10^5$",
    "n (1 <= n <= 2*10^5)",
    "n is at most 2e5",
    "1 ≤ n ≤ 2·10⁵",
    "n ≤ 200 000",
    "1 \\leq n \\leq 2\\times10^{5}",
    "n < 200001",
    "There are up to 200 thousand numbers",
)


@pytest.mark.parametrize("text", STATED)
def test_a_misread_bound_is_found(text: str) -> None:
    prompt = f"Read n and n numbers. {text}. Limits: 1000 ms.\n```\n1000\n```\n"
    assert bound_fault(prompt, {"n": 200_000}, 200_000) is None
    for wrong in (1_000, 2_000, 20_000, 2_000_000):
        assert bound_fault(prompt, {"n": wrong}, wrong) is not None


def test_the_sum_over_all_tests_is_not_the_bound_of_one() -> None:
    prompt = "1 ≤ n ≤ 1000. The sum of n ≤ 200000."
    assert bound_fault(prompt, {"n": 1_000}, 1_000) is None


def test_a_statement_without_bounds_contradicts_none() -> None:
    assert bound_fault("Add n numbers.", {"n": 1_000}, 1_000) is None


def test_a_long_statement_is_read_in_time_that_its_length_gives() -> None:
    assert bound_fault("n, " * 60_000 + "1 " * 10_000, {"n": 5}, 5) is None
