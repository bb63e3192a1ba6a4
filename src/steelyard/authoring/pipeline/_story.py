"""Read an authoring run from its folder, finished or not."""

from dataclasses import dataclass
from pathlib import Path

from steelyard.authoring.pipeline._head import AuthorHead, journal_in, read_author_head
from steelyard.journal import Exchange, exchanges_in, read_record, turns_in
from steelyard.schemas import AuthorReport

__all__ = ["AuthorStory", "read_author_story"]


@dataclass(frozen=True)
class AuthorStory:
    """A run from its start to its end or interruption."""

    head: AuthorHead
    steps: tuple[tuple[int, tuple[str, ...]], ...]
    """The artefacts of each suite, by its number."""
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
    steps = tuple(
        (number, tuple(sorted(file.stem for file in turn.glob("*.json"))))
        for number, turn in turns_in(artefacts)
    )
    file = artefacts / "result.json"
    report = read_record(file, AuthorReport) if file.exists() else None
    return AuthorStory(head, steps, exchanges_in(artefacts), report, artefacts)
