"""A model that reads its replies from a file: for demonstrations, examples and tests."""

from collections.abc import Mapping
from pathlib import Path

from steelyard.errors import ModelTransportError, ScriptError
from steelyard.models._request import Reply, Request
from steelyard.models._script import Fault, read_script

__all__ = ["ScriptedModel"]


class ScriptedModel:
    """A model that gives each role the replies that a script has for it, in their order.

    Each object counts for itself, from the first reply.

    Args:
        file: The script; `_script.py` describes its format.

    Raises:
        ScriptError: where the script, or a file that it names, cannot be used.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._script = read_script(file)
        self._next = dict.fromkeys(self._script, 0)

    @property
    def name(self) -> str:
        """`scripted:FILE`."""
        return f"scripted:{self._file}"

    async def complete(self, request: Request) -> Reply:
        """The role's next reply.

        Raises:
            ScriptError: where the role has none left.
            ModelTransportError: where the script has `$error` in its place.
        """
        replies = self._script.get(request.role, ())
        index = self._next.get(request.role, 0)
        if index >= len(replies):
            there = ", ".join(f"{role} {len(each)}" for role, each in self._script.items())
            raise ScriptError(
                f"the script {self._file} has no reply number {index + 1} for the role "
                f"{request.role} (it has: {there or 'none'}); add it"
            )
        self._next[request.role] = index + 1
        reply = replies[index]
        if isinstance(reply, Fault):
            raise ModelTransportError(
                f"{self.name}, {request.role}[{index}]: {reply}; the script has this fault"
            )
        return reply.model_copy(update={"model": self.name})

    def resume_after(self, replies: Mapping[str, int]) -> None:
        """Go on where an earlier run ended.

        Args:
            replies: By role, how many replies it got; faults do not count, and those directly
                behind the last of them have passed too. A role that is left out starts anew.

        Raises:
            ScriptError: where the script has fewer replies than that.
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
    """The index of the reply after the first `paid` ones."""
    if not paid:
        return 0
    indices = [index for index, each in enumerate(replies) if not _is_fault(each)]
    return indices[paid] if paid < len(indices) else len(replies)
