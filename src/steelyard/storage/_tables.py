"""The tables, as the newest migration leaves them.

Each row is one record: `body` is its canonical JSON and `digest` the SHA-256 over it. The other
columns repeat what rows are found by. See docs/decisions/0017-storage.md.
"""

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import postgresql

REVISIONS = ("0004", "0005")
"""In order; a test compares them with the migrations. The first one is that of 0.1.0."""
HEAD = REVISIONS[-1]
VERSION_TABLE = "steelyard_version"
metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pk",
        "fk": "%(table_name)s_%(column_0_name)s_fk",
        "uq": "%(table_name)s_%(column_0_N_name)s_uq",
        "ix": "%(table_name)s_%(column_0_N_name)s_ix",
    }
)
# Sorted by code points on every server, whatever its language.
_Text = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def _table(
    name: str, *items: Column[str] | Column[int] | UniqueConstraint | Index, row: bool = False
) -> Table:
    """Return a table of records; `row`: with a number for each, which other rows use."""
    key: list[Column[str] | Column[int]] = (
        [
            Column("id", Integer, primary_key=True),
            Column("digest", _Text, nullable=False, unique=True),
        ]
        if row
        else [Column("digest", _Text, primary_key=True)]
    )
    return Table(name, metadata, *key, Column("body", _Text, nullable=False), *items)


def _text(
    name: str, *, null: bool = False, unique: bool = False, index: bool = False
) -> Column[str]:
    return Column(name, _Text, nullable=null, unique=unique, index=index)


def _to(name: str, target: str, *, null: bool = False) -> Column[str]:
    """Return a column that refers to another table."""
    return Column(name, _Text, ForeignKey(target), nullable=null, index=True)


def _number() -> Column[int]:
    return Column("number", Integer, nullable=False)


def _count(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=null)


def _newest_first(*columns: str) -> Index:
    """Return the index of a list by time, of the rows with one value in each of the columns."""
    return Index(None, *columns, "created", "digest")


problems = _table("problems", _text("name", unique=True))
specs = _table(
    "specs", _text("title"), _text("tags"), _text("words"), Index(None, "words", "digest")
)
spec_versions = _table(
    "spec_versions",
    _to("problem", "problems.name"),
    _number(),
    _to("spec", "specs.digest"),
    UniqueConstraint("problem", "number"),
)
inputs = _table("inputs", _text("input", unique=True))
cases = _table("cases", _to("input", "inputs.input"), _text("test"), row=True)
suites = _table("suites", _to("spec", "specs.digest"), _text("tests"), row=True)
suite_cases = Table(
    "suite_cases",
    metadata,
    Column("suite_id", Integer, ForeignKey("suites.id"), primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("case_id", Integer, ForeignKey("cases.id"), nullable=False),
    sqlite_with_rowid=False,
)
suite_versions = _table(
    "suite_versions",
    _to("problem", "problems.name"),
    _number(),
    _to("suite", "suites.digest"),
    UniqueConstraint("problem", "number"),
)
solutions = _table("solutions", _to("problem", "problems.name"), _text("role"))
judgements = _table(
    "judgements",
    _to("solution", "solutions.digest"),
    _to("suite", "suites.digest"),
    _text("engine"),
    _text("created"),
    _count("passed"),
    _count("tests"),
    _count("tests_passed"),
    UniqueConstraint("solution", "suite", "engine"),
)
strengths = _table(
    "strengths",
    _to("suite", "suites.digest"),
    _to("solution", "solutions.digest"),
    _text("mutators"),
    _text("created"),
    _count("mutants", null=True),
    _count("killed", null=True),
    UniqueConstraint("suite", "solution", "mutators"),
)
runs = _table(
    "runs", _text("name", index=True), _to("problem", "problems.name", null=True), _text("created")
)
events = _table("events", _to("problem", "problems.name", null=True), _text("created", index=True))
challenges = _table(
    "challenges",
    _to("problem", "problems.name"),
    _to("suite", "suites.digest"),
    _to("input", "inputs.input"),
    _text("created"),
    _newest_first(),
    _newest_first("problem"),
)
challenge_steps = _table(
    "challenge_steps",
    _to("challenge", "challenges.digest"),
    _number(),
    _text("state"),
    _to("suite", "suites.digest", null=True),
    UniqueConstraint("challenge", "number"),
)
truths = _table(
    "truths",
    _to("problem", "problems.name"),
    _to("input", "inputs.input"),
    _to("challenge", "challenges.digest", null=True),
    _text("created"),
)
submissions = _table(
    "submissions",
    _to("problem", "problems.name"),
    _to("solution", "solutions.digest"),
    _text("created"),
    _text("author"),
    _newest_first(),
    _newest_first("problem"),
    _newest_first("author"),
)
owners = _table(
    "owners",
    _text("record", unique=True),
    _text("owner"),
    _text("created"),
    Index(None, "owner", "created", "record"),
)
# Not records: they have no digest, are not exported, and `revoked_utc` is set later.
tokens = Table(
    "tokens",
    metadata,
    Column("id", _Text, primary_key=True),
    _text("name"),
    _text("secret_sha256"),
    _text("scopes"),
    _text("created_utc"),
    _text("expires_utc", null=True),
    _text("revoked_utc", null=True),
    Column("requests_per_minute", Integer),
    Column("concurrency", Integer),
    _text("owner"),
)
