"""The folder of an authoring run: its input, and its story, finished or not."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import ConfigDict

from steelyard.authoring._options import AuthorOptions
from steelyard.journal import Exchange, exchanges_in, read_record, turns_in
from steelyard.schemas import AuthorReport, Message, Specification

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


class _Stamp(Message):
    """The time of an artefact, whatever else it holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step of a run: a reply of a model, or what was found out from it."""

    suite: int
    """The number of the suite, from 0."""
    name: str
    """The name of its artefact."""
    at: datetime


@dataclass(frozen=True)
class AuthorStory:
    """A run from its start to its end or interruption."""

    head: AuthorHead
    steps: tuple[StoryStep, ...]
    """In the order of time."""
    exchanges: tuple[Exchange, ...]
    report: AuthorReport | None
    folder: Path


def read_author_story(folder: Path) -> AuthorStory:
    """Return the story of a run's folder, or of the folder of its results.

    Raises:
        UsageError: if it holds no authoring run, or an artefact that cannot be read.
    """
    artefacts = journal_in(folder)
    head = read_author_head(artefacts)
    steps = (
        StoryStep(number, file.stem, read_record(file, _Stamp).timestamp_utc)
        for number, turn in turns_in(artefacts)
        for file in turn.glob("*.json")
    )
    file = artefacts / "result.json"
    report = read_record(file, AuthorReport) if file.exists() else None
    ordered = tuple(sorted(steps, key=lambda each: (each.suite, each.at)))
    return AuthorStory(head, ordered, exchanges_in(artefacts), report, artefacts)
