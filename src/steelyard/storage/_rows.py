"""Make rows of records, and records of rows; a row that is damaged is never taken for a record."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from steelyard.errors import DatabaseError, UsageError
from steelyard.schemas import Record, Specification, canonical_json, sha256_of
from steelyard.storage._kinds import SUITE, Kind

R = TypeVar("R", bound=Record)
Row = Mapping[str, Any]


def row_of(kind: Kind[R], record: R, fields: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a record as a row of its table.

    Args:
        kind: The record's kind.
        record: The record.
        fields: The record as plain values, if they are known; they are changed.

    Raises:
        UsageError: if the record cannot be written as JSON.
    """
    try:
        if fields is None:
            fields = record.model_dump(mode="json", exclude_defaults=True)
        digest = sha256_of(canonical_json(fields))
        if kind is SUITE:
            fields.pop("cases")  # they are rows of `suite_cases`
        return {"digest": digest, "body": canonical_json(fields), **columns_of(kind, record)}
    except ValueError as error:
        raise UsageError(
            f"a {kind.name} cannot be stored: {' '.join(str(error).split())[:200]}; "
            "use null, true, false, finite numbers, text, lists and objects"
        ) from error


def whole_of(kind: Kind[Any], digest: str, body: str, cases: Sequence[str] = ()) -> str:
    """Return a record's canonical JSON.

    Args:
        kind: The record's kind.
        digest: The row's digest.
        body: The row's body.
        cases: The digests of a suite's cases, in order.

    Raises:
        DatabaseError: if the digest is not that of the record.
    """
    try:
        whole = canonical_json(json.loads(body) | {"cases": cases}) if kind is SUITE else body
    except (ValueError, TypeError, RecursionError):
        whole = ""
    if sha256_of(whole) != digest:
        raise damage(kind, digest, "its content does not have this digest")
    return whole


def columns_of(kind: Kind[R], record: R) -> dict[str, object]:
    """Return the columns that repeat parts of the record."""
    return {name: value_of(record) for name, value_of in kind.columns.items()}


def record_of(kind: Kind[R], digest: str, body: str, cases: Sequence[str] = ()) -> R:
    """Return the record of a row, whose parts are those of `whole_of`.

    Raises:
        DatabaseError: if the digest is not that of the record, or it is not such a record.
    """
    whole = whole_of(kind, digest, body, cases)
    try:
        return kind.record.model_validate(json.loads(whole))
    except (ValueError, RecursionError) as error:
        raise damage(kind, digest, fault_of(error)) from error


def damage(kind: Kind[Any], digest: str, why: str) -> DatabaseError:
    """Return the error for a row that is not a record."""
    return DatabaseError(
        f"the {kind.name} {digest[:12]} in the database is damaged: {why}; "
        "list all damage with `steelyard db check`"
    )


def fault_of(error: Exception) -> str:
    """Return why values are not a record, in one line."""
    if not isinstance(error, ValidationError):
        return " ".join(str(error).split())[:200]
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def digest_of_tests(spec: Specification, time_limit_ms: float | None, tests: Iterable[str]) -> str:
    """Return a digest over whatever a verdict depends on.

    Suites with equal ones give the same verdicts: names, order, kills and evidence do not count.

    Args:
        spec: The specification, of which what answers are compared by counts.
        time_limit_ms: The suite's time limit.
        tests: The column `test` of each case.
    """
    rules = (spec.match_mode, spec.output_type, spec.returns, sorted(spec.static_rules))
    return sha256_of(canonical_json((rules, time_limit_ms, sorted(tests))))
