"""Make the mutants of a Python program, and measure how alike two programs are.

Mutants are small changes that a strong suite notices. A copy with other names is not a second
opinion (`likeness_of`). A cell parses and compiles the texts, since a text can be made to exhaust a
compiler.
"""

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypedDict

from steelyard.errors import ToolchainError, UsageError
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import Limits, StopReason
from steelyard.toolchains import (
    MAX_SOURCE_BYTES,
    Toolchain,
    find_toolchain,
    source_bytes,
    text_of_modules,
)

_MUTATE = tuple(f"steelyard.strength.incell.{name}" for name in ("operators", "sites", "mutate"))
_MUTATE_LIMITS = Limits(cpu_ms=60_000, wall_ms=120_000, memory_mib=1_024)
_SOURCE = "program.py"
_ALL = 1 << 30
_EXCERPT = 40


@dataclass(frozen=True)
class Mutant:
    """One small change of a program."""

    name: str
    """Such as `line 4: a < b -> a <= b`; no two mutants of a program share one."""
    operator: str
    line: int
    original: bytes
    """The program's text."""
    start: int
    """The first byte that the change replaces."""
    end: int
    """The first byte behind those."""
    replacement: str

    @property
    def source(self) -> bytes:
        """The mutated program's text."""
        rest = self.original[self.end :]
        return b"".join((self.original[: self.start], self.replacement.encode(), rest))

    @property
    def diff(self) -> str:
        """The change as a unified diff with one line around it."""
        before, after = _lines(self.original), _lines(self.source)
        return "\n".join(list(difflib.unified_diff(before, after, lineterm="", n=1))[2:])


def _lines(source: bytes) -> list[str]:
    return source.decode("utf-8", "replace").split("\n")


@dataclass(frozen=True)
class Mutants:
    """The mutants of a program."""

    found: tuple[Mutant, ...]
    possible: int
    """Number of changes that the operators offer. Some of them give the same program."""


def mutants_of(
    source: str | bytes,
    *,
    most: int | None = None,
    pool: CellPool | None = None,
    toolchain: Toolchain | None = None,
    imported: bool = False,
) -> tuple[Mutant, ...]:
    """Return mutants of a Python program in the order of its text, the same in every call.

    Each is proved to be applied: its text parses to the changed tree, and its code differs from the
    program's and from every other mutant's.

    Args:
        source: The program's text; hostile.
        most: Largest number of mutants, spread over operators and lines; None for all.
        pool: Where the text is parsed; None is the pool that the process shares.
        toolchain: The interpreter; None is the usual one.
        imported: True for a module whose functions are called, and which is not run as a program:
            what only its import does is left out.

    Raises:
        UsageError: if the text does not compile.
        InfrastructureError: if the machine failed.
    """
    toolchain = toolchain or find_toolchain("python")
    source = source_bytes(source)
    return mutate(source, most, pool or shared_pool(), toolchain, imported=imported).found


def mutate(
    source: bytes,
    most: int | None,
    pool: CellPool,
    toolchain: Toolchain,
    *,
    imported: bool = False,
) -> Mutants:
    """Return mutants of a program, and their number before the choice; see `mutants_of`."""
    if toolchain.harness is None:
        raise UsageError(f"mutants are of Python programs, not of {toolchain.row.title}")
    if len(source) > MAX_SOURCE_BYTES:
        raise UsageError(f"the program is larger than {MAX_SOURCE_BYTES >> 20} MiB; shorten it")
    source = source.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    command = toolchain.harness.command_of(
        text_of_modules(_MUTATE),
        (_SOURCE, str(_ALL if most is None else most), *(["imported"] if imported else [])),
        stdin=b"",
        limits=_MUTATE_LIMITS,
        sources={_SOURCE: source},
    )
    execution = pool.run(command)
    if execution.stop is StopReason.NOT_STARTED:
        raise ToolchainError(f"{toolchain.tool.executable}: {execution.message}")
    try:
        reply: _MutantReply = json.loads(execution.stdout)
    except ValueError:  # the text exhausted the parser: nothing else could end it
        raise UsageError(
            f"the program cannot be parsed within limits ({execution.stop}); shorten it"
        ) from None
    if "error" in reply:
        raise UsageError(f"the program cannot be parsed: {reply['error']}; correct this line")
    return Mutants(tuple(_named(source, reply["edits"])), reply["possible"])


class _MutantReply(TypedDict, total=False):
    edits: list[tuple[str, int, int, int, str]]
    possible: int
    error: str


def _named(source: bytes, edits: Iterable[tuple[str, int, int, int, str]]) -> Iterator[Mutant]:
    taken: Counter[str] = Counter()
    for operator, line, start, end, text in edits:
        before = source[start:end].decode("utf-8", "replace")
        name = f"line {line}: {_short(before)} -> {_short(text)}"
        taken[name] += 1
        if taken[name] > 1:
            name = f"{name} ({taken[name]})"
        yield Mutant(name, operator, line, source, start, end, text)


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= _EXCERPT else f"{one_line[: _EXCERPT - 1]}…"


ALIKE = 0.8
"""Programs from here on are nearly the same. Measured: a copy with other names has 1.0, with two
more statements 0.9. Of 31 pairs with different ideas, none has more than 0.52."""
_LIKENESS = ("steelyard.strength.incell.likeness",)
_LIKENESS_LIMITS = Limits(cpu_ms=10_000, wall_ms=20_000, memory_mib=512)
_ONE, _OTHER = "one.py", "other.py"


def likeness_of(one: bytes, other: bytes, pool: CellPool, toolchain: Toolchain) -> float | None:
    """Return the share of syntax that two Python programs have in common, from 0 to 1.

    Names, values and layout do not count. None if a program cannot be parsed.

    Raises:
        InfrastructureError: if the machine failed.
    """
    if toolchain.harness is None:
        return None
    command = toolchain.harness.command_of(
        text_of_modules(_LIKENESS),
        (_ONE, _OTHER),
        stdin=b"",
        limits=_LIKENESS_LIMITS,
        sources={_ONE: one, _OTHER: other},
    )
    try:
        found = json.loads(pool.run(command).stdout)
    except ValueError:  # the text exhausted the parser
        return None
    return found if isinstance(found, float) else None
