"""Make rows of records, and records of rows; a row that is damaged is never taken for a record."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from steelyard.errors import DatabaseError, UsageError
from steelyard.schemas import Record, Specification, StoredCase, canonical_json, sha256_of
from steelyard.storage._kinds import SUITE, Kind

__all__ = ["Row", "columns_of", "record_of", "row_of", "tests_digest"]

R = TypeVar("R", bound=Record)
Row = Mapping[str, Any]


def row_of(kind: Kind[R], record: R) -> dict[str, Any]:
    """Return a record as a row of its table.

    Raises:
        UsageError: if the record cannot be written as JSON.
    """
    try:
        fields = record.model_dump(mode="json", exclude_defaults=True)
        digest = sha256_of(canonical_json(fields))
        if kind is SUITE:
            del fields["cases"]  # they are rows of `suite_cases`
        return {"digest": digest, "body": canonical_json(fields), **columns_of(kind, record)}
    except ValueError as error:
        raise UsageError(
            f"a {kind.name} cannot be stored: {' '.join(str(error).split())[:200]}; "
            "use null, true, false, finite numbers, text, lists and objects"
        ) from error


def columns_of(kind: Kind[R], record: R) -> dict[str, object]:
    """Return the columns that repeat parts of the record."""
    return {name: value_of(record) for name, value_of in kind.columns.items()}


def record_of(kind: Kind[R], digest: str, body: str, cases: Sequence[str] = ()) -> R:
    """Return the record of a row.

    Args:
        kind: The record's kind.
        digest: The row's digest.
        body: The row's body.
        cases: The digests of a suite's cases, in order.

    Raises:
        DatabaseError: if the digest is not that of the body, or it is not such a record.
    """
    try:
        fields = json.loads(body)
        if kind is SUITE:
            fields["cases"] = list(cases)
        if sha256_of(canonical_json(fields)) != digest:
            raise ValueError("its digest is another one")
        return kind.record.model_validate(fields)
    except (ValueError, TypeError, RecursionError) as error:
        why = _first(error) if isinstance(error, ValidationError) else str(error)
        raise DatabaseError(
            f"the {kind.name} {digest[:12]} in the database is damaged: {why}; "
            "list the damage with `steelyard db check`"
        ) from error


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def tests_digest(
    spec: Specification, time_limit_ms: float | None, cases: Iterable[StoredCase]
) -> str:
    """Return a digest over whatever a verdict depends on.

    Suites with equal ones give the same verdicts: names, order, kills and evidence do not count.
    """
    tests = sorted(canonical_json((case.input, case.has_expected, case.expected)) for case in cases)
    rules = (spec.match_mode, spec.output_type, spec.returns, sorted(spec.static_rules))
    return sha256_of(canonical_json((rules, time_limit_ms, tests)))
