"""Inputs are chosen by what trusted solutions do with them."""

import dataclasses
from typing import Any

import pytest

from steelyard.authoring.calls import Callee, compiled
from steelyard.authoring.evidence import _observations, telling_inputs
from steelyard.authoring.evidence._observations import Trace, traces
from steelyard.families import args_of, as_compact
from steelyard.inputs import changed_inputs, make_inputs
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
    known = make_inputs(SPEC, seed=0, count=6)
    taken = telling_inputs(SPEC, [solution(RARE, pool)], known, seed=0, count=6)
    assert len(taken) == 6
    assert not {case.input.digest for case in taken} & {case.input.digest for case in known}
    assert not any(a == -b != 0 for a, b in (args_of(case.input) for case in known))
    assert any(a == -b != 0 for a, b in (args_of(case.input) for case in taken))


def test_further_small_inputs_may_be_taken(pool: CellPool) -> None:
    known = make_inputs(SPEC, seed=0, count=6)
    taken = telling_inputs(SPEC, [solution(RARE, pool)], known, seed=0, count=2, further=25)
    again = telling_inputs(SPEC, [solution(RARE, pool)], known, seed=0, count=2, further=25)
    assert taken == again
    assert len({case.input.digest for case in (*known, *taken)}) == len(known) + 27


def test_a_trace_tells_what_a_call_did(pool: CellPool) -> None:
    some = traces(solution(RARE, pool), TYPES, [(100, 50), (200, 60), (8, -8), (4, 0)], 5_000)
    assert some[0] == some[1], "both take the same way, far from each condition"
    assert len(set(some)) == 3
    assert all(each.findings for each in some)
    assert [each.answer == some[0].answer for each in some] == [True, True, False, False]


def test_mutants_that_answer_otherwise_are_told(pool: CellPool) -> None:
    def mutant(body: str) -> str:
        return f"class Solution:\n    def solve(self, a, b):\n        {body}\n"

    mutants = {
        3: mutant("return a + b + (a == 7)"),
        5: mutant("return a + b"),
        6: mutant("while a: pass"),
        8: mutant("raise ValueError"),
        9: "no program",
    }
    some = traces(solution("return a + b", pool), TYPES, [(7, 1), (0, 2)], 5_000, mutants)
    assert [each.kills for each in some] == [{3, 6, 8}, {6, 8}]
    assert all(each.with_mutants for each in some)


def test_mutants_that_exhaust_the_cell_are_left_out(pool: CellPool) -> None:
    hungry = "class Solution:\n    def solve(self, a, b):\n        return [0] * 10**10\n"
    ending = "import os\nos._exit(1)\n"
    for text in (hungry, ending):
        some = traces(solution("return a + b", pool), TYPES, [(7, 1), (0, 2)], 5_000, {1: text})
        assert [each.sizes for each in some] == [(0, 8), (0, 2)]
        assert not any(each.kills & {2} for each in some)


def test_a_mutant_that_ends_a_process_is_left_out_of_few_calls(pool: CellPool) -> None:
    rarely = (
        "import os\nclass Solution:\n    def solve(self, a, b):\n"
        "        if a == 30: os._exit(1)\n        return a + b + (a == 7)\n"
    )
    inputs = [(a, 1) for a in range(60)]
    some = traces(solution("return a + b", pool), TYPES, inputs, 5_000, {1: rarely})
    assert [each.sizes for each in some] == [(0, a + 1) for a in range(60)]
    assert [at for at, each in enumerate(some) if each.kills] == [7]
    without = [at for at, each in enumerate(some) if not each.with_mutants]
    assert 30 in without
    assert len(without) == 12


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


def test_a_slow_solution_is_not_traced_on_the_largest_inputs(
    pool: CellPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = SPEC.model_copy(
        update={
            "parameters": (Parameter(name="a", type="list[int]"), Parameter(name="b", type="int")),
            "constraints": ("len(a) <= 10**5", "0 <= b <= 9"),
        }
    )
    cases = [
        AuthoredCase(name=str(n), category="stress", origin="t", input=as_compact([[0] * n, 1]))
        for n in range(5_000, 1_600, -100)
    ]
    one = solution("return sum(x == b for x in a)", pool)
    monkeypatch.setattr(_observations, "_MOST_EACH_S", 0.0)
    tried = _observations.Observer(spec, [one, one])
    found = tried.on(cases)
    assert [each.case for each in found] == cases
    assert all(each.sizes[0] > 1_000 for each in found), "the first solution"
    assert [each.sizes[1] > 0 for each in found] == [False] * 24 + [True] * 10
    again = tried.on([*cases[:2], *cases[-2:]])
    assert [each.sizes[1] > 0 for each in again] == [False] * 4, "those were slow too"


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
    taken = telling_inputs(SPEC, [dataclasses.replace(whole, artifact=broken)], (), seed=0, count=1)
    assert len(taken) == 1


def test_few_inputs_are_changed_in_every_round(
    pool: CellPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []

    def counting(*args: Any, count: int, **options: Any) -> tuple[AuthoredCase, ...]:
        counts.append(count)
        return changed_inputs(*args, count=count, **options)

    monkeypatch.setattr("steelyard.authoring.evidence._choice.changed_inputs", counting)
    telling_inputs(SPEC, [solution(RARE, pool)], (), seed=0, count=8)  # one of them is large
    assert min(counts) > 0
