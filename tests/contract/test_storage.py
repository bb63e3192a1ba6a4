"""What is stored is read as it was, in SQLite and in PostgreSQL."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from steelyard.errors import UsageError
from steelyard.schemas import OutputEvidence, Spending, StrengthReport, Verdict
from steelyard.storage import Database, open_database
from tests.stored_problems import (
    LARGE,
    SPEC,
    a_case,
    a_result,
    a_solution,
    a_suite,
    an_input,
)

pytestmark = pytest.mark.xdist_group("database")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    with open_database(database_url) as database:
        yield database


def test_a_problem_is_read_as_it_was_stored(database: Database) -> None:
    suite = a_suite(cases=(a_case(1), LARGE, a_case(2, expected=None, notes=("é\ud800",))))
    fast, slow = (
        a_solution(source="fast"),
        a_solution(source="slow", role="slow", evidence={"n": 1}),
    )
    with database.change() as change:
        problem = change.store_problem("sum", SPEC, suite, [fast, slow], reason="first")
    with database.read() as reader:
        assert reader.problems() == (problem,)
        assert reader.spec_of("sum") == SPEC
        assert reader.suite_of("sum") == suite
        assert {each.source for each in reader.solutions("sum")} == {"fast", "slow"}
        assert reader.solutions("sum", "slow") == (slow,)
        assert reader.solution(fast.digest[:8]) == fast
        (version,) = reader.suite_versions("sum")
        assert (version.number, version.reason) == (1, "first")
        kinds = [event.kind for event in reader.events("sum")]
    assert kinds == [
        "problem.added",
        "spec.added",
        "suite.added",
        "solution.added",
        "solution.added",
    ]


def test_equal_content_is_stored_once(database: Database) -> None:
    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1, 2), [a_solution()])
    before = database.status().records
    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1, 2), [a_solution()])
    assert database.status().records == before
    with database.change() as change:
        change.store_problem("other", SPEC, a_suite(2, 3))
    after = database.status().records
    assert (after["specs"], after["inputs"], after["cases"], after["suites"]) == (1, 3, 3, 2)


def test_the_first_way_to_write_an_input_stays(database: Database) -> None:
    again = a_case(0, name="large", input=an_input([0] * 1_000), expected=0, notes=LARGE.notes)
    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(cases=(LARGE,)))
        assert change.add_suite("sum", a_suite(cases=(again,))).number == 1
    with database.read() as reader:
        assert reader.input(again.input.digest) == LARGE.input


def test_versions_follow_each_other(database: Database) -> None:
    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1))
        change.add_suite("sum", a_suite(1, 2), reason="growth", after=1)
        with pytest.raises(UsageError, match=r"has version 2 of its suite, and .* on version 1"):
            change.add_suite("sum", a_suite(3), after=1)
        # A suite that was current before is a version of its own.
        assert change.add_suite("sum", a_suite(1), after=2).number == 3
        stricter = SPEC.model_copy(update={"constraints": ("len(nums) == 2",)})
        assert change.add_spec("sum", stricter, after=1).number == 2
    with database.read() as reader:
        assert [each.number for each in reader.suite_versions("sum")] == [1, 2, 3]
        assert reader.suite_of("sum") == a_suite(1)
        assert reader.spec_of("sum") == stricter
        assert reader.spec(reader.spec_versions("sum")[0].spec) == SPEC


def test_a_judgement_is_never_replaced(database: Database) -> None:
    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1))
        solution = change.add_solution(a_solution())
        suite = change.suite_versions("sum")[0].suite
        first = change.add_judgement(solution, suite, "judge 1", a_result(Verdict.AC))
        assert first.result == a_result(Verdict.AC)
        again = change.add_judgement(solution, suite, "judge 1", a_result(Verdict.WA))
        assert again == first
        other = change.add_judgement(solution, suite, "judge 2", a_result(Verdict.WA))
    with database.read() as reader:
        assert [each.judgement for each in reader.judgements("sum")] == [first, other]
        assert reader.judgements("sum", solution=solution, suite="0" * 64) == ()


def test_a_judgement_is_outdated_when_a_suite_could_change_it(database: Database) -> None:
    def outdated() -> list[bool]:
        with database.read() as reader:
            states = [each.outdated for each in reader.judgements("sum")]
            assert len(reader.outdated()) == len(reader.outdated("sum")) == sum(states[-1:])
            return states

    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1, 2))
        solution = change.add_solution(a_solution())
        first = change.suite_versions("sum")[0].suite
        change.add_judgement(solution, first, "judge", a_result(Verdict.AC, Verdict.AC))
    assert outdated() == [False]
    same = a_suite(cases=(a_case(2, kills=()), a_case(1, name="one", trust="provisional")))
    with database.change() as change:
        assert change.add_suite("sum", same).number == 2
    assert outdated() == [False]
    with database.change() as change:
        third = change.add_suite("sum", a_suite(1, 2, 3)).suite
    assert outdated() == [True]
    with database.change() as change:
        change.add_judgement(solution, third, "judge", a_result(*[Verdict.AC] * 3))
    assert outdated() == [True, False]
    with database.change() as change:
        change.add_suite("sum", a_suite(1, 2, 3, time_limit_ms=500))
    assert outdated() == [True, True]
    with database.change() as change:
        change.add_suite("sum", a_suite(1, 2))
    with database.read() as reader:
        assert [each.outdated for each in reader.judgements("sum")] == [False, True]
        assert reader.outdated("sum") == ()


def test_a_challenge_moves_from_state_to_state(database: Database) -> None:
    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1))
        made = change.open_challenge("sum", an_input([]), reason="empty", by="ann", claim=(0,))
    with database.change() as change:
        truth = change.add_truth(
            "sum",
            made.input,
            0,
            by="ann",
            challenge=made.digest,
            evidence=OutputEvidence(independent=1, agree=1),
        )
        change.add_truth("sum", made.input, 1, by="bob")
        suite = change.add_suite("sum", a_suite(1, 0), reason="challenge").suite
        change.move_challenge(made.digest[:10], "accepted", by="judge", suite=suite)
    with database.read() as reader:
        history = reader.challenge(made.digest)
        assert history.challenge == made
        assert [step.state for step in history.steps] == ["open", "accepted"]
        assert history.steps[-1].suite == suite
        assert reader.challenges("sum", "open") == ()
        assert reader.challenges(state="accepted") == (history,)
        assert reader.truths("sum", made.input)[0] == truth
        assert [each.output for each in reader.truths("sum")] == [0, 1]
    refused = pytest.raises(UsageError, match="is accepted and cannot become rejected")
    with refused, database.change() as change:
        change.move_challenge(made.digest, "rejected", by="judge")


def test_submissions_strengths_and_runs_are_kept(database: Database) -> None:
    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1), [a_solution()])
        suite = change.suite_versions("sum")[0].suite
        report = StrengthReport(cases=1, killed_by_verdict={Verdict.WA: 3}, twins=(("a", "b"),))
        made = change.add_submission(a_solution(role="submission"), by="ann")
        again = change.add_submission(a_solution(role="submission"), by="bob")
        assert made.solution == again.solution
        strength = change.add_strength(suite, a_solution().digest, "1", report)
        assert (
            change.add_strength(suite, a_solution().digest, "1", StrengthReport(cases=1))
            == strength
        )
        run = change.add_run(
            "sum-1",
            "author",
            "done",
            datetime(2026, 7, 1, tzinfo=UTC),
            problem="sum",
            models=("a:b",),
            spending=Spending(calls=3, tokens_in=5, cost_usd=0.25),
        )
    with database.read() as reader:
        assert reader.submissions("sum") == (made, again)
        assert reader.strengths(suite) == (strength,)
        assert reader.runs("sum-1") == reader.runs() == (run,)


def test_an_exception_undoes_the_whole_change(database: Database) -> None:
    before = database.status().records
    with suppress(ZeroDivisionError), database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1, 2), [a_solution()])
        assert change.suite_of("sum") == a_suite(1, 2)
        raise ZeroDivisionError
    assert database.status().records == before


def test_what_is_missing_or_does_not_fit_is_named(database: Database) -> None:
    cases = (
        (lambda change: change.suite_of("sum"), "no problem 'sum'; it holds no problems"),
        (lambda change: change.add_suite("sum", a_suite(1)), "no problem 'sum'"),
        (lambda change: change.spec("abcd"), "has no spec abcd"),
        (lambda change: change.solution("x' OR 1"), "is not a digest"),
        (lambda change: change.input("0" * 64), "has no input"),
        (lambda change: change.add_problem("a/b"), "name: .* pattern"),
        (lambda change: change.add_solution(a_solution()), "no problem 'sum'"),
    )
    for call, says in cases:
        with pytest.raises(UsageError, match=says), database.change() as change:
            call(change)
    with database.change() as change:
        change.store_problem("sum", SPEC)
    wrong = a_case(1, input=an_input([1]).model_copy(update={"args": ([2],)}))
    more = (
        (lambda change: change.suite_of("sum"), "sum has no suite"),
        (lambda change: change.open_challenge("sum", an_input(1), reason="", by="x"), "no suite"),
        (lambda change: change.add_suite("sum", a_suite(cases=(wrong,))), "not that of its arg"),
        (lambda change: change.add_suite("sum", a_suite(spec_digest="0" * 64)), "no spec 000"),
        (lambda change: change.add_truth("sum", "0" * 64, 1, by="x"), "refers to a record"),
        (lambda change: change.add_event("x", "nobody"), "refers to a record"),
        (lambda change: change.add_event("x", "sum", y=float("inf")), "cannot be stored"),
    )
    for call, says in more:
        with pytest.raises(UsageError, match=says), database.change() as change:
            call(change)
    assert database.status().records["events"] == 2


@pytest.mark.parametrize("verb", ["UPDATE {} SET {} = 9", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_database_itself_refuses_changes(
    database: Database, database_url: str, verb: str
) -> None:
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError

    with database.change() as change:
        change.store_problem("sum", SPEC, a_suite(1), [a_solution()])
    url = database_url.replace("postgresql:", "postgresql+psycopg:")
    if verb.startswith("TRUNCATE") and url.startswith("sqlite"):
        pytest.skip("SQLite has no TRUNCATE")
    engine = create_engine(url)
    tables = [name for name, count in database.status().records.items() if count]
    assert "suite_cases" in tables
    for table in tables:
        statement = verb.format(table, "case_id" if table == "suite_cases" else "body")
        refused = pytest.raises(DBAPIError, match=f"{table} is append-only|cannot truncate")
        with refused, engine.begin() as connection:
            connection.exec_driver_sql(statement)
    engine.dispose()
    with database.read() as reader:
        assert reader.suite_of("sum") == a_suite(1)
