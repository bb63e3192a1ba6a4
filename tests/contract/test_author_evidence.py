"""Inputs are chosen by what trusted solutions do with them."""

import dataclasses
from typing import Any

import pytest

from steelyard.authoring.calls import Callee, compiled
from steelyard.authoring.evidence import _observations, telling_inputs
from steelyard.authoring.evidence._observations import Trace, traces
from steelyard.constraints import Validator, bounds_of
from steelyard.families import args_of, as_compact
from steelyard.inputs import inputs_of, visits
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import AuthoredCase, Limits, Parameter, Specification
from steelyard.values import parse_type

SPEC = Specification.model_validate(
    {
        "title": "t",
        "description": "d",
        "returns": "int",
        "parameters": [{"name": "a", "type": "int"}, {"name": "b", "type": "int"}],
        "constraints": ["-1000 <= a <= 1000", "-1000 <= b <= 1000"],
    }
)
TYPES = (parse_type("int"), parse_type("int"))
RARE = "return 5 if a != b and abs(a) == abs(b) else 7 if (a - b) % 9 == 4 else 0"


def solution(body: str, pool: CellPool, before: str = "") -> Callee:
    found = compiled(
        f"{before}\nclass Solution:\n    def solve(self, a, b):\n        {body}\n",
        "class:Solution.solve",
        pool=pool,
        limits=Limits(),
        parameters=2,
    )
    assert isinstance(found, Callee)
    return found


def test_inputs_are_taken_that_reach_rare_branches(pool: CellPool) -> None:
    made = inputs_of(SPEC).small(300).cases
    taken = telling_inputs(SPEC, [solution(RARE, pool)], made, seed=0, count=12)
    assert len(taken) == 12
    assert {case.input.digest for case in taken} <= {case.input.digest for case in made}
    assert not any(a == -b != 0 for a, b in (args_of(case.input) for case in made[:12]))
    assert any(a == -b != 0 for a, b in (args_of(case.input) for case in taken))


def test_few_inputs_have_the_smallest_and_reach_all_bounds(pool: CellPool) -> None:
    constraints = [*SPEC.constraints, "abs(a - b) <= 1500", "1 <= len(s) <= 40"]
    text = Parameter(name="s", type="str")
    parameters = (*SPEC.parameters, text)
    spec = SPEC.model_copy(update={"parameters": parameters, "constraints": tuple(constraints)})
    source = (
        "class Solution:\n    def solve(self, a, b, s):\n        return (a * b) % 7 + len({*s})\n"
    )
    one = compiled(source, "class:Solution.solve", pool=pool, limits=Limits(), parameters=3)
    assert isinstance(one, Callee)
    made = inputs_of(spec).small(300).cases
    every = [args_of(case.input) for case in made]
    taken = [args_of(each.input) for each in telling_inputs(spec, [one], made, seed=0, count=16)]
    assert min(map(visits, taken)) == min(map(visits, every))
    for bound in bounds_of(Validator.of(spec)):
        assert any(map(bound.reached_by, taken)), bound


def test_large_inputs_are_of_the_kinds_that_cost_most(pool: CellPool) -> None:
    spec = Specification.model_validate(
        {
            "title": "t",
            "description": "d",
            "returns": "int",
            "parameters": [{"name": "stays", "type": "list[tuple[int, int]]"}],
            "constraints": [
                "1 <= len(stays) <= 4000",
                "all(0 <= a <= b <= 10**9 for a, b in stays)",
            ],
            "examples": [{"args": [[[1, 2], [5, 9], [4, 7]]], "expected": 2}],
        }
    )
    source = (
        "class Solution:\n    def solve(self, stays):\n        whole = []\n"
        "        for a, b in sorted(stays):\n"
        "            if whole and a <= whole[-1]:\n"
        "                b = max(b, whole.pop())\n"
        "            whole.append(b)\n"
        "        return len(whole)\n"
    )
    one = compiled(source, "class:Solution.solve", pool=pool, limits=Limits(), parameters=1)
    assert isinstance(one, Callee)

    def apart(case: AuthoredCase) -> int:
        stays: Any = args_of(case.input)[0]
        found = 0
        last = -1
        for a, b in sorted(stays):
            found += a > last
            last = max(last, b)
        return found

    made = inputs_of(spec).small(150).cases
    taken = telling_inputs(spec, [one], made, seed=0, count=24)
    assert len(taken) == 24
    assert max(map(apart, taken)) > 1_000, "few stays apart never show that a list is searched"
    every = telling_inputs(spec, [one], made, seed=0, count=24, thorough=True)
    assert {case.input.digest for case in every} >= {case.input.digest for case in made}
    assert max(map(apart, every)) > 1_000


def test_a_thorough_choice_keeps_all_and_adds_changes_of_the_best(pool: CellPool) -> None:
    made, one = inputs_of(SPEC).small(20).cases, solution(RARE, pool)
    taken = telling_inputs(SPEC, [one], made, seed=0, count=25, thorough=True)
    assert taken == telling_inputs(SPEC, [one], made, seed=0, count=25, thorough=True)
    assert taken[: len(made)] == made
    assert len({case.input.digest for case in taken}) == len(made) + 25


def test_a_trace_tells_what_a_call_did(pool: CellPool) -> None:
    some = traces(solution(RARE, pool), TYPES, [(100, 50), (200, 60), (8, -8), (4, 0)], 5_000)
    assert some[0] == some[1], "both take the same way, far from each condition"
    assert len(set(some)) == 3
    assert all(each.findings for each in some)
    assert [each.answer == some[0].answer for each in some] == [True, True, False, False]


def test_a_trace_tells_how_large_an_answer_is(pool: CellPool) -> None:
    inputs = [(3, 4)]
    sizes = {
        body: traces(solution(body, pool), TYPES, inputs, 5_000)[0].sizes
        for body in ("return a - b", "return [a, b] * 9", "return 'x' * a", "return a < b")
    }
    assert [*sizes.values()] == [(0, -1), (0, 18, 3, 4, 3, 4), (0, 3), (0,)]


def test_a_long_call_is_run_again_for_its_answer(pool: CellPool) -> None:
    long = solution("return sum(1 for n in range(20_000) for m in [a])", pool)
    loop = solution("for n in range(20_000): b += 1\n        return b", pool)
    for one in (long, loop):
        (whole,) = traces(one, TYPES, [(1, 2)], 100, most_rounds=100_000)
        (ended,) = traces(one, TYPES, [(1, 2)], 100)
        assert ended.sizes == (0,)
        assert ended.steps == 100 < whole.steps
        assert whole.sizes in ((0, 20_000), (0, 20_002))


@pytest.mark.parametrize("key", ["key", "lambda n: -n"])
def test_calls_are_steps(key: str, pool: CellPool) -> None:
    before = "def key(n):\n    'A number to sort by.'\n    return -n\n"
    one = solution(f"return sorted(range(a), key={key})[b]", pool, before=before)
    short, long = traces(one, TYPES, [(10, 0), (10**6, 0)], 100)
    assert (short.steps, long.steps) == (12, 100)
    assert short.sizes[-1] == 9


def test_a_program_that_computes_while_it_is_loaded_is_traced(pool: CellPool) -> None:
    squares = "SQUARES = [n * n for n in range(50)]"
    one = solution("return SQUARES[a % 50] + b", pool, before=squares)
    (found,) = traces(one, TYPES, [(2, 1)], 5_000, most_rounds=1_000)
    assert found.sizes == (0, 5)
    assert sum(found.lengths) == 50


def test_a_run_that_measures_is_bounded_and_nothing_is_lost(pool: CellPool) -> None:
    body = "return sum(1 for n in range(10**7) for m in range(n) if m == a)"
    (found,) = traces(solution(body, pool), TYPES, [(1, 1)], 30_000, most_rounds=10**9)
    assert found.answer is not None
    assert found.findings


def test_a_run_whose_steps_take_long_ends_early_and_shows_what_it_did(pool: CellPool) -> None:
    body = "return sum(1 for n in range(10**5) if sum(range(3 * 10**6)) == n)"
    (found,) = traces(solution(body, pool), TYPES, [(1, 2)], 30_000)
    assert 0 < found.steps < 3_000, "the cell would be ended after 10 s, and show nothing"
    assert found.findings


def test_only_the_first_solution_runs_on_large_inputs(pool: CellPool) -> None:
    spec = SPEC.model_copy(
        update={
            "parameters": (Parameter(name="a", type="list[int]"), Parameter(name="b", type="int")),
            "constraints": ("len(a) <= 10**5", "0 <= b <= 9"),
        }
    )
    cases = [
        AuthoredCase(name=str(n), category="stress", origin="t", input=as_compact([[0] * n, 1]))
        for n in (20, 30, 5_000)
    ]
    one = solution("return sum(x == b for x in a)", pool)
    found = _observations.Observer(spec, [one, one]).on(cases)
    assert [each.case for each in found] == cases
    assert [len(each.findings) > 0 for each in found] == [True] * 3
    assert [each.sizes[1] == each.sizes[0] for each in found[:2]] == [True] * 2
    assert found[2].is_large
    assert found[2].sizes[0] > 1_000


def test_lengths_of_containers_are_returned(pool: CellPool) -> None:
    one = solution(
        "seen = []\n        for n in range(a):\n            seen.append(n)\n        return b", pool
    )
    few, more, none = traces(one, TYPES, [(2, 1), (100, 1), (0, 1)], 5_000, most_rounds=1_000)
    assert sum(few.lengths) == 1 + 2 + 2, "the list, rounds, and rounds times begins"
    assert sum(more.lengths) == 99 * 100 / 2 + 100 + 100
    assert sum(none.lengths) == 0


@pytest.mark.parametrize(
    "body",
    [
        "return [][a]",
        "while True: a = a + 1 if a < 5 else 0",
        "print('[1]'); return 'x'",
        "return sorted(x for x in Counter([a, b]) if x)[0] + gcd(a, b)",
    ],
)
def test_what_a_program_raises_prints_or_never_ends_is_found_too(body: str, pool: CellPool) -> None:
    found = traces(solution(body, pool), TYPES, [(1, 2), (3, 4)], 5_000)
    assert all(each.findings and each.answer for each in found)


def test_a_program_that_cannot_be_traced_tells_nothing(pool: CellPool) -> None:
    whole = solution(RARE, pool)
    broken = dataclasses.replace(whole.artifact, files={whole.artifact.source: Blob(b"def")})
    found = traces(dataclasses.replace(whole, artifact=broken), TYPES, [(1, 2), (3, 4)], 5_000)
    assert found == [Trace(), Trace()]
    made = inputs_of(SPEC).small(9).cases
    one = dataclasses.replace(whole, artifact=broken)
    assert len(telling_inputs(SPEC, [one], made, seed=0, count=1)) == 1
