"""The steps of a solve run: unusable replies are counted, and evidence may be missing."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from steelyard.errors import ModelError, RecordingError, ReplyError, ScriptError
from steelyard.journal import Journal
from steelyard.journal import Steps as Common
from steelyard.schemas import OnEvent, PruneFinding, SolveStatus, StopCause

T = TypeVar("T")
_MOST_CRASHES = 2


class Stopped(Exception):  # noqa: N818 - the run's end, not an error
    """Ends the run."""

    def __init__(self, status: SolveStatus, stop: StopCause, reason: str) -> None:
        super().__init__(reason)
        self.status, self.stop, self.reason = status, stop, reason


class Steps(Common):
    """The steps of one run, with its notes.

    Args:
        journal: Keeps the result of each step.
        on_event: Receives each stage as it begins.
    """

    def __init__(self, journal: Journal, on_event: OnEvent) -> None:
        super().__init__(journal, on_event, "solve")
        self._crashes = 0
        self.pruned: tuple[PruneFinding, ...] = ()
        """Findings on the last plan that the static rules rejected."""
        self.has_plan = False
        """Whether a plan has passed the static rules."""

    async def asked(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Return a reply, from a second request if the first could not be used."""
        while True:
            try:
                return await ask()
            except ReplyError as error:
                self.crashed(error)
            except (ModelError, ScriptError, RecordingError) as error:
                self._end_if_pruned(error)
                raise

    def crashed(self, error: ReplyError) -> None:
        """Count an unusable reply; end the run at the second."""
        self._crashes += 1
        self.note(str(error))
        if self._crashes >= _MOST_CRASHES:
            self._end_if_pruned(error)
            raise Stopped("failed", "agent-crashes", str(error)) from error

    def _end_if_pruned(self, error: Exception) -> None:
        """End the run as pruned if no plan has passed the static rules yet."""
        if self.pruned and not self.has_plan:
            reason = f"{first_of(self.pruned)}; then no other plan was received: {error}"
            raise Stopped("static_prune_failed", "pruned", reason) from error

    async def supported(self, name: str, form: Any, ask: Callable[[], Awaitable[T]]) -> T | str:
        """Return the reply of a role that supports the run, or why there is none.

        Such a role is asked once: an unusable reply ends no run.
        """
        value: T | str
        try:
            value = await ask()
        except (ReplyError, ScriptError) as error:
            value = str(error)
        except RecordingError:
            known = self._journal.known(name, form | str)
            if known is None:
                raise
            return known  # type: ignore[no-any-return]
        return self._journal.keep(name, form | str, value)


def first_of(found: tuple[PruneFinding, ...]) -> str:
    """Return the first finding as one line."""
    return f"{found[0].rule}: {found[0].message}"


def in_words(found: tuple[PruneFinding, ...]) -> str:
    """Return all findings, one a line."""
    return "\n".join(f"{each.message} ({each.evidence})" for each in found)
