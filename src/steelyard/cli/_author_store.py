"""`steelyard author store`: put authored results into the database."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._options import Database, Json
from steelyard.cli._outputs import print_json

__all__ = ["store"]


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
    from steelyard.authoring.submissions import store_results  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    problem = name or folder.resolve().name
    with open_database(database) as opened:
        version, solutions = store_results(opened, folder, problem)
        with opened.read() as reader:
            cases = len(reader.suite(version.suite).cases)
    if json:
        found = {"problem": problem, "suite_version": version.number, "cases": cases}
        print_json(found | {"solutions": [each.digest for each in solutions]})
        return
    typer.echo(f"{problem}: suite {version.number}, {cases:,} cases, {len(solutions):,} solutions")
