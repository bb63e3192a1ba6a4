"""Texts that are written from other values: numbers, pieces with something between, slices."""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from steelyard.inputs._made import Made, made
from steelyard.inputs.nodes._node import Changes, Node
from steelyard.inputs.nodes._scalars import Number, Truth
from steelyard.inputs.nodes._sized import Text
from steelyard.inputs.nodes._style import Style

_NUMBER = re.compile(r"-?[0-9]{1,30}")
_PLAIN = 0.15
"""Share of changes of the text itself, which may take its form away."""


@dataclass(frozen=True)
class Written(Text):
    """Texts that are a number, or pieces with a separator between them."""

    meaning: Node = field(default_factory=Truth)
    """What the number may be, or the list of the pieces."""
    between: str = " "

    def one(self, style: Style) -> Made:
        return made(self._write(self.meaning.one(style).value))

    def of_size(self, n: int, style: Style) -> Made:
        return self.one(replace(style, room=n))

    def _write(self, value: Any) -> str:
        return str(value) if isinstance(self.meaning, Number) else self.between.join(value)

    def _read(self, text: str) -> Any:
        """Return what a text is written from; None if it has another form."""
        if isinstance(self.meaning, Number):
            return int(text) if _NUMBER.fullmatch(text) else None
        pieces = text.split(self.between)
        return pieces if self._write(pieces) == text else None

    def changed(self, value: Any, changes: Changes) -> Any:
        meant = self._read(value)
        if meant is None or changes.dice.chance(_PLAIN):
            return super().changed(value, changes)
        return self._write(self.meaning.changed(meant, changes))

    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and self.meaning.holds(self._read(value))


@dataclass(frozen=True)
class Sliced(Text):
    """Texts of which more is stated at some positions."""

    slices: tuple[tuple[int, int, Node], ...] = ()

    def of_size(self, n: int, style: Style) -> Made:
        text = super().of_size(n, style).value
        for start, end, node in self.slices:
            text = _put(text, start, end, node.one(style).value)
        return made(text)

    def changed(self, value: Any, changes: Changes) -> Any:
        start, end, node = changes.dice.pick(self.slices)
        if len(value) < end or changes.dice.chance(_PLAIN):
            return super().changed(value, changes)
        return _put(value, start, end, node.changed(value[start:end], changes))

    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and len(value) in self.lengths


def _put(text: str, start: int, end: int, part: str) -> str:
    """Return a text with another part in a slice; a number gets zeros before it."""
    return (
        text[:start] + part.zfill(end - start)[: end - start] + text[end:]
        if len(text) >= end
        else text
    )
