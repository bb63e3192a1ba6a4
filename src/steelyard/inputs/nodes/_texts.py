"""Texts: of letters, of numbers, of pieces with something between, with slices."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from steelyard.families import kin_of
from steelyard.inputs._made import Made, call, made
from steelyard.inputs.nodes._node import ASCENDING, DESCENDING, Changes, Node, changed_part
from steelyard.inputs.nodes._scalars import Number, Truth
from steelyard.inputs.nodes._sized import MANY, Sized
from steelyard.inputs.nodes._style import Style

_BRACKETS = ("()", "[]", "{}", "<>")
_STRAY_LETTERS = "aA0 (éß\n"
_NUMBER = re.compile(r"-?[0-9]{1,30}")
_PLAIN = 0.15
"""Share of changes of the text itself, which may take its form away."""


@dataclass(frozen=True)
class Text(Sized):
    """Texts of some letters, or one of some texts."""

    letters: str = ""
    texts: tuple[str, ...] = ()
    """All that it may be; empty if they are too many to list."""

    def one(self, style: Style) -> Made:
        if self.texts:
            return self._listed(self.texts, style)
        return self.of_size(self.length(style), style)

    def _listed(self, texts: Sequence[str], style: Style) -> Made:
        return made(texts[-1 if style.is_top else 0] if style.is_corner else style.dice.pick(texts))

    def of_size(self, n: int, style: Style) -> Made:
        if self.texts:
            return self._listed(
                [each for each in self.texts if len(each) == n] or self.texts, style
            )
        pairs = "".join(pair for pair in _BRACKETS if set(pair) <= set(self.letters))
        if pairs and n % 2 == 0 and ("balanced" in self.flags or style.dice.chance(0.2)):
            return style.family(("brackets", "nested", "flat_brackets"), n, pairs)
        alphabet = self.letters if self.is_different else style.alphabet(self.letters)
        if not alphabet or not n:
            return made("")
        last = len(alphabet) - 1
        if "palindrome" in self.flags:
            return call(
                "spelled", call("mirrored", style.ranks((n + 1) // 2, 0, last), n), alphabet
            )
        ranks = style.ranks(n, 0, last, different=self.is_different)
        if style.dice.chance(0.2) or self.flags & (ASCENDING | DESCENDING):
            alphabet, ranks = "".join(sorted(alphabet)), self.ordered(ranks, style)
        return call("spelled", ranks, alphabet)

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        if self.texts and not different:
            return call("chosen", style.ranks(n, 0, len(self.texts) - 1), list(self.texts))
        if n < MANY or not self.letters:
            return super().many(n, style, different=different)
        width = self.length(style.inside(n))
        if different:
            alphabet = style.alphabet(self.letters)
            alphabet = alphabet if len(alphabet) ** width >= n else self.letters
            return call("words", n, alphabet, width, style.seed())
        if style.kinds is not None:
            return super().many(n, style)
        flat = replace(self, flags=frozenset()).of_size(n * width, style)
        return call("rows", flat, width) if width else made([""] * n)

    def changed(self, value: Any, changes: Changes) -> Any:
        dice = changes.dice
        if self.texts and not changes.stray():
            return dice.pick(self.texts)
        if len(value) > 1 and dice.chance(changes.parts):
            text: str = changed_part(value, self.longest, changes)
            return text
        at, letter = dice.below(len(value)) if value else 0, self._letter(changes)
        kin = [each for each in kin_of(value[at]) if each in self.letters] if value else []
        if dice.chance(changes.leaves) and value:
            return value[:at] + letter + value[at + 1 :]
        match dice.below(7):
            case 0 | 1 if self.may_grow(value, changes):
                at = len(value) if dice.chance(0.3) else at
                return value[:at] + letter + value[at:]
            case 2 if value and self.may_shrink(value, changes):
                return value[:at] + value[at + 1 :]
            case 3 if len(value) > 1:
                letters, other = list(value), dice.below(len(value))
                letters[at], letters[other] = letters[other], letters[at]
                return "".join(letters)
            case 4 if len(value) > 1:
                letter = value[dice.below(len(value))]
            case 5 if kin:
                letter = dice.pick(kin)
        return value[:at] + letter + value[at + 1 :] if value else value

    def _letter(self, changes: Changes) -> str:
        dice, texts = changes.dice, [each for each in changes.found(str) if each]
        if changes.stray():
            return dice.pick(_STRAY_LETTERS)
        if texts and dice.chance(0.3):
            text: str = dice.pick(texts)
            return dice.pick(text)
        others = [each for each in self.letters if not (each.isascii() and each.isalnum())]
        return dice.pick(others if others and dice.chance(0.3) else self.letters or "a")

    def holds(self, value: Any) -> bool:
        if not isinstance(value, str) or len(value) not in self.lengths:
            return False
        return value in self.texts if self.texts else set(value) <= set(self.letters)

    def smallest(self, level: int) -> Iterator[Any]:
        if self.texts:
            yield from self.texts[: level + 1]
            return
        for length in self.lengths_at(level):
            yield from map("".join, product(self.letters[:level], repeat=length))


class _Formed(Text):
    """Texts that are not any letters: each is made by itself."""

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        return Node.many(self, n, style, different=different)


@dataclass(frozen=True)
class Written(_Formed):
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
class Sliced(_Formed):
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
    if len(text) < end:
        return text
    return text[:start] + part.zfill(end - start)[: end - start] + text[end:]
