"""Build one value of a ground: the families that suit its type, its bounds and its flags."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from string import ascii_letters, digits

from steelyard.families import FAMILIES, GRIDS, INTERVALS, SLOPES
from steelyard.inputs._choices import IN_NO_ORDER, Choices
from steelyard.inputs._edges import edges_for
from steelyard.inputs._ground import ASCENDING, DESCENDING, DIFFERENT, Ground
from steelyard.inputs._kin import ITEM_FORMS, are_kin, kin
from steelyard.inputs._made import Made, call, listed, made

LARGE = 64
"""From this length on a list is made in one piece, and written as an expression."""
MOST_INNER = 400_000
"""Limit on the items of all rows of a list, and on the characters of all its texts."""
_MANY = 16
"""From this length on different items are made in one piece."""
_MOST_APART = 2_000
"""Limit on the items of rows that are built one by one."""
_GRID_SHARE, _TEXT_GRID_SHARE = 0.7, 0.5
"""The share of tables of numbers, and of texts, whose cells are ways and walls."""
_RUNS_SHARE, _MOST_OF_RUNS = 0.4, 30_000
"""The share of dense lists of texts in which letters come in long runs, and their letters."""
_TREE_FORMS = ("full", "left", "right", "zigzag", "random")


@dataclass
class Builder(Choices):
    """Builds the values of one input."""

    def build(self, ground: Ground, length: int | None = None, room: int = MOST_INNER) -> Made:
        """Return a value.

        Args:
            ground: What the value may be.
            length: The length of a list, text or dict, if it is decided.
            room: Limit on the items inside of it.
        """
        if ground.kind == "none" or (ground.is_optional and self.dice.chance(0.25)):
            return made(None)
        if ground.kind == "union":
            return self.build(self.dice.pick(ground.items), None, room)
        if ground.columns:
            return self._fixed(ground)
        if not ground.is_sized:
            return made(self.leaf(ground))
        if ground.texts and length is None:
            return self.listed_text(ground.texts)
        size = self._length(ground, room) if length is None else length
        if ground.kind == "str":
            return self.text(ground, size)
        if ground.kind == "dict":
            assert ground.keys
            keys = self.build(ground.listed_keys(), size)
            values = self.build(ground.listed_values(), len(keys.value))
            return call("keyed", keys, values)
        return self._list(ground, size, room) if size else made([])

    def _length(self, ground: Ground, room: int) -> int:
        wanted = {"shortest": ground.shortest, "longest": ground.longest}.get(self.length)
        if wanted is None:
            span = self.dice.pick((7, 7, 7, 20))
            least = 1 if self.mood == "adversarial" else 0
            wanted = ground.shortest + self.dice.between(least, span - 1)
        if ground.shortest > MOST_INNER:
            raise ValueError(f"{ground.shortest:,} items are too many to be made")
        return ground.length_near(max(min(wanted, room), ground.shortest))

    def _fixed(self, ground: Ground) -> Made:
        """Return a row of a fixed length."""
        row = listed([self.build(column) for column in ground.columns])
        if ground.flags & ASCENDING:
            strict = int("increasing" in ground.flags)
            (ranked,) = FAMILIES["ascending_rows"].make([row.value], strict)
            return made(ranked)
        if "not_equal" in ground.flags and row.value[0] == row.value[1]:
            return listed([self.build(column) for column in ground.columns])
        return row

    def _row(self, ground: Ground, n: int) -> Made:
        """Return a list of numbers or truth values."""
        item, flags = ground.items[0], ground.flags
        if "permutation" in flags and ground.start is not None:
            return self.ordered(call("consecutive", n, ground.start, ground.start + n - 1), flags)
        if "palindrome" in flags:
            return call("mirrored", self.numbers(item, (n + 1) // 2, different=False), n)
        before = len(self.used)
        numbers = self.numbers(item, n, different=bool(flags & DIFFERENT))
        loose = self.used[before:] and self.used[-1].replace("-", "_") in IN_NO_ORDER
        if flags & (ASCENDING | DESCENDING) or (loose and self.dice.chance(self.ordered_share)):
            numbers = self.ordered(numbers, flags)
        return call("gaps", numbers, 0.2, self.seed()) if item.is_optional else numbers

    def _list(self, ground: Ground, n: int, room: int) -> Made:
        return self._placed(self._whole(ground, n, room), ground)

    def _placed(self, whole: Made, ground: Ground) -> Made:
        """Return a list whose items at some positions are as more is stated of them."""
        n = len(whole.value)
        for index, place in ground.places.items():
            if not -n <= index < n:
                continue
            item = whole.value[index]
            if place.kind == "list" and item:
                row = self._placed(made(item), place)
                whole = call("put", whole, index, row) if row.value != item else whole
            elif place.kind in ("int", "float") and (item is None or item not in place.numbers):
                whole = call("put", whole, index, self.leaf(place))
        return whole

    def _whole(self, ground: Ground, n: int, room: int) -> Made:
        item, flags = ground.items[0], ground.flags
        different = bool(flags & DIFFERENT)
        if "level_order" in flags:
            form = self.family(_TREE_FORMS)
            return call("level_order", self.numbers(item, n, different=False), form, self.seed())
        found = edges_for(self, ground, n) or self._by_position(ground, n, room)
        if found:
            return found
        if item.kind in ("int", "float", "bool"):
            return self._row(ground, n)
        rows = self._columns(ground, n, room) if n >= LARGE or (n >= _MANY and different) else None
        if rows:
            return self.ordered(rows, flags) if flags & (ASCENDING | DESCENDING) else rows
        return self._apart(ground, n, room)

    def _by_position(self, ground: Ground, n: int, room: int) -> Made | None:
        """Return a list whose items depend on where they are; None if nothing asks for it."""
        item, slope, large = ground.items[0], ground.slope, self.mood == "stress"
        if slope:
            ends = (slope.low_step, slope.low, slope.high_step, slope.high)
            return call("sloped", n, *ends, self.family(SLOPES), self.seed())
        if ground.gap is not None and item.columns and self.dice.chance(0.9 if large else 0.6):
            return self._intervals(ground, n)
        share = _TEXT_GRID_SHARE if item.kind == "str" else _GRID_SHARE
        if "rectangular" in ground.flags and self.dice.chance(share):
            return self._grid(item, n, room)
        return None

    def _grid(self, row: Ground, n: int, room: int) -> Made | None:
        """Return rows of one length, with ways and walls; None if its cells are of another type."""
        cell = row.items[0] if row.items else row
        if cell.kind == "str":
            letters = row.letters if row.kind == "str" else cell.letters
            cells = self.dice.shuffled(letters)[: 2 + self.dice.below(2)]
        elif cell.kind == "int":
            cells = [*(cell.choices or cell.notable)]
            cells = self.dice.shuffled(cells if len(cells) == 2 else [*cells[:2], cells[-1]])
        else:
            return None
        width = self._length(row, room // n)
        found = call("grid", n, width, cells, self.family(GRIDS), self.seed())
        return call("lines", found) if row.kind == "str" else found

    def _intervals(self, ground: Ground, n: int) -> Made:
        first, second, *others = ground.items[0].columns
        low, _, _ = first.within(self.roomy(4 * n)).span(self.dice)
        high = int(second.within(self.roomy(4 * n)).high)
        form = self.family(INTERVALS)
        rows = call("intervals", n, low, max(low, high), ground.gap, form, self.seed())
        for column in others:
            rows = call("widened", rows, self.numbers(column, n, different=False))
        return self.ordered(rows, ground.flags)

    def _apart(self, ground: Ground, n: int, room: int) -> Made:
        """Return a list whose items are built one by one; some of them are equal."""
        room = min(room, _MOST_APART)
        item, different = ground.items[0], bool(ground.flags & DIFFERENT)
        inner = self._length(item, room // n) if "rectangular" in ground.flags else None
        parts: list[Made] = []
        all_new = different or n < 3 or self.mood == "dense"
        pool = n if all_new or self.dice.chance(0.4) else 2 + self.dice.below(n - 1)
        for _ in range(min(n, pool)):
            part = self.build(item, inner, room // n)
            for _ in range(6):
                if not different or all(part.value != each.value for each in parts):
                    break
                part = self.build(item, inner, room // n)
            parts.append(part)
        if not different and len(parts) > 1 and are_kin(item, item) and self.dice.chance(0.4):
            parts = self._akin(parts, item)
        rows = listed(parts)
        if pool < n:
            rows = call("chosen", self.values(n, 0, pool - 1), rows)
        if ground.flags & (ASCENDING | DESCENDING):
            return self.ordered(rows, ground.flags)
        return rows

    def _akin(self, parts: list[Made], item: Ground) -> list[Made]:
        """Return items most of which are made from others: anagrams, parts, repeats."""
        roots = 1 + self.dice.below(3)
        found = parts[:roots]
        for part in parts[roots:]:
            form = self.rota.next(ITEM_FORMS)
            found.append(kin(self.dice.pick(found), part, item, form, self.dice) or part)
        return found

    def _columns(self, ground: Ground, n: int, room: int) -> Made | None:
        """Return many rows or texts in one piece, None if they are too intricate for that."""
        item, different = ground.items[0], bool(ground.flags & DIFFERENT)
        columns = item.columns
        if columns:
            if not all(each.kind in ("int", "float", "bool", "str") for each in columns):
                return None
            if different and all(column.kind == "int" for column in columns):
                widths = [int(column.high - column.low) + 1 for column in columns]
                most = min(1 << 60, prod(widths))
                ranks = self.values(n, 0, most - 1, different=True)
                rows = call("unranked", ranks, [int(column.low) for column in columns], widths)
            else:
                rows = call("columns", *self._side_by_side(columns, n, room))
            strict = "increasing" in item.flags
            return call("ascending_rows", rows, int(strict)) if item.flags & ASCENDING else rows
        if item.is_optional or item.kind not in ("str", "list"):
            return None
        width = self._length(item, room // n)
        if item.kind == "str":
            if different and not item.texts:
                return self._words(item, n, width)
            if item.texts:
                return self._column(item, n, width, different=different)
            is_free = not item.weave and not item.flags
            if self.mood == "dense" and is_free and self.dice.chance(_RUNS_SHARE):
                return self._words_of_runs(item, n)
            if self.dice.chance(0.6):
                rows = self._column(item, n, width)
                return call("reordered", rows, self.seed()) if self.dice.chance(0.3) else rows
            flat = self.text(item, n * width, plain=True)
        elif item.items[0].kind in ("int", "float", "bool"):
            flat = self.numbers(item.items[0], n * width, different=False)
        elif item.items[0].kind == "str" and item.items[0].longest == 1:
            flat = call("letters", self.text(item.items[0], n * width, plain=True))
        else:
            return None
        if width and ("rectangular" in ground.flags or item.shortest == item.longest):
            return call("rows", flat, width)
        lengths = self.values(n, item.shortest, max(item.shortest, width))
        return call("cut", flat, lengths)

    def _side_by_side(self, columns: Sequence[Ground], n: int, room: int) -> Iterator[Made]:
        """Yield columns, one of which follows a special family."""
        special = self.dice.below(len(columns))
        for at, column in enumerate(columns):
            self.is_plain = at != special
            yield self._column(column, n, self._length(column, room // n))
        self.is_plain = False

    def _column(self, item: Ground, n: int, width: int, *, different: bool = False) -> Made:
        """Return many numbers, or texts of one length, all of them different or not."""
        if item.kind != "str":
            return self.numbers(item, n, different=False)
        if item.texts:
            ranks = self.values(n, 0, len(item.texts) - 1, different=different)
            return call("chosen", ranks, [*item.texts])
        kinds = self.dice.pick((n, n, n // 2, round(n**0.5)))
        chosen = self.values(n, 0, kinds - 1, different=kinds == n)
        return call("chosen", chosen, self._words(item, kinds, width))

    def _words_of_runs(self, item: Ground, n: int) -> Made:
        """Return texts of few letters in long runs: how often each letter comes is what differs."""
        most = max(item.shortest, min(item.longest, _MOST_OF_RUNS // n))
        width = max(item.shortest, round(most ** self.dice.random()))
        at = self.dice.below(max(1, len(item.letters) - 1))
        neighbours = item.letters[at : at + 2]
        some = self.dice.shuffled(item.letters)[:2]
        letters = neighbours if self.dice.chance(0.5) else "".join(some)
        runs = call("runs", n * width, 0, len(letters) - 1, self.seed(), width)
        return call("cut", call("spelled", runs, letters), self.values(n, item.shortest, width))

    def _words(self, item: Ground, n: int, width: int) -> Made:
        """Return different texts of one length, which is longer if there are too few."""
        alphabet = self.alphabet(item)
        if len(alphabet) ** width < n:
            alphabet = item.letters or "a"
        while len(alphabet) ** width < n and width < item.longest:
            width += 1
        if len(alphabet) ** width < n:  # examples may show only some of the letters
            alphabet = "".join(dict.fromkeys(alphabet + ascii_letters + digits))
        return call("words", n, alphabet, width, self.seed())
