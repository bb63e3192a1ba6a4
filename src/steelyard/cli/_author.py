"""`steelyard author`: specifications, suites of measured strength, and reference solutions."""

import typer

from steelyard.cli._groups import LazyDefaultGroup

_HERE = "steelyard.cli"


class _AuthorCommands(LazyDefaultGroup):
    lazy = {  # noqa: RUF012  (a table)
        "run": (
            f"{_HERE}._author_run:run",
            "Write a specification, tests and solutions from a request.",
        ),
        "show": (
            f"{_HERE}._author_run:show",
            "Show a run of author: specification, suite, solutions and decisions.",
        ),
        "replay": (
            f"{_HERE}._author_run:replay",
            "Repeat a run of author from its files, without models.",
        ),
        "spec": (
            f"{_HERE}._author_run:spec",
            "Turn a request in prose into an exact specification.",
        ),
        "strength": (
            f"{_HERE}._author_strength:strength",
            "Measure what a suite of tests kills: mutants, wrong and slow programs.",
        ),
        "store": (
            f"{_HERE}._author_run:store",
            "Store the results of authoring in the database.",
        ),
        "submit": (
            f"{_HERE}._author_challenges:submit",
            "Judge a program on a problem's current suite, and store the result.",
        ),
        "submissions": (
            f"{_HERE}._author_challenges:submissions",
            "List a problem's submissions with their results.",
        ),
        "challenge": (
            f"{_HERE}._author_challenges:challenge",
            "Challenge a problem with an input that shows it weak or wrong.",
        ),
        "challenges": (
            f"{_HERE}._author_challenges:challenges",
            "List challenges, and decide those that need a person.",
        ),
        "tests": (
            f"{_HERE}._author_tests:write_tests",
            "Write a pytest suite for a module, and improve it.",
        ),
        "stats": (
            f"{_HERE}._author_tests:stats",
            "Show the figures of all runs of `author tests` next to their targets.",
        ),
    }


author = typer.Typer(cls=_AuthorCommands, add_completion=False)


@author.callback()
def options() -> None:
    """Write a specification, tests and solutions from a request.

    What a model writes is a hint. Constraints, runs and independent solutions decide.
    """
