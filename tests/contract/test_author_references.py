"""Reference solutions: examples filter, votes decide, the side that loses is repaired."""

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from steelyard.authoring.references import (
    LIMITS,
    Settled,
    Settling,
    Smallest,
    SolutionRuns,
    SolutionWriter,
    WrittenSolution,
    weigh,
)
from steelyard.constraints import Validator
from steelyard.families import as_compact
from steelyard.models import ScriptedModel
from steelyard.runs import Run
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, Limits, OutputEvidence, ReferenceRole, Specification

SPEC = Specification.model_validate(
    {
        "title": "Pair",
        "description": "The largest sum of two items.",
        "returns": "int",
        "parameters": [{"name": "nums", "type": "list[int]"}],
        "constraints": ["2 <= len(nums) <= 1000", "all(-100 <= x <= 100 for x in nums)"],
        "examples": [{"args": [[1, 2, 3]], "expected": 5}],
    }
)
SORTS = "a = sorted(nums); return a[-1] + a[-2]"
TRIES = "return max(nums[i] + nums[j] for i in range(len(nums)) for j in range(i))"
HEAPS = "return sum(heapq.nlargest(2, nums))"
DROPS_NEGATIVE = "a = sorted(nums); return a[-1] + max(a[-2], 0)"
SMALLEST = Smallest(
    inputs=tuple(([*each],) for n in (2, 3) for each in itertools.product((-1, 0, 1), repeat=n)),
    reach="len(nums) <= 3, values -1..1",
)


def program(name: str, body: str, role: ReferenceRole = "alternative") -> WrittenSolution:
    source = f"class Solution:\n    def solve(self, nums):\n        {body}\n"
    return WrittenSolution(name=name, role=role, source=source)


def cases(count: int = 12) -> list[AuthoredCase]:
    example = AuthoredCase(
        name="example 1",
        category="basic",
        origin="example 1",
        input=as_compact([[1, 2, 3]]),
        expected=5,
        has_expected=True,
        trust="trusted",
        evidence=OutputEvidence(truth="example"),
    )
    return [example] + [
        AuthoredCase(
            name=f"case {number}",
            category="basic",
            origin="family",
            input=as_compact([[(number * 37 + i * 11) % 201 - 100 for i in range(number + 2)]]),
        )
        for number in range(count)
    ]


def weighed(pool: CellPool, *programs: WrittenSolution, smallest: Smallest = SMALLEST) -> Any:
    return weigh(SolutionRuns(SPEC, pool), programs, cases(), smallest)


def test_two_that_agree_on_all_small_inputs_are_trusted(pool: CellPool) -> None:
    found = weighed(pool, program("a", SORTS), program("b", TRIES))
    assert {each.trust for each in found.cases} == {"trusted"}
    assert found.exhaustive_to == SMALLEST.reach
    assert all(each.has_expected for each in found.cases)
    evidence = found.cases[1].evidence
    assert (evidence.examples, evidence.independent, evidence.agree) == (1, 2, 2)
    assert evidence.inputs == len(SMALLEST.inputs) + 13
    assert str(found.contradicted) == "0 of 13"


def test_two_that_agree_without_the_small_inputs_are_provisional(pool: CellPool) -> None:
    found = weighed(pool, program("a", SORTS), program("b", TRIES), smallest=Smallest())
    assert [each.trust for each in found.cases] == ["trusted", *["provisional"] * 12]


def test_one_alone_is_provisional(pool: CellPool) -> None:
    found = weighed(pool, program("a", SORTS))
    assert {each.trust for each in found.cases[1:]} == {"provisional"}
    assert found.contradicted is None


def test_examples_filter_first(pool: CellPool) -> None:
    wrong = program("wrong", "return max(nums)")
    found = weighed(pool, wrong, program("also wrong", "return max(nums)"), program("a", SORTS))
    assert found.splits == ()
    assert set(found.truth_faults) == {"wrong", "also wrong"}
    assert found.truth_faults["wrong"].readings[0].answer == 5
    assert "solve([1, 2, 3]) gives 3; the example expects 5" in found.solutions[0].fault
    assert found.cases[1].evidence.independent == 1


def test_a_copy_is_not_a_second_opinion(pool: CellPool) -> None:
    copy = SORTS.replace("a", "items")
    found = weighed(pool, program("a", SORTS), program("b", SORTS), program("c", TRIES))
    assert found.cases[1].evidence.independent == 2
    assert found.solutions[1].fault == "a copy of a is not a second opinion"
    assert "copy" in weighed(pool, program("a", SORTS), program("b", copy)).solutions[1].fault


def test_the_smallest_difference_comes_first(pool: CellPool) -> None:
    found = weighed(pool, program("a", SORTS), program("b", DROPS_NEGATIVE))
    assert found.splits[0].args == ([-1, -1],)
    assert {each.answer for each in found.splits[0].readings} == {-1, -2}
    assert found.splits[0].winner is None
    assert "disputed" in {each.trust for each in found.cases}
    disputed = next(each for each in found.cases if each.trust == "disputed")
    assert not disputed.has_expected


def test_the_majority_wins_and_its_output_is_provisional(pool: CellPool) -> None:
    found = weighed(pool, program("a", SORTS), program("b", DROPS_NEGATIVE), program("c", TRIES))
    assert {each.losers for each in found.splits} == {("b",)}
    assert all(each.has_expected and each.trust != "disputed" for each in found.cases)


def test_a_crash_on_a_valid_input_loses(pool: CellPool) -> None:
    found = weighed(pool, program("a", SORTS), program("b", f"nums[2]; {TRIES}"))
    assert found.splits[0].losers == ("b",)
    assert found.splits[0].readings[1].how == "raised: IndexError: list index out of range"


def test_a_slow_solution_abstains_and_the_case_reports_it(
    pool: CellPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "brute-force", Limits(cpu_ms=200))
    slow = f"sum(1 for _ in range(10**9 if len(nums) > 11 else 1)); {TRIES}"
    found = weighed(pool, program("a", SORTS), program("b", slow, "brute-force"))
    assert found.splits == ()
    assert found.cases[-1].notes == ("b has no answer: exceeded the time limit",)
    assert (found.cases[-1].evidence.independent, found.cases[-1].trust) == (1, "provisional")
    assert found.cases[1].evidence.independent == 2


class Scripted:
    """Settles with replies from a script."""

    def __init__(self, folder: Path, pool: CellPool, replies: Mapping[str, Sequence[str]]) -> None:
        file = folder / "replies.json"
        texts = {
            role: [
                body if body.startswith("I ") else f"```python\n{program('', body).source}```"
                for body in bodies
            ]
            for role, bodies in replies.items()
        }
        file.write_text(json.dumps(texts))
        models = dict.fromkeys(replies, ScriptedModel(file))
        self.log: list[tuple[str, str]] = []
        self.run = Run(
            "author", pool, on_event=lambda event: self.log.append((event.stage, event.message))
        )
        self.run.use(models)
        self.writer = SolutionWriter(self.run, SPEC, "The largest sum of two items.")

    async def settle(
        self, *programs: WrittenSolution, decides: Any = None, **given: Any
    ) -> Settled:
        settling = Settling(
            SolutionRuns(SPEC, self.run.pool),
            self.run,
            Validator.of(SPEC),
            given.pop("smallest", SMALLEST),
            self.writer,
            decides,
        )
        return await settling.settle(programs, given.pop("cases", cases()))


async def test_a_third_solution_decides_and_the_loser_is_repaired(
    tmp_path: Path, pool: CellPool
) -> None:
    run = Scripted(tmp_path, pool, {"alternative": [HEAPS], "healer": [SORTS]})
    optimised = program("optimised", DROPS_NEGATIVE, "optimised")
    found = await run.settle(optimised, program("brute force", TRIES, "brute-force"))
    assert [stage for stage, _ in run.log] == ["compare", "solve", "compare", "heal", "compare"]
    assert run.log[3][1] == "optimised: solve([-1, -1]) gives -1"
    assert found.replaced == (optimised,)
    assert {each.trust for each in found.weighed.cases} == {"trusted"}
    assert (found.questions, found.suspicion) == ((), "")
    assert found.weighed.solutions[0].healed == 1


async def test_an_example_decides_without_a_third(tmp_path: Path, pool: CellPool) -> None:
    run = Scripted(tmp_path, pool, {"healer": [SORTS]})
    found = await run.settle(
        program("optimised", "return max(nums)", "optimised"), program("brute force", TRIES)
    )
    assert [stage for stage, _ in run.log] == ["compare", "heal", "compare"]
    assert {each.trust for each in found.weighed.cases} == {"trusted"}


@pytest.mark.parametrize(
    ("body", "limits", "answer"),
    [
        ("while True: pass", Limits(cpu_ms=300), "slow: exceeded the time limit"),
        ("return [0] * 10**9", Limits(memory_mib=64), "memory: exceeded the memory limit"),
        ("raise SystemExit", Limits(), "raised: SystemExit"),
        ("return 'x'", Limits(), "type: returned a wrong type: the value is a text, expected int"),
    ],
)
async def test_a_solution_that_does_not_answer_an_example_is_repaired(
    tmp_path: Path,
    pool: CellPool,
    monkeypatch: pytest.MonkeyPatch,
    body: str,
    limits: Limits,
    answer: str,
) -> None:
    monkeypatch.setitem(LIMITS, "optimised", limits)
    run = Scripted(tmp_path, pool, {"healer": [SORTS]})
    found = await run.settle(program("optimised", body, "optimised"), program("b", TRIES))
    assert run.log[1] == ("heal", f"optimised: solve([1, 2, 3]) gives no answer: {answer}")
    assert found.weighed.solutions[0].healed == 1
    assert {each.trust for each in found.weighed.cases} == {"trusted"}


async def test_a_solution_is_repaired_three_times_and_the_last_viable_one_is_kept(
    tmp_path: Path, pool: CellPool
) -> None:
    bodies = ["import os", "I give up.", "I still do.", "return max(nums)", DROPS_NEGATIVE, SORTS]
    run = Scripted(tmp_path, pool, {"alternative": [HEAPS], "healer": bodies})
    optimised = program("optimised", DROPS_NEGATIVE, "optimised")
    found = await run.settle(optimised, program("brute force", TRIES))
    assert [stage for stage, _ in run.log].count("heal") == 3
    assert found.weighed.solutions[0].source == optimised.source
    # Two others agree, so the outputs are theirs.
    assert all(each.has_expected for each in found.weighed.cases)
    assert any("a repair was no better" in note for note in run.run.notes)


async def test_three_answers_are_a_question(tmp_path: Path, pool: CellPool) -> None:
    other = f"{SORTS.replace('return', 'return 7 if nums == [-1, -1] else')}"
    run = Scripted(tmp_path, pool, {"alternative": [other], "healer": ["I cannot."] * 6})
    found = await run.settle(program("a", SORTS), program("b", DROPS_NEGATIVE))
    question = found.questions[0]
    assert question.text == "What must solve([-1, -1]) return?"
    assert [each.answer for each in question.readings] == [-2, -1, 7]
    assert [each.solutions for each in question.readings] == [("a",), ("b",), ("third solution",)]


async def test_without_a_third_it_is_disputed(tmp_path: Path, pool: CellPool) -> None:
    run = Scripted(tmp_path, pool, {"alternative": ["I cannot.", "I cannot."]})
    found = await run.settle(program("a", SORTS), program("b", DROPS_NEGATIVE))
    assert found.questions[0].args == ([-1, -1],)
    assert found.weighed.cases[0].trust == "trusted"


async def test_a_given_solution_is_never_repaired(tmp_path: Path, pool: CellPool) -> None:
    run = Scripted(tmp_path, pool, {"alternative": [HEAPS], "healer": []})
    given = program("given", DROPS_NEGATIVE, "given")
    found = await run.settle(given, program("brute force", TRIES))
    assert found.programs[0] == given


async def test_inputs_that_the_models_validator_refuses_are_suspected(
    tmp_path: Path, pool: CellPool
) -> None:
    run = Scripted(tmp_path, pool, {"healer": []})
    found = await run.settle(
        program("a", SORTS),
        program("b", "return max(nums[0] + nums[1], nums[0] + nums[-1], 5)"),
        decides=lambda inputs: [min(args[0]) >= 0 for args in inputs],
    )
    assert "refuses" in found.suspicion
    assert [stage for stage, _ in run.log] == ["compare"]


async def test_where_the_suite_is_kept_the_solution_heals(tmp_path: Path, pool: CellPool) -> None:
    run = Scripted(tmp_path, pool, {"alternative": [HEAPS], "healer": [TRIES]})
    settling = Settling(
        SolutionRuns(SPEC, pool),
        run.run,
        Validator.of(SPEC),
        SMALLEST,
        run.writer,
        lambda inputs: [min(args[0]) >= 0 for args in inputs],
    )
    wrong = program("b", "return max(nums[0] + nums[1], nums[0] + nums[-1], 5)")
    suspected = await settling.settle((program("a", SORTS), wrong), cases())
    assert suspected.suspicion
    kept = await settling.settle_without_doubt(suspected, cases())
    assert (kept.suspicion, kept.questions, kept.replaced) == ("", (), (wrong,))
    assert kept.contradicted == suspected.contradicted
    assert {each.trust for each in kept.weighed.cases} == {"trusted"}
    assert [stage for stage, _ in run.log] == ["compare", "solve", "compare", "heal", "compare"]


async def test_a_difference_on_a_large_input_is_shrunk(tmp_path: Path, pool: CellPool) -> None:
    run = Scripted(tmp_path, pool, {"alternative": [HEAPS], "healer": [SORTS]})
    capped = f"{SORTS.replace('return', 'return 0 if 50 in nums and len(nums) > 3 else')}"
    large = AuthoredCase(
        name="large", category="stress", origin="x", input=as_compact([[50, *range(-90, 90, 2)]])
    )
    found = await run.settle(
        program("optimised", capped),
        program("brute force", TRIES),
        cases=[*cases(3), large],
        smallest=Smallest(),
    )
    assert run.log[3][0] == "heal"
    shrunk = run.log[3][1].removeprefix("optimised: solve([").partition("]")[0].split(", ")
    assert len(shrunk) == 4
    assert "50" in shrunk
    assert all(each.has_expected for each in found.weighed.cases)
