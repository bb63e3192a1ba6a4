"""The kinds of records, each with its table and the columns that repeat parts of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, TypeVar

from sqlalchemy import Table

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


def _tags(spec: Specification) -> object:
    return canonical_json(spec.tags)


def _title(spec: Specification) -> object:
    return _without_nul(spec.title)


def _words(spec: Specification) -> object:
    """Return what a search finds a specification by: a line for each tag, then the title.

    It is cut to what an index of PostgreSQL can hold.
    """
    lines = (" ".join(text.split()) for text in ("", *spec.tags, "", spec.title))
    text = _without_nul("\n".join(lines).casefold())
    return text.encode()[:_MOST_WORDS_BYTES].decode(errors="ignore")


def _author(submission: StoredSubmission) -> object:
    return _without_nul(submission.by)


def _without_nul(text: str) -> str:
    """Return a text as a column of PostgreSQL can hold it."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _passed(judgement: StoredJudgement) -> object:
    return int(judgement.result.passed)


def _tests(judgement: StoredJudgement) -> object:
    return len(judgement.result.cases)


def _tests_passed(judgement: StoredJudgement) -> object:
    return sum(case.verdict is Verdict.AC for case in judgement.result.cases)


def _mutants(strength: StoredStrength) -> object:
    score = strength.report.mutation
    return score and score.mutants


def _killed(strength: StoredStrength) -> object:
    score = strength.report.mutation
    return score and score.killed


_BY_NUMBER = ("problem", "number")
_BY_TIME = ("created", "digest")
_JUDGED = ("solution", "suite", "engine")
_MEASURED = ("suite", "solution", "mutators")

PROBLEM = Kind("problem", tables.problems, StoredProblem, _of("name"), ("name",))
SPEC = Kind(
    "spec",
    tables.specs,
    Specification,
    {"title": _title, "tags": _tags, "words": _words},
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
    {**_timed(*_JUDGED), "passed": _passed, "tests": _tests, "tests_passed": _tests_passed},
    _BY_TIME,
    _JUDGED,
)
STRENGTH = Kind(
    "strength",
    tables.strengths,
    StoredStrength,
    {**_timed(*_MEASURED), "mutants": _mutants, "killed": _killed},
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
    {**_timed("problem", "solution"), "author": _author},
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
