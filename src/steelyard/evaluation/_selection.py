"""Select the tasks of a benchmark: by name, by date, by number, and by shard."""

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from steelyard.errors import UsageError
from steelyard.schemas import DateWindow, Task

__all__ = ["Selection", "Shard"]

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of an evaluation, numbered from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str | None) -> "Shard":
        """Return the shard in a text such as `2/8`; the whole for None.

        Raises:
            UsageError: if the text is not one.
        """
        if text is None:
            return cls()
        found = _SHARD.fullmatch(text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise UsageError(f"shard must be I/N with I from 1 to N, got {text!r}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(slots=True)
class Selection:
    """The tasks to evaluate; it counts what it leaves out."""

    window: DateWindow
    pattern: str | None = None
    """A glob over ids and tags, such as `HumanEval/1*`; several are separated by commas."""
    limit: int | None = None
    shard: Shard = Shard()
    undated: int = 0
    """Tasks that the window leaves out because they have no date."""
    outside: int = 0
    """Tasks that were published outside the window."""

    def of(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Yield the selected tasks, in order.

        The limit counts before tasks are dealt to shards in turn: all shards together are the
        whole.
        """
        count = 0
        for task in tasks:
            if not self._is_named(task) or not self._is_within(task.published):
                continue
            count += 1
            if self.limit is not None and count > self.limit:
                return
            if (count - 1) % self.shard.of == self.shard.number - 1:
                yield task

    def _is_named(self, task: Task) -> bool:
        if self.pattern is None:
            return True
        names = (task.id, *task.tags)
        patterns = [each.strip() for each in self.pattern.split(",")]
        return any(fnmatch.fnmatchcase(name, each) for name in names for each in patterns)

    def _is_within(self, published: date | None) -> bool:
        after, before = self.window.after, self.window.before
        if after is None and before is None:
            return True
        if published is None:
            self.undated += 1
            return False
        inside = (after is None or published >= after) and (before is None or published < before)
        self.outside += not inside
        return inside
