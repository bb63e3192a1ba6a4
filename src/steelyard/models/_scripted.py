"""A model that reads its replies from a file: for demonstrations, examples and tests."""

from collections.abc import Mapping
from pathlib import Path

from steelyard.errors import ModelTransportError, ScriptError
from steelyard.models._request import Reply, Request
from steelyard.models._script import Fault, read_script


class ScriptedModel:
    """A model that gives each role its replies from a script, in order.

    Each object starts at the first reply.

    Args:
        file: The script, in the format that `_script.py` describes.

    Raises:
        ScriptError: if the script, or a file that it names, cannot be used.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._script = read_script(file)
        self._next = dict.fromkeys(self._script, 0)

    @property
    def name(self) -> str:
        """The model's name, `scripted:FILE`."""
        return f"scripted:{self._file}"

    async def complete(self, request: Request) -> Reply:
        """Return the role's next reply.

        Raises:
            ScriptError: if the role has none left.
            ModelTransportError: if the script has `$error` at this position.
        """
        replies = self._script.get(request.role, ())
        index = self._next.get(request.role, 0)
        if index >= len(replies):
            available = ", ".join(f"{role} {len(each)}" for role, each in self._script.items())
            raise ScriptError(
                f"the script {self._file} has no reply number {index + 1} for the role "
                f"{request.role} (it has: {available or 'none'}); add it"
            )
        self._next[request.role] = index + 1
        reply = replies[index]
        if isinstance(reply, Fault):
            raise ModelTransportError(
                f"{self.name}, {request.role}[{index}]: {reply}; the script sets this error"
            )
        return reply.model_copy(update={"model": self.name})

    def resume_after(self, replies: Mapping[str, int]) -> None:
        """Resume after an earlier run.

        Args:
            replies: The number of replies that each role got, without faults; the faults directly
                after its last reply are skipped too. A role that is missing starts at its first
                reply.

        Raises:
            ScriptError: if the script has fewer replies than that.
        """
        for role, paid in replies.items():
            left = [i for i, each in enumerate(self._script.get(role, ())) if not _is_fault(each)]
            if paid > len(left):
                raise ScriptError(
                    f"the script {self._file} has {len(left)} replies for the role {role}, and "
                    f"the run to resume had {paid}; give the script that it was started with"
                )
        starts = {role: _start(each, replies.get(role, 0)) for role, each in self._script.items()}
        self._next = starts


def _is_fault(reply: Reply | Fault) -> bool:
    return isinstance(reply, Fault)


def _start(replies: tuple[Reply | Fault, ...], paid: int) -> int:
    """Return the index of the reply after the first `paid` ones."""
    if not paid:
        return 0
    indices = [index for index, each in enumerate(replies) if not _is_fault(each)]
    return indices[paid] if paid < len(indices) else len(replies)
