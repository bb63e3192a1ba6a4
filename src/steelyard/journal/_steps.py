"""Take each step of a run from its artefact or do it, and report it."""

from collections.abc import Callable
from typing import Any, TypeVar

from steelyard.journal._journal import Journal
from steelyard.options import beside
from steelyard.schemas import Event, Job, OnEvent

T = TypeVar("T")


class Steps:
    """The steps of one run, with its notes.

    Args:
        journal: Keeps the result of each step.
        on_event: Receives each stage as it begins.
        job: The job in events.
    """

    def __init__(self, journal: Journal, on_event: OnEvent, job: Job) -> None:
        self._journal, self._on_event, self._job = journal, on_event, job
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the notes so far."""
        return tuple(self._notes)

    def note(self, text: str) -> None:
        """Add a note to the result, once."""
        if text not in self._notes:
            self._notes.append(text)

    def notify(self, stage: str, message: str = "", share: float | None = None) -> None:
        """Report that a stage begins."""
        self._on_event(
            Event(
                job=self._job,
                stage=stage,
                message=message,
                share=share,
                iteration=self._journal.iteration,
            )
        )

    def decided(self, name: str, form: Any, decision: T) -> T:
        """Return the earlier decision in a resumed run; a replay decides anew."""
        kept = self._journal.keep(name, form, decision)
        return decision if self._journal.reads_only else kept

    async def done(self, name: str, form: Any, make: Callable[[], Any]) -> Any:
        """Return the result of a blocking step: from its artefact, or run in a thread."""
        known = self._journal.known(name, form)
        if known is not None or self._journal.reads_only:
            return self._journal.keep(name, form, known)
        return self._journal.keep(name, form, await beside(make))
