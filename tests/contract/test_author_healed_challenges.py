"""A model repairs a reference solution that a challenge shows wrong, and evidence takes it or not.

The model is a real client's request to a server on this machine.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue

from steelyard.authoring.calls import CallOutcome
from steelyard.authoring.challenges import challenge, open_healer, resolve
from steelyard.authoring.challenges._healing import Wrong
from steelyard.authoring.challenges.submissions import reference_of
from steelyard.authoring.references import Contradiction, Truth
from steelyard.errors import BudgetError, ModelError
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthoredCase, ChallengeReport, Event, StoredSolution
from steelyard.storage import Database, check_records, open_database
from tests import gap_problem as gap
from tests.contract.killed_challenges import NEGATIVES, WRONG
from tests.model_server import ModelServer, fails, says

RIGHT_ANSWER = gap.gap(NEGATIVES)
REPAIRED = gap.OPTIMISED.replace("sorted(nums)", "sorted(nums, key=int)")
STILL_WRONG = gap.NEGATIVES_FORGOTTEN.replace("default=0", "default=-0")
IMPORTS = f"import math\n{gap.OPTIMISED}"
HARD_CODED = f"""\
class Solution:
    def solve(self, nums):
        known = {{(3, 9, 5): 4, (7,): 0, {(*NEGATIVES,)}: {RIGHT_ANSWER}}}
        return known.get(tuple(nums), 77)
"""


@pytest.fixture
def database(empty_database: Path, tmp_path: Path) -> Iterator[Database]:
    with open_database(shutil.copy(empty_database, tmp_path)) as database:
        yield database


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def code(*sources: str) -> list[object]:
    return [says(json.dumps({"code": source})) for source in sources]


def challenged(
    database: Database,
    pool: CellPool,
    server: ModelServer,
    *replies: str,
    by: str = "",
    **more: object,
) -> ChallengeReport:
    """Challenge with a claim; a person backs it if one is named."""
    server.then(*code(*replies))  # type: ignore[arg-type]
    with open_healer(f"openai:m@{server.openai}", caching=False) as healer:
        report = challenge(
            database,
            gap.NAME,
            list[JsonValue]([NEGATIVES]),
            reason="negative numbers",
            by="ann",
            claim=(RIGHT_ANSWER,),
            healer=healer,
            pool=pool,
            **more,  # type: ignore[arg-type]
        )
        if by:
            assert report.state == "quarantined"
            report = resolve(
                database, report.challenge, accept=True, by=by, healer=healer, pool=pool
            )
    return report


def reference(database: Database) -> StoredSolution:
    with database.read() as reader:
        found = reference_of(reader.solutions(gap.NAME))
    assert found is not None
    return found


def cases_of(database: Database) -> dict[str, AuthoredCase]:
    with database.read() as reader:
        return {case.name: case for case in reader.suite_of(gap.NAME).cases}


def prompts(server: ModelServer) -> list[str]:
    return [json.dumps(each.body) for each in server.asked]


def test_a_repaired_solution_takes_the_place_of_one_that_no_stored_one_can_replace(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    wrong = gap.case("wrong", -9, 4, expected=5, trust="provisional")
    gap.store(database, WRONG[0], cases=(*gap.CASES, wrong))
    report = challenged(database, pool, server, REPAIRED, by="eve")
    assert report.passed
    change = report.reference
    assert change is not None
    assert (change.state, change.healed, change.solution) == ("replaced", True, WRONG[0].digest)
    assert "replaced by a repaired version" in str(report)
    new = reference(database)
    assert (new.digest, new.source, new.role) == (change.by, REPAIRED, "reference")
    assert new.origin.startswith("openai:m@")
    assert new.origin.endswith("repaired it, since challenge 1")
    (asked,) = prompts(server)
    assert str(NEGATIVES) in asked
    assert f"{RIGHT_ANSWER}" in asked
    assert server.asked[0].body["temperature"] == 0.1
    # The suite is computed again with it.
    cases = cases_of(database)
    with database.read() as reader:
        (run,) = reader.runs()
    assert cases["wrong"].expected == 13
    assert report.cases_changed == 1
    assert report.spending.calls == 1
    assert (run.job, run.status, run.spending) == ("challenge", "accepted", report.spending)
    assert run.models == (f"openai:m@{server.openai}",)
    assert "1 other case has another expected output" in str(report)
    # From here on it has a vote.
    again = challenge(database, gap.NAME, [[-9, -2]], reason="r", by="ann", pool=pool)
    assert (again.state, again.expected, again.reference) == ("accepted", 7, None)


def test_it_is_preferred_to_a_brute_force_and_sees_the_smaller_input(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    gap.store(database, *WRONG)
    report = challenged(database, pool, server, REPAIRED)
    assert report.passed
    assert reference(database).source == REPAIRED
    (asked,) = prompts(server)
    assert report.shrunk in asked
    assert str(NEGATIVES) not in asked


def test_what_is_still_wrong_is_repaired_again(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    gap.store(database, WRONG[0])
    report = challenged(database, pool, server, STILL_WRONG, REPAIRED, by="eve")
    assert report.reference is not None
    assert report.reference.healed
    first, second = prompts(server)
    assert "default=-0" in second
    assert "default=-0" not in first


@pytest.mark.parametrize(
    ("stored", "reply", "asked"),
    [
        pytest.param(WRONG, STILL_WRONG, 3, id="still wrong"),
        pytest.param(WRONG, IMPORTS, 6, id="imports"),
        pytest.param(WRONG, HARD_CODED, 3, id="hard-coded"),
        pytest.param(WRONG, "class Solution:\n    pass\n", 6, id="no method"),
        pytest.param(WRONG[:1], STILL_WRONG, 3, id="still wrong, and no other is stored"),
        pytest.param(WRONG[:1], HARD_CODED, 3, id="hard-coded, and no other is stored"),
    ],
)
def test_three_repairs_that_do_not_do_leave_what_happens_without_a_model(
    database: Database,
    pool: CellPool,
    server: ModelServer,
    stored: Sequence[StoredSolution],
    reply: str,
    asked: int,
) -> None:
    """What the gate refuses goes back to the model once more within each try."""
    gap.store(database, *stored)
    expected = {name: case.expected for name, case in cases_of(database).items()}
    by = "" if len(stored) > 1 else "eve"
    report = challenged(database, pool, server, *[reply] * 9, by=by)
    assert report.passed
    assert report.reference is not None
    assert not report.reference.healed
    assert report.reference.state == ("replaced" if len(stored) > 1 else "disputed")
    cases = cases_of(database)
    assert {name: cases[name].expected for name in expected} == expected
    if reply == HARD_CODED and len(stored) == 1:
        assert len(server.asked) == 1
        assert any("a repair contradicts 3 of 3 expected outputs" in each for each in report.notes)
    else:
        assert len(server.asked) == asked
        assert any("no repair is right" in note for note in report.notes)
        shown = [prompt for prompt in prompts(server) if "repair that was no better" in prompt]
        assert len(shown) == asked - asked // 3
        assert ("import" in " ".join(report.notes)) is (reply == IMPORTS)


def test_a_reference_without_a_vote_is_repaired_later_and_the_suite_is_weighed_again(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    wrong = gap.case("wrong", -9, 4, expected=5, trust="provisional")
    gap.store(database, WRONG[0], cases=(*gap.CASES, wrong))
    first = challenge(
        database,
        gap.NAME,
        list[JsonValue]([[-700, -3, 8]]),
        reason="r",
        by="ann",
        claim=(697,),
        pool=pool,
    )
    resolve(database, first.challenge, accept=True, by="eve", pool=pool)
    assert cases_of(database)["wrong"].expected == 5
    report = challenged(database, pool, server, REPAIRED, by="eve")
    assert report.reference is not None
    assert report.reference.healed
    assert cases_of(database)["wrong"].expected == 13


def test_what_breaks_an_example_is_not_better_than_what_errs_on_small_inputs() -> None:
    one = Contradiction(Truth((), CallOutcome("answer")), CallOutcome("answer"))
    assert Wrong([], [one] * 50).rank < Wrong([one], []).rank < Wrong([one], [one]).rank
    assert Wrong([]).first is None


def test_a_reference_that_cannot_run_asks_no_model(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    gap.store(database, gap.solution("no program"), WRONG[1])
    report = challenged(database, pool, server)
    assert report.passed
    assert server.asked == []
    assert not any("repair" in note for note in report.notes)


def test_a_brute_force_is_repaired_too_and_the_log_stays_whole(
    database: Database, pool: CellPool, tmp_path: Path
) -> None:
    wrong = gap.BRUTE_FORCE.replace("min(above) - a)", "min(above) - a) % 50")
    gap.store(database, gap.solution(wrong, "brute-force"))
    (tmp_path / "replies.json").write_text(json.dumps({"healer": [{"code": REPAIRED}]}))
    long = f"scripted:{tmp_path}{'/.' * 1_500}/replies.json"
    with open_healer(long) as healer:
        report = challenge(
            database,
            gap.NAME,
            list[JsonValue]([NEGATIVES]),
            reason="r",
            by="ann",
            claim=(RIGHT_ANSWER,),
            healer=healer,
            pool=pool,
        )
        assert report.state == "quarantined"
        assert report.spending.calls == 0
        report = resolve(
            database, report.challenge, accept=True, by="eve", healer=healer, pool=pool
        )
    assert report.reference is not None
    assert report.reference.healed
    assert reference(database).role == "reference"
    with database.read() as reader:
        assert list(check_records(reader)) == []


def test_a_right_reference_asks_no_model(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    gap.store(database)
    report = challenged(database, pool, server)
    assert report.passed
    assert report.reference is None
    assert server.asked == []
    assert report.spending.calls == 0


def test_a_model_that_fails_or_is_too_dear_changes_nothing(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    gap.store(database, *WRONG)
    before = database.status().records
    server.then(*[fails(401)] * 9)
    for limit, error in ((None, ModelError), (1, BudgetError)):
        with (
            open_healer(f"openai:m@{server.openai}", max_tokens=limit, caching=False) as healer,
            pytest.raises(error),
        ):
            challenge(
                database,
                gap.NAME,
                list[JsonValue]([NEGATIVES]),
                reason="r",
                by="ann",
                claim=(RIGHT_ANSWER,),
                healer=healer,
                pool=pool,
            )
    assert database.status().records == before


def test_a_problem_that_changes_meanwhile_asks_the_model_once(
    database: Database, pool: CellPool, server: ModelServer
) -> None:
    gap.store(database, *WRONG)
    others = ["another", "one more"]

    def meanwhile(event: Event) -> None:
        if event.stage == "judging submissions again" and others:
            with database.change() as change:
                source = gap.BRUTE_FORCE + f"# {others.pop()}\n"
                change.add_solution(gap.solution(source, "submission"))

    report = challenged(database, pool, server, REPAIRED, on_event=meanwhile)
    assert report.passed
    assert others == []
    assert len(server.asked) == 1


def test_what_was_paid_for_before_an_interrupt_is_not_paid_for_again(
    database: Database,
    pool: CellPool,
    server: ModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    gap.store(database, *WRONG)
    before = database.status().records
    server.then(*code(REPAIRED))  # type: ignore[arg-type]

    def interrupt(event: Event) -> None:
        if event.stage == "judging submissions again":
            raise KeyboardInterrupt

    def attempt(**more: object) -> ChallengeReport:
        with open_healer(f"openai:m@{server.openai}") as healer:
            return challenge(
                database,
                gap.NAME,
                list[JsonValue]([NEGATIVES]),
                reason="r",
                by="ann",
                claim=(RIGHT_ANSWER,),
                healer=healer,
                pool=pool,
                **more,  # type: ignore[arg-type]
            )

    with pytest.raises(KeyboardInterrupt):
        attempt(on_event=interrupt)
    assert database.status().records == before
    report = attempt()
    assert report.reference is not None
    assert report.reference.healed
    assert len(server.asked) == 1
    assert (report.spending.calls, report.spending.cached_calls) == (0, 1)
