"""The look of one input: how far its numbers are apart, how many items differ, in which order."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from steelyard.families import Dice
from steelyard.inputs._made import Made, call

MOST_INNER = 400_000
"""Limit on the items of all rows of a list, and on the characters of all its texts."""
_WIDTHS = (None, None, 1, 2, 4, 8, 20, 100, 1_000, 100_000)
"""Widths of the windows of numbers."""
_SIDES = ("above", "around", "below", "above", "around", "top", "bottom")
_KINDS = (None, None, None, 1, 2, 3, 5)
"""How many different items a list has; None for as many as it likes."""
_VALUES = ("uniform", "uniform", "powers")
_DIFFERENT = ("distinct", "distinct", "consecutive", "spread", "ends", "colliding")
_LARGE_VALUES = ("uniform", "uniform", "distinct", "walk", "colliding", "fibonacci", "all_equal")
_IN_ORDER = 0.4
_ORDERS = ("ascending", "descending", "rotated", "nearly_sorted", "shuffled")
_LARGE_ORDERS = (
    "descending",
    "ascending",
    "organ_pipe",
    "valley",
    "zigzag",
    "middle_pivot_killer",
    "three_pivot_killer",
    "nearly_sorted",
    "shuffled",
)
"""Orders of the largest lists: a scan that stops early must go far in one of them."""


@dataclass(frozen=True)
class Window:
    """A part of the numbers that are allowed: many are equal, add up, or meet at a bound."""

    width: int
    side: str = "above"
    """`above`, `around` or `below` the number that is nearest to 0; `top` or `bottom`: at an end of
    what is allowed."""

    def ends(self, low: Any, high: Any, least: int = 0) -> tuple[Any, Any]:
        """Return the window's ends within an interval, at least so wide."""
        width, middle = max(self.width, least), min(max(0, low), high)
        start, stop = {
            "around": (middle - width, middle + width),
            "below": (middle - width, middle + width // 3),
            "top": (high - width, high),
            "bottom": (low, low + width),
        }.get(self.side, (middle - width // 3, middle + width))
        return max(low, start), min(high, stop)


@dataclass
class Style:
    """The choices that all values of one input share.

    Args:
        dice: Chooses.
        is_large: Whether sizes are as large as they may be.
        window: The part of the numbers; None for all.
        kinds: How many different items a list has; None for as many as it likes.
        room: How many items a value may have inside.
        counts: The whole numbers among the arguments: one may be the number of nodes of a graph.
    """

    dice: Dice
    is_large: bool = False
    window: Window | None = None
    kinds: int | None = None
    room: int = MOST_INNER
    counts: dict[str, int] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    """The families that were used."""
    letters: dict[str, str] = field(default_factory=dict)
    """The alphabet chosen last, by the letters that are allowed."""

    @classmethod
    def drawn(cls, dice: Dice, *, is_large: bool = False) -> "Style":
        """Return any look."""
        width = dice.pick(_WIDTHS)
        window = None if width is None else Window(width, dice.pick(_SIDES))
        return cls(dice, is_large, window, dice.pick(_KINDS))

    @property
    def is_corner(self) -> bool:
        """True if all numbers and letters are at one end."""
        return self.window is not None and not self.window.width

    @property
    def is_top(self) -> bool:
        """True if the window is at the top of what is allowed."""
        return self.window is not None and self.window.side == "top"

    def inside(self, n: int) -> "Style":
        """Return the same look for each of n values inside of one."""
        return replace(self, room=self.room // max(1, n))

    def free(self) -> "Style":
        """Return the same look without a window: for numbers that are no items."""
        return replace(self, window=None) if self.window and self.window.width else self

    def seed(self) -> int:
        """Return a seed for a family."""
        return self.dice.below(1_000_000)

    def family(self, names: Sequence[str], *args: Any) -> Made:
        """Return what one of the families makes, and note it."""
        name = self.dice.pick(names)
        self.used.append(name.replace("_", "-"))
        return call(name, *args, self.seed())

    def ranks(self, n: int, low: int, high: int, *, different: bool = False) -> Made:
        """Return n whole numbers in an interval."""
        if different:
            return self.family(_DIFFERENT, n, low, high)
        names = _LARGE_VALUES if self.is_large else _VALUES
        return self.family(names, n, low, high)

    def ordered(self, values: Made) -> Made:
        """Return values in some order, often in their own."""
        if not self.dice.chance(0.85 if self.is_large else _IN_ORDER):
            return values
        try:
            return self.family(_LARGE_ORDERS if self.is_large else _ORDERS, values)
        except TypeError:  # None among them, or rows of several types
            return values

    def alphabet(self, letters: str) -> str:
        """Return some of the letters that a text may have; texts of one input mostly share them."""
        if self.is_corner:
            return letters[-1:] if self.is_top else letters[:1]
        if letters not in self.letters or self.dice.chance(0.25):
            self.letters[letters] = self._some(letters)
        return self.letters[letters]

    def _some(self, letters: str) -> str:
        """Return a few letters, letters that are alike but for their case, or all."""
        dice = self.dice
        some = dice.shuffled(letters)[: dice.pick((1, 2, 2, 3, 5))]
        kinds = [letters, letters[:2], letters[:3], "".join(some)]
        twins = [each for each in letters if each.isalpha() and each.swapcase() in letters]
        if twins:
            one = dice.pick(twins)
            kinds.append(one + one.swapcase() + dice.pick(letters))
        others = "".join(each for each in letters if not (each.isascii() and each.isalnum()))
        if others:
            plain = [each for each in letters if each not in others] or [others[0]]
            kinds.append(dice.pick(plain) + dice.pick(others) + dice.pick(others))
        return dice.pick(kinds)
