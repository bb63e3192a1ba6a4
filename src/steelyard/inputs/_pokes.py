"""Changes of a value that keep its type: one item, character or number, or many at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from steelyard.constraints import Domain
from steelyard.families import UNUSUAL, Dice, kin_of
from steelyard.inputs._ground import Ground
from steelyard.inputs._tidy import tidied

_MOST_POKES = 5
_MOST_FEW = 3
_BY_POSITION = 0.5
"""The share of changes of a row that change one item as its position allows."""
_MOST_TIMES = 4
"""A part of a list or text is repeated so often at most."""
_SPECIAL_FLOATS = (0.0, -0.0, 0.1, 0.5, 1e-9, 1e16, 1 / 3)


def changed(
    args: Sequence[Any],
    grounds: Sequence[Ground],
    dice: Dice,
    positions: Sequence[int] = (),
    *,
    blocks: float = 0.0,
) -> list[Any]:
    """Return arguments with one to five changes, which may break constraints.

    Only arguments at the positions are changed, if there are any. `blocks` is as in `Pokes`.
    """
    new = list(args)
    for _ in range(1 + dice.below(_MOST_POKES)):
        at, pokes = dice.pick(positions or range(len(new))), Pokes(dice, new, blocks=blocks)
        new[at] = tidied(pokes.poked(new[at], grounds[at]), grounds[at])
    return new


@dataclass
class Pokes:
    """Makes changes.

    `others` are the arguments of the call: numbers, characters and items of one argument are often
    what another needs.
    """

    dice: Dice
    others: Sequence[Any] = ()
    strays: float = 0.0
    """The share of numbers, characters and lengths that may leave what is allowed."""
    blocks: float = 0.0
    """The share of changes of a list or text that change many of its items at once."""
    _leaves: dict[type, list[Any]] = field(default_factory=dict)

    def poked(self, value: Any, ground: Ground) -> Any:
        """Return a changed value."""
        if value is None:
            return self.fresh(ground, always=True)
        if ground.is_optional and self.dice.chance(0.15):
            return None
        match ground.kind:
            case "int":
                return self._number(value, ground)
            case "float":
                return self._float(value, ground)
            case "bool":
                return not value
            case "str" if ground.texts and not self.dice.chance(self.strays):
                return self.dice.pick(ground.texts)
            case "str" | "list" if self.blocks and len(value) > 1 and self.dice.chance(self.blocks):
                return self._many(value, ground)
            case "str":
                return self._text(value, ground)
            case "list" if value and ground.columns and self.dice.chance(_BY_POSITION):
                return self._by_position(value, ground)
            case "list":
                return self._list(value, ground)
            case "tuple":
                return self._by_position(value, ground)
            case "dict":
                return self._dict(value, ground)
            case "union":
                return self.fresh(ground, always=True)
        return value

    def fresh(self, ground: Ground, *, always: bool = False) -> Any:
        """Return a small value."""
        dice = self.dice
        if ground.kind == "none" or (ground.is_optional and not always and dice.chance(0.2)):
            return None
        if ground.kind == "union":
            return self.fresh(dice.pick(ground.items))
        if ground.kind == "bool":
            return dice.chance(0.5)
        if ground.kind in ("int", "float"):
            return self._inside(dice.pick(ground.notable), ground)
        if ground.texts:
            return dice.pick(ground.texts)
        if ground.columns:
            return [self.fresh(column) for column in ground.columns]
        count = min(ground.longest, ground.shortest + dice.below(3))
        if ground.kind == "str":
            return "".join(self._letter(ground) for _ in range(count))
        if ground.kind == "dict":
            assert ground.keys
            return {self.fresh(ground.keys): self.fresh(ground.items[0]) for _ in range(count)}
        return [self.fresh(ground.items[0]) for _ in range(count)]

    def _by_position(self, value: list[Any], ground: Ground) -> list[Any]:
        """Return a row with one change, which suits its position."""
        at = self.dice.below(min(len(value), len(ground.columns)))
        return [*value[:at], self.poked(value[at], ground.columns[at]), *value[at + 1 :]]

    def _number(self, value: int, ground: Ground) -> int:
        dice = self.dice
        match dice.below(6):
            case 0 | 1:
                changed = value + dice.pick((-1, 1))
            case 2 | 3:
                step = 1 << dice.below(max(1, min(62, int(ground.high - ground.low).bit_length())))
                changed = value + dice.pick((-step, step))
            case 4:
                changed = dice.pick(self._found(int) or [value + 1]) + dice.below(3) - 1
            case _:
                changed = int(dice.pick(ground.notable))
        return int(self._inside(changed, ground))

    def _float(self, value: float, ground: Ground) -> float:
        dice = self.dice
        match dice.below(4):
            case 0:
                changed = value + dice.pick((-1, 1)) * dice.pick((1, 0.5, 0.1, 1e-3, 1e-9))
            case 1:
                changed = value * dice.pick((2, 0.5, -1, 10))
            case 2:
                changed = dice.pick(self._found(float) or self._found(int) or [value])
            case _:
                changed = dice.pick((*ground.notable, *_SPECIAL_FLOATS))
        return float(self._inside(changed, ground))

    def _inside(self, value: Any, ground: Ground) -> Any:
        if self.strays and self.dice.chance(self.strays):
            return self.dice.pick((ground.low - 1, ground.high + 1, value))
        return min(max(value, ground.low), ground.high)

    def _letter(self, ground: Ground) -> str:
        if self.strays and self.dice.chance(self.strays):
            return self.dice.pick("aA0 (éß\n")
        letters = ground.letters
        if self.dice.chance(0.3):
            letters = "".join(each for each in letters if not each.isalnum() or each in UNUSUAL)
        return self.dice.pick(letters or ground.letters or "a")

    def _text(self, value: str, ground: Ground) -> str:
        dice = self.dice
        at = dice.below(len(value)) if value else 0
        letter = self._letter(ground)
        if self._found(str) and dice.chance(0.3):
            letter = dice.pick(dice.pick(self._found(str)) or letter)
        longer = len(value) < ground.longest or dice.chance(self.strays)
        shorter = len(value) > ground.shortest or dice.chance(self.strays)
        kin = [each for each in kin_of(value[at]) if each in ground.letters] if value else []
        match dice.below(7):
            case 6 if kin:
                return value[:at] + dice.pick(kin) + value[at + 1 :]
            case 0 if longer:
                return value[:at] + letter + value[at:]
            case 1 if longer:
                return value + letter
            case 2 if shorter:
                return value[:at] + value[at + 1 :]
            case 3 if len(value) > 1:
                return _swapped(value, at, dice.below(len(value)))
            case 4 if len(value) > 1:
                other = dice.below(len(value))
                return value[:at] + value[other] + value[at + 1 :]
        return value[:at] + letter + value[at + 1 :] if value else value

    def _list(self, value: list[Any], ground: Ground) -> list[Any]:
        dice, item = self.dice, ground.items[0]
        if width := _width(value, ground):
            item = replace(item, lengths=Domain.only([width]))
        at = dice.below(len(value)) if value else 0
        longer = len(value) < ground.longest or dice.chance(self.strays)
        shorter = len(value) > ground.shortest or dice.chance(self.strays)
        match dice.below(9):
            case 0 if longer:
                return [*value[:at], self.fresh(item), *value[at:]]
            case 1 if longer and value:
                return [*value[:at], dice.pick(value), *value[at:]]
            case 2 | 3 if shorter and value:
                return [*value[:at], *value[at + 1 :]]
            case 4 if len(value) > 1:
                other = dice.below(len(value))
                changed = list(value)
                changed[at], changed[other] = changed[other], changed[at]
                return changed
            case 5 if value:
                return [*value[:at], dice.pick(value), *value[at + 1 :]]
            case 6 if value and item.kind in ("list", "tuple", "str"):
                return [*value[:at], self.fresh(item), *value[at + 1 :]]
        if not value:
            return [self.fresh(item)] if longer else value
        return [*value[:at], self.poked(value[at], item), *value[at + 1 :]]

    def _many(self, value: Any, ground: Ground) -> Any:
        """Return a list or text with a part that is repeated, left out, moved, turned or alike."""
        if _width(value, ground) > 1 and self.dice.chance(0.5):
            columns = self._block([*zip(*value, strict=True)], ground.items[0].lengths)
            rows = zip(*columns, strict=True)
            return ["".join(row) if isinstance(value[0], str) else list(row) for row in rows]
        if isinstance(value, list) and self.dice.chance(0.3):
            return self._alike(value, ground.items[0])
        return self._block(value, ground.lengths)

    def _block(self, value: Any, lengths: Domain) -> Any:
        dice = self.dice
        start, end = self._part(value)
        before, part, after = value[:start], value[start:end], value[end:]
        match dice.below(4):
            case 0:
                room = max(0, int(lengths.high) - len(value)) // len(part)
                return before + part * (1 + min(1 + dice.below(_MOST_TIMES), room)) + after
            case 1 if len(before) + len(after) in lengths:
                return before + after
            case 2:
                rest = before + after
                at = dice.below(len(rest) + 1)
                return rest[:at] + part + rest[at:]
        return before + part[::-1] + after

    def _alike(self, value: list[Any], item: Ground) -> list[Any]:
        """Return a list with a part whose items, or one column of them, have few values."""
        start, end = self._part(value)
        part = value[start:end]
        if item.columns and None not in part:
            at = self.dice.below(len(item.columns))
            few = self._few(item.columns[at])
            part = [[*row[:at], self.dice.pick(few), *row[at + 1 :]] for row in part]
        else:
            few = [self.dice.pick(part)] if item.is_sized else self._few(item)
            part = [self.dice.pick(few) for _ in part]
        return [*value[:start], *part, *value[end:]]

    def _few(self, ground: Ground) -> list[Any]:
        """Return one to three values, often small ones, of which sums are often equal."""
        count = 1 + self.dice.below(_MOST_FEW)
        if ground.kind == "int" and self.dice.chance(0.5):
            return ground.nearest(count)
        return [self.fresh(ground) for _ in range(count)]

    def _part(self, value: Any) -> tuple[int, int]:
        """Return the start and the end of a part, often all of it."""
        if self.dice.chance(0.3):
            return 0, len(value)
        start = self.dice.below(len(value))
        return start, start + 1 + self.dice.below(len(value) - start)

    def _dict(self, value: dict[str, Any], ground: Ground) -> dict[str, Any]:
        assert ground.keys
        if not value or (len(value) < ground.longest and self.dice.chance(0.25)):
            return {**value, self.fresh(ground.keys): self.fresh(ground.items[0])}
        key = self.dice.pick(list(value))
        rest = {each: item for each, item in value.items() if each != key}
        if len(rest) >= ground.shortest and self.dice.chance(0.25):
            return rest
        if self.dice.chance(0.3):
            return {**rest, self.poked(key, ground.keys): value[key]}
        return {**value, key: self.poked(value[key], ground.items[0])}

    def _found(self, kind: type) -> list[Any]:
        """Return numbers or texts of the other arguments."""
        if not self._leaves:
            self._leaves = {int: [], float: [], str: []}
            for other in self.others:
                _collect(other, self._leaves)
        return self._leaves[kind]


def _width(value: Any, ground: Ground) -> int:
    """Return the length of all rows of a table; 0 for what is not one."""
    if "rectangular" not in ground.flags or not all(isinstance(row, list | str) for row in value):
        return 0
    widths = {len(row) for row in value}
    return widths.pop() if len(widths) == 1 else 0


def _collect(value: Any, leaves: dict[type, list[Any]], most: int = 50) -> None:
    if isinstance(value, list | tuple):
        leaves[int].append(len(value))
        for item in value[:most]:
            _collect(item, leaves, most // 4)
    elif isinstance(value, dict):
        for key, item in list(value.items())[:most]:
            leaves[str].append(key)
            _collect(item, leaves, most // 4)
    elif type(value) in leaves:
        leaves[type(value)].append(value)


def _swapped(text: str, one: int, other: int) -> str:
    letters = list(text)
    letters[one], letters[other] = letters[other], letters[one]
    return "".join(letters)
