"""Collect every path through the loops of a text, with the statement at its end."""

from __future__ import annotations

from dataclasses import dataclass

import re2

from steelyard.solving.pruning._extents import extent_of
from steelyard.solving.pruning._frames import ONCE, Frame
from steelyard.solving.pruning._reading import Reading
from steelyard.solving.pruning._tree import Block, Line, blocks_under, lines_under

_CALL = re2.compile(r"([A-Za-z_]\w*)\s*\(")
_GUARD = re2.compile(
    r"(?i)visit|seen|used|colou?r|comp|done|unvisited|\bnot\b.*\[|!\w+\[|==\s*-1|prime"
)
_MOST_PATHS = 20_000
_MOST_LOOPS = 300
_MOST_CALLED = 3


@dataclass(frozen=True, slots=True)
class Path:
    """The loops around a statement, outermost first."""

    frames: tuple[Frame, ...]
    line: Line
    steps: float
    guarded: bool = False
    """Whether a mark lets each round in at most once, as in `if not visited[u]`."""
    called: str = ""
    """The function whose loops the last frames are."""


def total_steps(frames: tuple[Frame, ...], reading: Reading) -> float:
    """Return how often the innermost statement runs in all, at the largest input.

    Tests share the size that they sum up to: a loop over tests counts only if its work does
    not depend on the input's size.
    """
    steps = 1.0
    main = reading.sizes.main
    for frame in frames:
        if frame.extent.kind != "tests":
            steps = min(1e300, steps * frame.extent.steps)
    for frame in frames:
        if frame.extent.kind == "tests":
            sized = any(
                other.extent.kind == "size"
                and main is not None
                and abs(other.extent.steps - main.value) <= main.value / 2
                for other in frames
            )
            if not (sized and (main is not None or reading.sizes.shared_by_tests)):
                steps = min(1e300, steps * frame.extent.steps)
    return steps


class Work:
    """The paths of a tree.

    Args:
        reading: The tree and its sizes.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.functions = {
            block.name: block for block in blocks_under(reading.root) if block.kind == "function"
        }
        self.recursive = {name for name, block in self.functions.items() if _calls(block, {name})}
        self.paths: list[Path] = []
        self._loops = 0
        self._walk(reading.root, (), False)
        self._follow_calls()

    def _walk(self, block: Block, frames: tuple[Frame, ...], guarded: bool) -> None:
        for child in block.children:
            if len(self.paths) >= _MOST_PATHS:
                return
            if isinstance(child, Line):
                self._add(frames, child, guarded)
                continue
            self._add(frames, Line(child.header, child.number), guarded)
            if child.kind == "loop":
                self._loops += 1
                extent, variables = (
                    extent_of(child, frames, self.reading)
                    if self._loops <= _MOST_LOOPS
                    else (ONCE, ())
                )
                self._walk(child, (*frames, Frame(child, variables, extent)), guarded)
                if not child.children:
                    self._add(
                        (*frames, Frame(child, variables, extent)),
                        Line(child.header, child.number),
                        guarded,
                    )
            elif child.kind == "function":
                self._walk(child, (), False)
            else:
                once = guarded or bool(frames and _GUARD.search(child.header))
                self._walk(child, frames, once)

    def _add(self, frames: tuple[Frame, ...], line: Line, guarded: bool) -> None:
        self.paths.append(Path(frames, line, total_steps(frames, self.reading), guarded))

    def _follow_calls(self) -> None:
        """Add paths of functions called in loops, without recursion: each round has a call."""
        for _ in range(_MOST_CALLED):
            worst = self._worst()
            added: list[Path] = []
            for path in self.paths:
                if path.guarded or path.called or len(added) + len(self.paths) >= _MOST_PATHS:
                    continue
                for name in _CALL.findall(path.line.text):
                    inside = worst.get(name)
                    if inside is not None and inside.frames and name not in self.recursive:
                        frames = path.frames + inside.frames
                        steps = total_steps(frames, self.reading)
                        added.append(Path(frames[:40], path.line, steps, called=name))
            known = {(path.line, path.called, path.steps) for path in self.paths}
            fresh = [path for path in added if (path.line, path.called, path.steps) not in known]
            if not fresh:
                break
            self.paths.extend(fresh)

    def _worst(self) -> dict[str, Path]:
        """Return the most expensive path of each function."""
        worst: dict[str, Path] = {}
        owners: dict[int, str] = {}
        for name, block in self.functions.items():
            for line in lines_under(block):
                owners[line.number] = name
        for path in self.paths:
            owner = owners.get(path.line.number)
            if owner is not None and (owner not in worst or path.steps > worst[owner].steps):
                worst[owner] = path
        return worst


def _calls(block: Block, names: set[str]) -> bool:
    return any(names.intersection(_CALL.findall(line.text)) for line in lines_under(block))
