"""The solver finds valid inputs that repair does not find; it is optional."""

import pytest

from steelyard.constraints import Validator
from steelyard.families import Dice, args_of
from steelyard.inputs import _workshop as workshop
from steelyard.inputs._make import derive_inputs
from steelyard.inputs._solver import solved
from tests.needs import needs
from tests.unit.inputs.input_specs import SOLVED, Spec, specification

needs_solver = needs("z3")


@needs_solver
@pytest.mark.parametrize(("name", "spec"), SOLVED.items(), ids=SOLVED)
def test_the_solver_finds_what_repair_does_not(name: str, spec: Spec) -> None:
    validator = Validator.of(specification(*spec))
    derived = derive_inputs(specification(*spec), seed=3, count=12)
    assert len(derived.cases) >= 5  # a busy machine solves fewer in the time
    assert all(validator.is_valid(args_of(case.input)) for case in derived.cases)


@needs_solver
@pytest.mark.parametrize(
    "constraint",
    [
        "sorted(a) == sorted(b) and a != b",
        "set(a) == set(b)",
        "a.count(k) == 2",
        "a == b[::-1]",
        "len(set(a)) == 2 and k in a",
        "sum(a) % 7 == 3 and sum(b) == 40",
        "max(a) - min(a) == k",
        "all(x * x == y for x, y in zip(a, b))",
        "a[1:] == b[:-1] and a[0] == k",
        "sum(1 for x in a if x > 9) == 3",
        "any(x == 17 for x in a) and abs(k) == 3",
        "all(x // 5 == k for x in b)",
        "is_permutation(a, b) and is_increasing(b)",
        "(a[0] if k > 0 else a[1]) == 7 and k != 1",
        "a[0] ** 2 + a[1] ** 2 == a[2] ** 2",
    ],
)
def test_what_the_solver_finds_is_valid(constraint: str) -> None:
    limits = ["all(0 <= x <= 99 for x in a)", "all(0 <= x <= 9999 for x in b)", "-9 <= k <= 99"]
    spec = specification("a: list[int]; b: list[int]; k: int", [*limits, constraint], [])
    validator = Validator.of(spec)
    for seed in range(3):
        start = [[1, 2, 3, 4], [5, 6, 7, 8], 2]
        found = solved(validator, tuple(validator.types.values()), start, Dice(seed))
        assert found is not None
        assert validator.broken(found) == ()


@needs_solver
def test_the_solver_knows_texts_rows_and_floats() -> None:
    spec = specification(
        "s: str; rows: list[tuple[int, float]]; flag: bool",
        [
            "s.isalpha() and s[0] == 'q' and s == s[::-1]",
            "all(c in 'qxy' for c in s) and s.count('x') == 1",
            "all(w * 4 == n + 1 for n, w in rows) and rows[0][0] == 8",
            "flag or len(rows) > 5",
        ],
        [],
    )
    validator = Validator.of(spec)
    start = ["abcde", [[0, 0.5], [3, 1.0]], False]
    found = solved(validator, tuple(validator.types.values()), start, Dice(0))
    assert found is not None
    assert validator.broken(found) == ()
    assert found[1][0] == [8, 2.25]


def test_without_the_solver_what_was_not_made_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "has_solver", lambda: False)
    derived = derive_inputs(specification(*SOLVED["disjoint intervals"]), seed=3, count=30)
    for case in derived.cases:
        assert "solver" not in case.origin
    if len(derived.cases) < 30:
        assert any(note.startswith("made ") for note in derived.notes)
