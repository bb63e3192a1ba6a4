"""The kinds of records, each with its table and the columns that repeat parts of it.

`row_of` makes rows of records, and `record_of` records of rows; a row that is damaged is never
taken for a record.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, TypeVar

from pydantic import ValidationError
from sqlalchemy import Table

from steelyard.errors import DatabaseError, UsageError
from steelyard.schemas import (
    ChallengeStep,
    CompactInput,
    Record,
    Specification,
    SpecVersion,
    StoredCase,
    StoredChallenge,
    StoredEvent,
    StoredJudgement,
    StoredOwner,
    StoredProblem,
    StoredRun,
    StoredSolution,
    StoredStrength,
    StoredSubmission,
    StoredSuite,
    StoredTruth,
    SuiteVersion,
    Verdict,
    canonical_json,
    sha256_of,
)
from steelyard.storage import _tables as tables

R = TypeVar("R", bound=Record)
_MOST_WORDS_BYTES = 2_400


@dataclass(frozen=True, slots=True)
class Kind(Generic[R]):
    """A kind of record."""

    name: str
    """In exports and messages."""
    table: Table
    record: type[R]
    columns: Mapping[str, Callable[[R], object]] = field(default_factory=dict)
    """The columns next to `digest` and `body`, each with what fills it."""
    order: tuple[str, ...] = ("digest",)
    """Columns that sort the records in the same way in every database."""
    key: tuple[str, ...] = ("digest",)
    """A record is not stored if one with the same values in these columns is."""


def _of(*names: str) -> dict[str, Callable[[Any], object]]:
    return {name: attrgetter(name) for name in names}


def _timed(*names: str) -> dict[str, Callable[[Any], object]]:
    return {**_of(*names), "created": _created}


def _created(record: Any) -> object:
    return record.model_dump(mode="json", include={"created_utc"})["created_utc"]


def _test(case: StoredCase) -> object:
    """Return a digest over what a verdict on the case depends on."""
    return sha256_of(canonical_json((case.input, case.has_expected, case.expected)))


def _words(spec: Specification) -> object:
    """Return what a search finds a specification by: a line for each tag, then the title.

    It is cut to what an index of PostgreSQL can hold.
    """
    lines = (" ".join(text.split()) for text in ("", *spec.tags, "", spec.title))
    text = _without_nul("\n".join(lines).casefold())
    return text.encode()[:_MOST_WORDS_BYTES].decode(errors="ignore")


def _without_nul(text: str) -> str:
    """Return a text as a column of PostgreSQL can hold it."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _tests_passed(judgement: StoredJudgement) -> object:
    return sum(case.verdict is Verdict.AC for case in judgement.result.cases)


def _score(name: str) -> Callable[[StoredStrength], object]:
    return lambda strength: getattr(strength.report.mutation, name, None)


_BY_NUMBER = ("problem", "number")
_BY_TIME = ("created", "digest")
_JUDGED = ("solution", "suite", "engine")
_MEASURED = ("suite", "solution", "mutators")
PROBLEM = Kind("problem", tables.problems, StoredProblem, _of("name"), ("name",))
SPEC = Kind(
    "spec",
    tables.specs,
    Specification,
    {
        "title": lambda spec: _without_nul(spec.title),
        "tags": lambda spec: canonical_json(spec.tags),
        "words": _words,
    },
)
SPEC_VERSION = Kind(
    "spec_version", tables.spec_versions, SpecVersion, _of(*_BY_NUMBER, "spec"), _BY_NUMBER
)
INPUT = Kind(
    "input", tables.inputs, CompactInput, {"input": attrgetter("digest")}, ("input",), ("input",)
)
CASE = Kind("case", tables.cases, StoredCase, {**_of("input"), "test": _test})
SUITE = Kind("suite", tables.suites, StoredSuite, _of("spec"))
SUITE_VERSION = Kind(
    "suite_version", tables.suite_versions, SuiteVersion, _of(*_BY_NUMBER, "suite"), _BY_NUMBER
)
SOLUTION = Kind("solution", tables.solutions, StoredSolution, _of("problem", "role"))
JUDGEMENT = Kind(
    "judgement",
    tables.judgements,
    StoredJudgement,
    {
        **_timed(*_JUDGED),
        "passed": lambda judgement: int(judgement.result.passed),
        "tests": lambda judgement: len(judgement.result.cases),
        "tests_passed": _tests_passed,
    },
    _BY_TIME,
    _JUDGED,
)
STRENGTH = Kind(
    "strength",
    tables.strengths,
    StoredStrength,
    {**_timed(*_MEASURED), "mutants": _score("mutants"), "killed": _score("killed")},
    _BY_TIME,
    _MEASURED,
)
RUN = Kind("run", tables.runs, StoredRun, _timed("name", "problem"), _BY_TIME)
EVENT = Kind("event", tables.events, StoredEvent, _timed("problem"), _BY_TIME)
CHALLENGE = Kind(
    "challenge", tables.challenges, StoredChallenge, _timed("problem", "suite", "input"), _BY_TIME
)
STEP = Kind(
    "challenge_step",
    tables.challenge_steps,
    ChallengeStep,
    _of("challenge", "number", "state", "suite"),
    ("challenge", "number"),
)
TRUTH = Kind("truth", tables.truths, StoredTruth, _timed("problem", "input", "challenge"), _BY_TIME)
SUBMISSION = Kind(
    "submission",
    tables.submissions,
    StoredSubmission,
    {**_timed("problem", "solution"), "author": lambda submission: _without_nul(submission.by)},
    _BY_TIME,
)
OWNER = Kind("owner", tables.owners, StoredOwner, _timed("record", "owner"), _BY_TIME, ("record",))
KINDS: tuple[Kind[Any], ...] = (
    PROBLEM,
    SPEC,
    SPEC_VERSION,
    INPUT,
    CASE,
    SUITE,
    SUITE_VERSION,
    SOLUTION,
    JUDGEMENT,
    STRENGTH,
    RUN,
    CHALLENGE,
    STEP,
    TRUTH,
    SUBMISSION,
    OWNER,
    EVENT,
)
"""Each after those that its records refer to."""
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
