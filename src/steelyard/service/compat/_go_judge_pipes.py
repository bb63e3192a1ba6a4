"""Join two commands of go-judge by pipes: `pipeMapping`.

The cells join two commands by a stream socket, descriptor 3 of both. A shell makes it standard
input or output, and becomes the command.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, Field

from steelyard.sandbox import Command
from steelyard.service._problems import Problem

_SHELL = "/bin/sh"


class PipeEnd(BaseModel):
    """One end of a pipe: a command, and its standard input (0) or output (1)."""

    index: Literal[0, 1]
    fd: Literal[0, 1]


class PipeMap(BaseModel):
    """A pipe: what is written to `in` is read from `out`."""

    in_: PipeEnd = Field(alias="in")
    out: PipeEnd
    proxy: bool = False


def joined(commands: Sequence[Command], pipes: Sequence[PipeMap]) -> tuple[Command, Command]:
    """Return two commands that read and write through their channels.

    Raises:
        Problem: 400 for pipes that the cells cannot make.
    """
    if len(commands) != 2:
        raise _bad(f"pipeMapping joins two commands, got {len(commands)}")
    ends: list[set[int]] = [set(), set()]
    for each in pipes:
        if each.proxy:
            raise _bad("proxy is not offered; omit it")
        if (each.in_.fd, each.out.fd) != (1, 0) or each.in_.index == each.out.index:
            raise _bad(
                "a pipe leads from the output (fd 1) of one command to the input (fd 0) of "
                "the other"
            )
        if 1 in ends[each.in_.index]:
            raise _bad("two pipes have the same end; give one pipe for each direction")
        ends[each.in_.index].add(1)
        ends[each.out.index].add(0)
    first, second = (_through(command, own) for command, own in zip(commands, ends, strict=True))
    return first, second


def _through(command: Command, ends: set[int]) -> Command:
    """Return a command whose standard streams are its channel."""
    places = " ".join(f"{'<' if end == 0 else '>'}&3" for end in sorted(ends))
    script = f'exec "$0" "$@" {places} 3>&-'
    return replace(command, argv=(_SHELL, "-c", script, *command.argv))


def _bad(detail: str) -> Problem:
    return Problem(400, "bad-request", "The request is malformed", detail)
