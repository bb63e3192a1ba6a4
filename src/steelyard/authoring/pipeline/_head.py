"""The input of an authoring run, as its journal keeps it."""

from pathlib import Path

from steelyard.authoring._options import AuthorOptions
from steelyard.journal import read_record
from steelyard.schemas import Message, Specification

JOURNAL = "run"
"""The folder of the artefacts inside the folder of the results."""


class AuthorHead(Message):
    """The input of a run."""

    request: str = ""
    """In prose; empty if a specification is given."""
    specification: Specification | None = None
    solutions: tuple[str, ...] = ()
    """The sources of solutions that the author gives."""
    options: AuthorOptions
    out: str
    """The folder of the results."""
    no_models: str = ""
    """The reason why no model is asked; empty if models are."""


def journal_in(folder: Path) -> Path:
    """Return the folder of a run's artefacts: the folder itself, or the one inside it."""
    inside = folder / JOURNAL
    return inside if (inside / "run.json").exists() else folder


def results_of(artefacts: Path) -> Path:
    """Return the folder of the results of a run, wherever it is now."""
    named = artefacts if artefacts.name else artefacts.resolve()
    return named.parent


def read_author_head(folder: Path) -> AuthorHead:
    """Return the input of the run in a folder of artefacts.

    Raises:
        UsageError: if it does not hold an authoring run.
    """
    head: AuthorHead = read_record(folder / "run.json", AuthorHead)
    return head
