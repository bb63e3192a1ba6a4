"""A challenge needs no trust for an input, evidence for an output, and changes all or nothing."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from steelyard.authoring.challenges import challenge, resolve
from steelyard.authoring.challenges.submissions import list_submissions, submit
from steelyard.authoring.references import LIMITS
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, ChallengeReport, Limits, SpecExample, Specification
from steelyard.storage import Database, check_records, open_database
from tests import gap_problem as gap
from tests.contract.killed_challenges import NEGATIVES, WRONG

RIGHT_ANSWER = gap.gap(NEGATIVES)
THIRD = """\
class Solution:
    def solve(self, nums):
        if not nums:
            return 0
        known, last, widest = set(nums), None, 0
        for at in range(min(nums), max(nums) + 1):
            if at in known:
                widest = max(widest, 0 if last is None else at - last)
                last = at
        return widest
"""


@pytest.fixture
def database(empty_database: Path, tmp_path: Path) -> Iterator[Database]:
    with open_database(shutil.copy(empty_database, tmp_path)) as database:
        yield database


def challenged(
    database: Database, pool: CellPool, given: Sequence[Any] | str, *claim: Any, by: str = "ann"
) -> ChallengeReport:
    return challenge(
        database, gap.NAME, given, reason="look", by=by, claim=claim or None, pool=pool
    )  # type: ignore[arg-type]


def current(database: Database) -> dict[str, AuthoredCase]:
    with database.read() as reader:
        return {case.name: case for case in reader.suite_of(gap.NAME).cases}


def test_an_invalid_input_is_refused_with_the_broken_constraint(
    database: Database, pool: CellPool
) -> None:
    gap.store(database)
    before = database.status().records
    for given, broken in (
        ([[]], "1 <= len(nums) <= 1000"),
        ([[1001]], "all(-1000 <= x <= 1000 for x in nums)"),
        ([["a"]], "nums: list[int]"),
        ([[1], 2], "solve(nums)"),
        ([], "solve(nums)"),
    ):
        report = challenged(database, pool, given, 0)
        assert (report.state, report.broken, report.passed) == ("rejected", (broken,), False)
        assert broken in str(report)
    assert database.status().records == before


def test_an_input_that_the_suite_has_is_refused(database: Database, pool: CellPool) -> None:
    gap.store(database)
    before = database.status().records
    assert "has this input as small" in challenged(database, pool, [[1, 2]]).reason
    assert "with this output as small" in challenged(database, pool, [[1, 2]], 1).reason
    assert database.status().records == before


def test_an_accepted_input_is_shrunk_stored_and_submissions_are_judged_again(
    database: Database, pool: CellPool
) -> None:
    gap.store(database)
    for source in (gap.NEGATIVES_FORGOTTEN, gap.OPTIMISED, "class Solution: pass"):
        submit(database, gap.NAME, source.encode(), by="bob", pool=pool)
    report = challenged(database, pool, [NEGATIVES])
    assert report.passed
    assert (report.expected, report.suite_version, report.cases_changed) == (RIGHT_ANSWER, 2, 0)
    assert report.reference is None
    assert sorted((each.passed_before, each.passed) for each in report.rejudged) == [
        (False, False),
        (True, False),
        (True, True),
    ]
    (case,) = (case for name, case in current(database).items() if name.startswith("challenge"))
    (shrunk,) = args_of(case.input)
    assert isinstance(shrunk, list)
    assert len(shrunk) == 2
    assert case.expected == gap.gap(shrunk) != gap.gap([abs(x) for x in shrunk])
    assert (case.origin, case.category) == ("challenge 1", "adversarial")
    assert case.evidence.agree == case.evidence.independent == 2
    assert [name.split()[0] for name in case.kills] == ["submission"]
    with database.read() as reader:
        found = list_submissions(reader, gap.NAME)
        assert [(each.passed, each.outdated, each.tests) for each in found] == [
            (False, False, 5),
            (True, False, 5),
            (False, False, 5),
        ]
        history = reader.challenge(report.challenge)
        assert [step.state for step in history.steps] == ["open", "accepted"]
        assert history.steps[-1].suite == reader.suite_versions(gap.NAME)[-1].suite
        assert reader.input(history.challenge.input).args == (NEGATIVES,)


def test_an_input_that_shows_nothing_is_stored_as_it_is(database: Database, pool: CellPool) -> None:
    gap.store(database)
    report = challenged(database, pool, "[[5] * 100 + [-5]]")
    assert (report.state, report.shrunk, report.expected) == ("accepted", "", 10)
    case = current(database)["challenge 1"]
    assert len(args_of(case.input)[0]) == 101  # type: ignore[arg-type]
    assert case.trust == "trusted"
    assert case.evidence.exhaustive_to.startswith("len(nums) <= ")


def test_a_claim_that_a_solution_backs_replaces_a_wrong_reference(
    database: Database, pool: CellPool
) -> None:
    wrong = gap.case("wrong", -9, 4, expected=5, trust="provisional")
    gap.store(database, *WRONG, cases=(*gap.CASES, wrong))
    submit(database, gap.NAME, gap.OPTIMISED.encode(), by="bob", pool=pool)
    report = challenged(database, pool, [NEGATIVES], RIGHT_ANSWER)
    assert report.passed
    assert report.cases_changed == 1
    assert report.reference is not None
    assert (report.reference.solution, report.reference.state) == (WRONG[0].digest, "replaced")
    cases = current(database)
    assert cases["wrong"].expected == 13
    assert cases["challenge 1"].expected == RIGHT_ANSWER
    assert len(args_of(cases["challenge 1, smaller"].input)[0]) == 2  # type: ignore[arg-type]
    # The submission failed only because of the wrong output.
    assert [(each.passed_before, each.passed) for each in report.rejudged] == [(False, True)]
    with database.read() as reader:
        new = reader.solution(report.reference.by)
        assert (new.role, new.source) == ("reference", gap.BRUTE_FORCE)
        assert new.evidence["replaces"] == WRONG[0].digest
        (truth,) = reader.truths(gap.NAME)
        assert (truth.output, truth.by, truth.evidence.truth) == (RIGHT_ANSWER, "ann", "")
        kinds = [event.kind for event in reader.events(gap.NAME)]
    assert kinds.count("reference.replaced") == 1
    # The wrong one has no vote from here on, and is not replaced twice.
    again = challenged(database, pool, [[-700, -3, 8]])
    assert again.passed
    assert again.reference is None
    assert "has no vote" in again.notes[0]


def test_solutions_that_contradict_each_other_make_it_disputed_and_both_are_kept(
    database: Database, pool: CellPool
) -> None:
    gap.store(database, *WRONG)
    report = challenged(database, pool, [NEGATIVES])
    assert (report.state, report.has_expected) == ("disputed", False)
    assert {each.answer for each in report.readings} == {RIGHT_ANSWER, gap.gap(map(abs, NEGATIVES))}
    assert report.reference is not None
    assert report.reference.state == "disputed"
    case = current(database)["challenge 1, smaller"]
    assert (case.trust, case.has_expected) == ("disputed", False)
    with database.read() as reader:
        assert {each.output for each in reader.truths(gap.NAME)} == {
            RIGHT_ANSWER,
            gap.gap(map(abs, NEGATIVES)),
        }
    decided = resolve(
        database, report.challenge[:8], accept=True, by="eve", output=(RIGHT_ANSWER,), pool=pool
    )
    assert decided.passed
    assert decided.reference is not None
    assert decided.reference.state == "replaced"
    cases = current(database)
    assert cases["challenge 1"].trust == "trusted"
    assert cases["challenge 1"].evidence.truth == "eve"
    smaller = cases["challenge 1, smaller"]
    assert smaller.expected == gap.gap(args_of(smaller.input)[0])  # type: ignore[arg-type]


def test_a_claim_that_nothing_backs_is_quarantined_until_a_person_decides(
    database: Database, pool: CellPool
) -> None:
    gap.store(database)
    first = challenged(database, pool, [NEGATIVES], 5)
    assert (first.state, first.suite_version) == ("quarantined", None)
    assert "no independent solution backs the claim" in first.reason
    assert current(database).keys() == {case.name for case in gap.CASES}
    with database.read() as reader:
        assert reader.truths(gap.NAME) == ()
    rejected = resolve(database, first.challenge, accept=False, by="eve", reason="no", pool=pool)
    assert (rejected.state, rejected.suite_version) == ("rejected", None)
    with pytest.raises(UsageError, match="is rejected, which is final"):
        resolve(database, first.challenge, accept=True, by="eve", pool=pool)
    second = challenged(database, pool, [NEGATIVES], 5)
    accepted = resolve(database, second.challenge, accept=True, by="eve", pool=pool)
    assert accepted.passed
    assert accepted.reference is not None
    assert accepted.reference.state == "disputed"
    case = current(database)["challenge 2"]
    assert (case.expected, case.trust, case.evidence.truth) == (5, "trusted", "eve")
    # No solution that is left speaks for the outputs of other cases.
    assert {case.trust for case in current(database).values() if not case.evidence.truth} == {
        "provisional"
    }
    with database.read() as reader:
        states = [step.state for step in reader.challenge(second.challenge).steps]
        assert states == ["open", "quarantined", "accepted"]
        (truth,) = reader.truths(gap.NAME)
        assert (truth.output, truth.by, truth.challenge) == (5, "eve", second.challenge)


def test_a_claim_against_an_example_is_never_taken_silently(
    database: Database, pool: CellPool
) -> None:
    gap.store(database)
    report = challenged(database, pool, [[3, 9, 5]], 6)
    assert report.state == "quarantined"
    assert "example 1 states 4" in report.reason
    disputed = resolve(database, report.challenge, accept=True, by="eve", pool=pool)
    assert disputed.state == "disputed"
    assert current(database)["example 1"].trust == "disputed"
    assert not current(database)["example 1"].has_expected
    with pytest.raises(UsageError, match="example 1 of the specification states 4"):
        resolve(database, report.challenge, accept=True, by="eve", pool=pool)
    rejected = resolve(database, report.challenge, accept=False, by="eve", pool=pool)
    assert rejected.state == "rejected"
    restored = current(database)["example 1"]
    assert (restored.expected, restored.trust) == (4, "trusted")


def test_truths_of_two_people_that_contradict_are_both_kept(
    database: Database, pool: CellPool
) -> None:
    gap.store(database)
    for number, (claim, by) in enumerate(((5, "eve"), (6, "bob")), 1):
        report = challenged(database, pool, [NEGATIVES], claim)
        assert report.state == "quarantined"
        report = resolve(database, report.challenge, accept=True, by=by, pool=pool)
        assert report.state == ("accepted" if number == 1 else "disputed")
    case = current(database)["challenge 1"]
    assert (case.trust, case.has_expected) == ("disputed", False)
    with database.read() as reader:
        assert [(each.output, each.by) for each in reader.truths(gap.NAME)] == [
            (5, "eve"),
            (6, "bob"),
        ]
    decided = resolve(database, report.challenge, accept=True, by="bob", pool=pool)
    assert decided.passed
    assert current(database)["challenge 1"].expected == 6


def test_a_claim_of_a_person_without_solutions(database: Database, pool: CellPool) -> None:
    with database.change() as change:
        change.store_problem(gap.NAME, gap.SPEC, gap.suite())
    report = challenged(database, pool, [[4, 8]])
    assert report.state == "quarantined"
    assert "none is stored" in report.reason
    with pytest.raises(UsageError, match="claims no output; state the right one with --output"):
        resolve(database, report.challenge, accept=True, by="eve", pool=pool)
    assert resolve(database, report.challenge, accept=True, by="eve", output=(4,), pool=pool).passed
    assert current(database)["challenge 1"].expected == 4


def test_a_solution_that_crashes_or_is_too_slow_loses(
    database: Database, pool: CellPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "given", Limits(cpu_ms=200))
    slow = gap.OPTIMISED.replace(
        "        return", "        while len(nums) > 8: pass\n        return"
    )
    for number, source in enumerate((gap.FAILS_LONG, slow), 1):
        with database.change() as change:
            change.store_problem(
                gap.NAME + str(number),
                gap.SPEC,
                gap.suite(),
                [
                    gap.solution(source, problem=gap.NAME + str(number)),
                    gap.solution(gap.BRUTE_FORCE, "brute-force", problem=gap.NAME + str(number)),
                ],
            )
        report = challenge(
            database,
            gap.NAME + str(number),
            [[*range(0, 60, 3)]],
            reason="long",
            by="ann",
            pool=pool,
        )
        assert report.passed
        assert report.expected == 3
        assert report.reference is not None
        assert report.reference.state == "replaced"
        assert ("[0, 0, 0, 0, 0, 0, 0, 0, 0]" in report.shrunk) is (number == 1)


def test_a_third_solution_decides(database: Database, pool: CellPool) -> None:
    copy = gap.BRUTE_FORCE.replace("best", "widest")
    gap.store(database, *WRONG, gap.solution(copy, "reference"))
    report = challenged(database, pool, [NEGATIVES])
    assert report.state == "disputed"
    assert "is not a second opinion" in report.notes[0]
    with database.change() as change:
        change.add_solution(gap.solution(THIRD, "reference"))
    report = challenged(database, pool, [[*NEGATIVES, 0]])
    assert report.passed
    assert report.expected == RIGHT_ANSWER
    assert report.reference is not None
    assert report.reference.by


def test_without_examples_no_solution_backs_a_claim(database: Database, pool: CellPool) -> None:
    spec = gap.SPEC.model_copy(update={"examples": ()})
    with database.change() as change:
        suite = gap.suite(*gap.CASES[1:], spec_digest=spec.digest)
        change.store_problem(gap.NAME, spec, suite, gap.RIGHT)
    report = challenged(database, pool, [NEGATIVES], RIGHT_ANSWER)
    assert report.state == "quarantined"
    assert "has no examples" in report.reason


@pytest.mark.parametrize(
    ("changes", "body", "claim"),
    [
        ({"returns": "list[int]", "match_mode": "unordered"}, "return sorted(nums)", [9, -2, 5]),
        ({"returns": "list[int]", "output_type": "in-place"}, "nums.sort()", [-2, 5, 9]),
        ({"returns": "float", "match_mode": "numeric"}, "return sum(nums) / 3", 4.0000001),
        ({"returns": "tuple[int, str]"}, "return min(nums), 'x'", [-2, "x"]),
        ({"returns": "int | None"}, "return None", None),
    ],
)
def test_answers_are_compared_as_the_specification_asks(
    database: Database, pool: CellPool, changes: dict[str, str], body: str, claim: Any
) -> None:
    example = {
        "args": [[7]],
        "expected": {"int | None": None, "float": 7 / 3}.get(
            changes["returns"], [7, "x"] if "tuple" in changes["returns"] else [7]
        ),
    }
    spec = Specification.model_validate(gap.SPEC.model_dump() | changes | {"examples": [example]})
    source = f"class Solution:\n    def solve(self, nums):\n        {body}\n"
    with database.change() as change:
        suite = gap.suite(spec_digest=spec.digest).model_copy(update={"cases": ()})
        change.store_problem(gap.NAME, spec, suite, [gap.solution(source)])
    report = challenged(database, pool, [[5, -2, 9]], claim)
    assert report.passed, report
    passing = submit(database, gap.NAME, source.encode(), by="bob", pool=pool)
    assert passing.passed
    wrong = {"tuple[int, str]": [0, "y"], "float": 1, "int | None": 1}.get(changes["returns"], [1])
    assert challenged(database, pool, [[5, -2, 8]], wrong).state == "quarantined"


def test_a_challenge_that_a_new_specification_forbids_can_only_be_rejected(
    database: Database, pool: CellPool
) -> None:
    gap.store(database)
    report = challenged(database, pool, [NEGATIVES], 5)
    stricter = gap.SPEC.model_copy(update={"constraints": ("1 <= len(nums) <= 4",)})
    with database.change() as change:
        change.store_problem(gap.NAME, stricter, gap.suite(spec_digest=stricter.digest))
    with pytest.raises(UsageError, match=r"breaks 1 <= len.nums. <= 4 of the current spec"):
        resolve(database, report.challenge, accept=True, by="eve", pool=pool)
    assert (
        resolve(database, report.challenge, accept=False, by="eve", pool=pool).state == "rejected"
    )


def test_half_a_character_is_an_input_like_others(database: Database, pool: CellPool) -> None:
    spec = gap.SPEC.model_validate(
        gap.SPEC.model_dump()
        | {"parameters": [{"name": "nums", "type": "list[str]"}], "constraints": [], "examples": []}
    )
    source = "class Solution:\n    def solve(self, nums):\n        return ord(nums[0])\n"
    with database.change() as change:
        suite = gap.suite(spec_digest=spec.digest).model_copy(update={"cases": ()})
        change.store_problem(gap.NAME, spec, suite, [gap.solution(source)])
    report = challenged(database, pool, '[["\\ud800"]]')
    assert (report.state, report.expected) == ("accepted", 0xD800)
    with database.read() as reader:
        assert list(check_records(reader)) == []
        assert args_of(reader.suite_of(gap.NAME).cases[0].input) == (["\ud800"],)


def test_names_and_reasons_may_hold_anything(database: Database, pool: CellPool) -> None:
    gap.store(database)
    words = "\x00\x1b[31m\u202e ' OR 1=1; --"
    report = challenge(
        database, gap.NAME, [NEGATIVES], reason=words, by=words, claim=(5,), pool=pool
    )
    assert report.state == "quarantined"
    assert resolve(
        database, report.challenge, accept=True, by=words, reason=words, pool=pool
    ).passed
    with database.read() as reader:
        history = reader.challenge(report.challenge)
    assert (history.challenge.by, history.challenge.reason) == (words, words)
    assert history.steps[-1].by == words


HOSTILE = [
    ("[[NaN]]", "cannot be expanded"),
    ("[[1e999]]", "nums: list"),
    ("[[" + "9" * 5_000 + "]]", "cannot be expanded"),
    ("[" * 100_000, "more than 20,000 characters"),
    ("[" * 9_000 + "]" * 9_000, "cannot be expanded"),
    ("", "cannot be expanded"),
    ("{}", "must be a list of arguments"),
    ("5", "must be a list of arguments"),
    ("__import__('os').system('true')", "cannot be expanded"),
    ("[[0] * 10**9]", "more than 6,000,000 items"),
    ("[['" + "\\ud800" + "']]", "nums: list"),
    ("[" + "1," * 3_000_000 + "1]", "may have 4,000,000"),
]


def test_a_hostile_input_is_one_short_line_and_stores_nothing(
    database: Database, pool: CellPool
) -> None:
    gap.store(database)
    before = database.status().records
    for given, says in HOSTILE:
        try:
            said = challenged(database, pool, given).reason
        except UsageError as error:
            said = str(error)
        assert says in said
        assert "\n" not in said
        assert len(said) < 400
    assert database.status().records == before


UNFIT: list[tuple[dict[str, Any], str | None]] = [
    ({"claim": (True,)}, "expected int; correct it"),
    ({"claim": ([[[]]],)}, "expected int; correct it"),
    ({"claim": (10**5_000,)}, "a challenge cannot be stored"),
    ({"claim": (float("nan"),)}, "expected int"),
    ({"reason": ""}, "the reason has 0 characters"),
    ({"reason": "\n\t"}, "the reason has 2 characters"),
    ({"reason": "x" * 3_000}, "the reason has 3,000 characters"),
    ({"by": " "}, "the name has 1 characters"),
    ({"by": "\udcff"}, "by: input should be a valid string"),
    ({"by": "steelyard"}, "is the name of this program"),
    ({"problem": "../x"}, "no problem"),
    ({"given": [[10**5_000], 1]}, None),
    ({"given": [[{1, 2}]]}, None),
    ({"given": [[float("inf")]]}, None),
]
"""Fields that cannot be challenged with, and the error; none for an input that is rejected."""


def test_what_cannot_be_challenged_stores_nothing(database: Database, pool: CellPool) -> None:
    gap.store(database)
    before = database.status().records
    for fields, says in UNFIT:
        call = {"problem": gap.NAME, "given": [NEGATIVES], "reason": "r", "by": "ann"} | fields
        if says is None:
            assert challenge(database, pool=pool, **call).state == "rejected"
            continue
        with pytest.raises(UsageError, match=says) as caught:
            challenge(database, pool=pool, **call)
        assert "\n" not in str(caught.value)
    assert database.status().records == before


def test_an_answer_that_cannot_be_stored_is_wrong(database: Database, pool: CellPool) -> None:
    huge = gap.OPTIMISED.replace("default=0)", "default=0) + (10**5000 if min(nums) < 0 else 0)")
    gap.store(database, gap.solution(huge))
    report = challenged(database, pool, [NEGATIVES])
    assert report.state == "quarantined"
    assert "an integer of more than 4,300 digits" in report.reason


def test_a_suite_or_specification_with_a_fault_is_named(database: Database, pool: CellPool) -> None:
    bad = gap.case("bad", 1, 9, expected="nine").model_copy(update={"origin": "challenge 9"})
    gap.store(database, cases=(*gap.CASES, bad))
    with pytest.raises(UsageError, match=r"the output 'nine': .* expected int"):
        challenged(database, pool, [NEGATIVES])
    spec = gap.SPEC.model_copy(update={"examples": (SpecExample(args=([],), expected=0),)})
    with database.change() as change:
        change.store_problem("other", spec, gap.suite(spec_digest=spec.digest))
    with pytest.raises(UsageError, match="example 1 breaks the constraint"):
        challenge(database, "other", [NEGATIVES], reason="r", by="ann", pool=pool)
