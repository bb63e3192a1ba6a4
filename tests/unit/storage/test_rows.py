"""Digests, the tests of a suite, and the order of times."""

from datetime import UTC, datetime

import pytest

from steelyard.errors import DatabaseError
from steelyard.schemas import StoredCase, StoredEvent, canonical_json, sha256_of
from steelyard.storage._kinds import CASE, EVENT, KINDS, digest_of_tests, record_of, row_of
from steelyard.storage._tables import metadata
from steelyard.storage._writing import now
from tests.stored_problems import SPEC, a_case


def stored(number: int, **changes: object) -> StoredCase:
    case = a_case(number, **changes)
    return StoredCase.model_validate(dict(case) | {"input": case.input.digest})


def test_every_table_has_its_kind_of_record() -> None:
    assert {kind.table.name for kind in KINDS} | {"suite_cases", "tokens"} == set(metadata.tables)
    for kind in KINDS:
        columns = set(kind.columns) | {"id", "digest", "body", "tests"}
        assert set(kind.table.columns.keys()) <= columns
        seen = [each.table.name for each in KINDS[: KINDS.index(kind) + 1]]
        assert all(key.column.table.name in seen for key in kind.table.foreign_keys)


def test_a_row_repeats_its_record() -> None:
    case = stored(1)
    row = row_of(CASE, case)
    assert row["digest"] == case.digest == sha256_of(row["body"])
    assert row["input"] == case.input
    assert record_of(CASE, row["digest"], row["body"]) == case
    with pytest.raises(DatabaseError, match=r"the case [0-9a-f]{12} in the database is damaged"):
        record_of(CASE, row["digest"], row["body"].replace("edge", "basic"))


def test_a_body_that_is_not_such_a_record_is_damage() -> None:
    for body in ("[]", '{"kind":1}', "{", "[" * 50_000, '{"created_utc":"x","kind":"a"}'):
        with pytest.raises(DatabaseError, match=r"the event .* is damaged: .*; list all damage"):
            record_of(EVENT, sha256_of(body), body)


def test_the_tests_of_a_suite_are_what_verdicts_depend_on() -> None:
    def tests(*cases: StoredCase, limit: float | None = 2_000.0, **spec: object) -> str:
        rows = [str(row_of(CASE, case)["test"]) for case in cases]
        return digest_of_tests(SPEC.model_copy(update=spec), limit, rows)

    plain = tests(stored(1), stored(2))
    renamed = stored(1, name="x", kills=(), trust="disputed", category="basic", notes=("y",))
    assert plain == tests(stored(2), renamed) == tests(stored(1), stored(2), title="Other")
    others = {
        tests(stored(1)),
        tests(stored(1), stored(2, expected=5)),
        tests(stored(1), stored(2, expected=None, has_expected=False)),
        tests(stored(1), stored(2), limit=None),
        tests(stored(1), stored(2), match_mode="unordered"),
        tests(stored(1), stored(2), output_type="exact"),
        tests(stored(1), stored(2), returns="float"),
        tests(stored(1), stored(2), static_rules=("no import",)),
    }
    assert len(others | {plain}) == 9


def test_times_grow_and_sort_as_their_texts() -> None:
    times = [now() for _ in range(200)]
    assert sorted(set(times)) == times
    early = datetime(2026, 1, 1, tzinfo=UTC)
    texts = [
        StoredEvent(kind="a", created_utc=each).model_dump(mode="json")["created_utc"]
        for each in (early, early.replace(microsecond=5), *times)
    ]
    assert texts == sorted(texts)
    assert texts[0] == "2026-01-01T00:00:00.000000Z"
    assert canonical_json(texts[0]) == '"2026-01-01T00:00:00.000000Z"'
