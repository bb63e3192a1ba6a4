"""`steelyard author store`: put authored results into the database."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._options import Database, Json
from steelyard.cli._outputs import print_json


def store(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="Folder of results: specification.json, suite.json and solutions/*.py.",
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The problem's name.", show_default="the folder's name"),
    ] = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Store the results of authoring in the database, for submissions and challenges.

    A problem of this name gets a new version of its specification and its suite.
    """
    stored = stored_results(folder, name, database)
    if json:
        print_json(stored.plain())
    else:
        typer.echo(str(stored))


@dataclass(frozen=True, slots=True)
class StoredResults:
    """A problem in the database."""

    problem: str
    suite_version: int
    cases: int
    solutions: tuple[str, ...]
    """Their digests."""

    def plain(self) -> dict[str, object]:
        """Return it as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        cases = f"{self.cases:,} case{'' if self.cases == 1 else 's'}"
        count = len(self.solutions)
        solutions = f"{count:,} solution{'' if count == 1 else 's'}"
        return f"{self.problem}: suite {self.suite_version}, {cases}, {solutions}"


def stored_results(folder: Path, name: str | None, database: str | None) -> StoredResults:
    """Store a folder of results under a name, by default the folder's.

    Raises:
        UsageError: if something is missing, or does not fit together; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    from steelyard.challenges.submissions import read_results, store_results  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    problem = folder.resolve().name if name is None else name
    results = read_results(folder, problem)
    with open_database(database) as opened:
        version, solutions = store_results(opened, results)
        with opened.read() as reader:
            cases = len(reader.suite(version.suite).cases)
    return StoredResults(problem, version.number, cases, tuple(each.digest for each in solutions))
