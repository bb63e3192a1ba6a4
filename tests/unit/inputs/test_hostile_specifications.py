"""A specification that cannot be met, is costly or is wrong ends in a note or an error."""

import pytest

from steelyard.constraints import Validator
from steelyard.errors import SpecificationError
from steelyard.families import args_of
from steelyard.inputs._make import derive_inputs
from steelyard.inputs._near_invalid import near_invalid
from steelyard.schemas import Specification
from tests.unit.inputs.input_specs import Spec, make_inputs, specification

HOSTILE: dict[str, Spec] = {
    "clash": ("n: int", ["n > 5", "n < 3"], []),
    "hidden clash": ("nums: list[int]", ["sum(x * x for x in nums) == -1"], []),
    "endless lists": ("nums: list[int]", ["len(nums) >= 10**12"], []),
    "giant numbers": ("n: int", ["n >= 10**900"], []),
    "deep": ("x: list[list[list[list[list[int]]]]]", ["len(x) >= 9"], []),
    "quadratic": (
        "nums: list[int]",
        ["1 <= len(nums) <= 10**5", "all(nums.count(x) < 99 for x in nums)"],
        [],
    ),
    "cubic": (
        "s: str",
        ["len(s) == 60", "all(a != b or c < 'z' for a in s for b in s for c in s)"],
        [],
    ),
    "division": ("a: int; b: int", ["a // b == 3", "a % b == 1"], []),
    "powers": ("a: int", ["2 ** (3 ** a) % 7 == 2"], []),
    "narrow": ("x: float", ["0.1 < x < 0.1000001"], []),
    "one letter": ("s: str", ["all(ord(c) == 200 for c in s)", "len(s) == 3"], []),
    "wide": (
        "a: list[int]; b: list[int]; c: list[int]; d: list[int]",
        ["len(a) * len(b) * len(c) == 360", "len(d) == len(a) + len(b)"],
        [],
    ),
}


@pytest.mark.parametrize(("name", "spec"), HOSTILE.items(), ids=HOSTILE)
def test_a_hostile_specification_ends_and_is_noted(name: str, spec: Spec) -> None:
    derived = derive_inputs(specification(*spec), seed=1, count=12, work=300_000)
    validator = Validator.of(specification(*spec))
    assert all(validator.is_valid(args_of(case.input)) for case in derived.cases)
    if len(derived.cases) < 12:
        assert any(note.startswith(("made", "stopped")) for note in derived.notes)
    if name not in ("cubic", "deep", "quadratic"):
        inputs = [args_of(case.input) for case in derived.cases]
        near_invalid(specification(*spec), inputs, seed=1, count=5)


def test_large_drafts_that_cannot_be_repaired_leave_work_for_small_ones() -> None:
    constraints = [
        "1 <= n <= 10**5",
        "len(rows) <= 10**5",
        "all(0 <= a < n and 0 <= b < n for a, b in rows)",
        "len({(31 * a + b) % 1009 for a, b in rows}) > len(rows) - 2",
    ]
    spec = specification("n: int; rows: list[list[int]]", constraints, [])
    assert len(derive_inputs(spec, seed=0, count=60, work=30_000_000).cases) == 60


def test_an_example_that_is_not_valid_is_noted() -> None:
    spec = specification("n: int", ["1 <= n <= 9"], [[3], [10]])
    derived = derive_inputs(spec, seed=1, count=5)
    assert [case.origin for case in derived.cases][:1] == ["example 1"]
    assert any("example 2 is left out" in note for note in derived.notes)


def test_a_specification_that_cannot_be_read_is_an_error() -> None:
    spec: Specification = specification("n: int", ["1 <= m"], [])
    with pytest.raises(SpecificationError, match="'m' is not a parameter"):
        make_inputs(spec, seed=1, count=5)
    with pytest.raises(SpecificationError, match="'m' is not a parameter"):
        near_invalid(spec, [], seed=1, count=5)


def test_work_is_what_checks_take_and_not_the_size_of_arguments() -> None:
    spec = specification(
        "n: int", ["1 <= n <= 10**5", "all(a + b > -5 for a in range(n) for b in range(n))"], []
    )
    derived = derive_inputs(spec, seed=0, count=20, work=200_000)
    assert "stopped after 200,000 units of work" in " ".join(derived.notes)
    validator = Validator.of(spec)
    assert validator.is_valid([100])
    assert 10_000 < validator.work.steps < 200_000


def test_pairs_of_numbers_below_a_huge_count_are_no_edges_of_a_graph_with_as_many_nodes() -> None:
    spec = specification(
        "stages: list[tuple[int, int]]; x: int",
        [
            "1 <= len(stages) <= 300",
            "all(1 <= a <= 10**9 and 1 <= b <= 10**9 for a, b in stages)",
            "1 <= x <= 10**9",
        ],
        [],
    )
    assert len(derive_inputs(spec, seed=0, count=60).cases) == 60
