"""The records of the database, and tokens, which are stored without their secrets.

Each record has a digest over its content, and none is ever changed.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)
from pydantic.functional_serializers import PlainSerializer

from steelyard.schemas._author import CaseFacts, OutputEvidence
from steelyard.schemas._base import Given, Record, Sha256, in_utc
from steelyard.schemas._solve import Spending
from steelyard.schemas._strength import Share, StrengthReport
from steelyard.schemas._strict_json import canonical_json, sha256_of
from steelyard.schemas._verdict import VerifyResult

ProblemName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
"""The name of a problem: letters, digits, `.`, `_` and `-`."""
SolutionRole = Literal["optimised", "brute-force", "reference", "wrong", "slow", "submission"]
ChallengeState = Literal["open", "quarantined", "accepted", "rejected", "disputed"]
"""`quarantined`: the input is valid, and nothing independent speaks for the claimed output yet.
`disputed`: truths contradict each other; all of them are kept."""
OwnerId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]
"""An account: the id of the first token that it got."""
Line = Annotated[str, StringConstraints(max_length=2_000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]


def _as_text(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


StoredTime = Annotated[
    AwareDatetime, AfterValidator(in_utc), PlainSerializer(_as_text, when_used="json")
]
"""A time in UTC, in microseconds: such times sort as their texts do."""


class Stored(Given):
    """A record of the database."""

    @property
    def digest(self) -> str:
        """SHA-256 over the canonical JSON of the fields that differ from their defaults.

        Other records, and people, refer to the record by it. A field that a later version adds
        changes no digest.
        """
        return sha256_of(canonical_json(self.model_dump(mode="json", exclude_defaults=True)))


class StoredProblem(Stored):
    """A problem, which has versions of its specification and of its suite."""

    name: ProblemName
    created_utc: StoredTime


class SpecVersion(Stored):
    """A version of a problem's specification; the highest number is the current one."""

    problem: ProblemName
    number: int = Field(ge=1)
    spec: Sha256
    """`Specification.digest`."""
    reason: Line = ""
    created_utc: StoredTime


class StoredCase(CaseFacts, Stored):
    """A case of a suite, which refers to its input."""

    input: Sha256
    """`CompactInput.digest`."""


class StoredSuite(Stored):
    """The content of a suite: its cases in order, and what they are judged by."""

    spec: Sha256
    cases: tuple[Sha256, ...]
    """`StoredCase.digest` of each."""
    time_limit_ms: float | None = None


class SuiteVersion(Stored):
    """A version of a problem's suite; the highest number is the current one."""

    problem: ProblemName
    number: int = Field(ge=1)
    suite: Sha256
    """`StoredSuite.digest`."""
    reason: Line = ""
    created_utc: StoredTime


class StoredSolution(Stored):
    """A program for a problem. The same text from another origin is another solution."""

    problem: ProblemName
    role: SolutionRole
    language: Name = "python"
    entry: Name = "class:Solution.solve"
    source: str = Field(max_length=2_000_000, repr=False)
    origin: Line = ""
    """Such as the model and the prompt that it was written with."""
    evidence: dict[str, JsonValue] = Field(default={})
    """What speaks for it, such as the agreement with other solutions."""


class StoredJudgement(Stored):
    """The result of one solution on one suite, by one engine. It is never replaced."""

    solution: Sha256
    suite: Sha256
    engine: Name
    """What judged: a name and version, and whatever else changes verdicts."""
    result: VerifyResult
    created_utc: StoredTime


class StoredStrength(Stored):
    """The certificate of a suite's strength, measured with one solution."""

    suite: Sha256
    solution: Sha256
    mutators: Name
    """The version of the mutation operators."""
    report: StrengthReport
    created_utc: StoredTime


class StoredChallenge(Stored):
    """An input on which a problem's suite or solution is claimed to be weak or wrong."""

    problem: ProblemName
    suite: Sha256
    """The suite that it is about."""
    input: Sha256
    claim: JsonValue = None
    """The output that is claimed to be right."""
    has_claim: bool = False
    reason: Line
    by: Name
    created_utc: StoredTime


class ChallengeStep(Stored):
    """A state of a challenge; the highest number is the current one."""

    challenge: Sha256
    number: int = Field(ge=1)
    state: ChallengeState
    by: Name
    reason: Line = ""
    suite: Sha256 | None = None
    """The suite that it led to."""
    created_utc: StoredTime


class ChallengeHistory(Record):
    """A challenge with its steps, in order."""

    challenge: StoredChallenge
    steps: tuple[ChallengeStep, ...]

    @property
    def state(self) -> ChallengeState:
        """The current state."""
        return self.steps[-1].state


class StoredTruth(Stored):
    """An output that somebody or something states for an input. Contradictions are all kept."""

    problem: ProblemName
    input: Sha256
    output: JsonValue
    by: Name
    """Such as `example 1`, `user`, `challenge`."""
    evidence: OutputEvidence = OutputEvidence()
    challenge: Sha256 | None = None
    created_utc: StoredTime


class StoredSubmission(Stored):
    """A solution that somebody submitted."""

    problem: ProblemName
    solution: Sha256
    by: Name
    created_utc: StoredTime


class StoredOwner(Stored):
    """The account that a submission or a challenge belongs to.

    A record without an owner is the administrator's, whoever its `by` names.
    """

    record: Sha256
    """`digest` of the submission or challenge."""
    owner: OwnerId
    created_utc: StoredTime
    """As the record's."""


class StoredRun(Stored):
    """A run that has ended; one that is resumed has several records with the same name."""

    name: Name
    """The run's own name, such as the name of its folder."""
    job: Name
    problem: ProblemName | None = None
    status: Name
    models: tuple[Name, ...] = ()
    spending: Spending = Spending()
    notes: tuple[Line, ...] = ()
    started_utc: StoredTime
    created_utc: StoredTime
    """When it ended."""


class StoredEvent(Stored):
    """A line of the log of what happened. Every change adds its own."""

    kind: Name
    problem: ProblemName | None = None
    subject: Sha256 | None = None
    """The digest of the record that it is about."""
    payload: dict[str, JsonValue] = Field(default={})
    created_utc: StoredTime


class JudgedSolution(Record):
    """A judgement, and if a newer suite could change it."""

    judgement: StoredJudgement
    outdated: bool
    """True if the problem's current suite differs in what a verdict depends on."""


class ProblemSummary(Record):
    """A problem as lists show it."""

    name: ProblemName
    title: str = ""
    """Empty if it has no specification."""
    tags: tuple[str, ...] = ()
    spec_version: int = 0
    """The current version of its specification; 0 if it has none."""
    suite_version: int = 0
    """The current version of its suite; 0 if it has none."""
    cases: int = 0
    """Cases of the current suite."""
    mutants: Share | None = None
    """Mutants that the current suite kills, by its newest certificate; None: not measured."""


class DatabaseStatus(Record):
    """The contents of a database, without its text."""

    url: str
    """Without the password."""
    engine: str
    """Such as `SQLite 3.45.1`."""
    revision: str
    """Empty if there are no tables."""
    head: str
    """The revision that this version of Steelyard reads."""
    bytes: int | None
    """Size of the file and its journal; None on a server."""
    records: dict[str, int]
    """Number of records by table."""


class DatabaseFault(Record):
    """A record of a database that is damaged or refers to nothing."""

    table: str
    digest: str
    fault: str


Scope = Literal["judge", "author", "admin"]
"""`judge`: everything that runs programs. `author`: also what asks language models and stores
problems. `admin`: also tokens, metrics and the state of other callers' runs."""


class StoredToken(Record):
    """A token of the service."""

    id: str = Field(pattern=r"^[0-9a-f]{12}$")
    """The part of the token that may be shown."""
    owner: OwnerId
    """The account, which may have several tokens: the id of its first one."""
    name: str = Field(min_length=1, max_length=100)
    """The holder, for people. Nothing is decided by it."""
    secret_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", repr=False)
    scopes: tuple[Scope, ...] = Field(min_length=1)
    created_utc: StoredTime
    expires_utc: StoredTime | None = None
    """None if it does not expire."""
    revoked_utc: StoredTime | None = None
    requests_per_minute: int | None = Field(default=None, ge=1)
    """None is the service's own limit."""
    concurrency: int | None = Field(default=None, ge=1)
    """Limit on its requests under way; None is the service's own."""

    @model_validator(mode="before")
    @classmethod
    def _first_of_its_owner(cls, data: Any) -> Any:
        """A token without an owner is the first one of an account."""
        return {"owner": data.get("id"), **data} if isinstance(data, dict) else data
