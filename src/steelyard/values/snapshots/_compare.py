"""Find where two snapshots differ.

1. The graphs of both snapshots are walked at once, breadth first, from roots of one name.
2. A pair that was met before is not compared again. Objects that can change have one partner each.
3. Containers pair up their parts: sequences by index, sets and mappings by the content of keys.
4. Arrays are compared element by element, or by digest if the snapshot holds no more.
"""

from collections import deque

from steelyard.schemas import ValueDifference
from steelyard.values.snapshots import _arrays
from steelyard.values.snapshots._arrays import Tolerance
from steelyard.values.snapshots._document import (
    BEYOND,
    FAULTS,
    MUTABLE,
    Document,
    Entry,
    Item,
    SnapshotError,
    fields_of,
    key_of,
    pairs_of,
    plain,
    read,
    text_of,
    type_of,
)
from steelyard.values.snapshots._findings import (
    Findings,
    Kind,
    Pair,
    Path,
    Rules,
    same,
    shared_memory,
)
from steelyard.values.snapshots._show import brief, cut, names_of

_MOST_PAIRS = 20_000_000
_MOST_TRIES = 64
_MOST_NESTED = 4
_CHARS = 80
_LABEL_CHARS = 40
_MESSAGES = frozenset(
    {
        ".__context__",
        ".args",
        ".__notes__",
        ".message",
        ".msg",
        ".strerror",
        ".reason",
        ".text",
        ".detail",
    }
)
_CAPTURED = ".<closure>."
"""Variables of an enclosing function: if another one is used, the code differs."""
_PRIVATE = "._"
"""One more attribute of an object whose name begins so is the candidate's own affair."""


def compare_snapshots(
    original: bytes,
    candidate: bytes,
    *,
    tolerance: Tolerance | None = None,
    dict_order: bool = True,
    messages: bool = True,
    most: int = 20,
) -> tuple[ValueDifference, ...]:
    """Where two snapshots differ; nothing where they are equal.

    Args:
        original: What the original left behind.
        candidate: The same of the candidate.
        tolerance: How far apart floats may lie; None for not at all.
        dict_order: Whether the order of a dictionary's keys is part of its value.
        messages: Whether what exceptions say, and what they came in the handling of, is compared
            beside their types.
        most: At most so many differences, those nearest to the roots first.

    Returns:
        The differences. What neither side can tell is one of kind `not-comparable`; so is a
        document that cannot be read.
    """
    if original == candidate and b'["n",' not in original and b'"rest":null}' in original[-13:]:
        try:
            read(original)
        except SnapshotError:
            return (_unreadable("the snapshot"),)
        return ()
    try:
        left = read(original)
    except SnapshotError:
        return (_unreadable("the original's snapshot"),)
    try:
        right = read(candidate)
    except SnapshotError:
        return (_unreadable("the candidate's snapshot"),)
    rules = Rules(tolerance=tolerance, dict_order=dict_order, messages=messages, most=most)
    try:
        return _Comparison(left, right, rules).of_roots()
    except (SnapshotError, *FAULTS):
        return (_unreadable("a snapshot"),)


def _unreadable(whose: str) -> ValueDifference:
    return ValueDifference(
        path=whose, original="not a snapshot", candidate="", kind="not-comparable"
    )


class _Comparison(Findings):
    """One walk over both graphs at once, breadth first."""

    def of_roots(self) -> tuple[ValueDifference, ...]:
        names = list(self._left.roots)
        # Arguments go first, so that what is shared with them is named after them.
        arguments = [name for name in names if name.startswith("argument")]
        others = [name for name in names if not name.startswith("argument")]
        for group in (arguments, others):
            for name in group:
                path = Path(None, name)
                if name in self._right.roots:
                    self._later(path, self._left.roots[name], self._right.roots[name])
                else:
                    self._missing(path, self._left.roots[name])
            self._walk(len(self._found) + self._rules.most)
        for name, item in self._right.roots.items():
            if name not in self._left.roots:
                self._extra(Path(None, name), item)
        shared_memory(self._left, self._right, self._arrays, self._aliased)
        self._beyond()
        ranks = {name: at for at, name in enumerate(names)}
        self._found.sort(key=lambda one: (one[0].depth, ranks.get(one[0].root, len(ranks))))
        return tuple(difference for _, difference in self._found[: self._rules.most])

    def alike(self, one: Item, other: Item) -> bool:
        """Whether two items are equal, whatever else their documents hold."""
        self._later(Path(None, ""), one, other)
        self._walk(1)
        return not self._found

    def _walk(self, enough: int) -> None:
        waiting = self._waiting
        while waiting and len(self._found) < enough:
            self._pair(waiting.popleft())
        waiting.clear()

    def _pair(self, pair: Pair) -> None:
        self._unsure = pair.unsure
        path, one, other = pair.path, plain(pair.one), plain(pair.other)
        left, left_line = self._left.entry(one)
        right, right_line = self._right.entry(other)
        if left is None and right is None:
            self._atoms(path, one, other)
        elif left is None or right is None:
            self._unlike(path, "type", one, other)
        elif self._first_visit(path, left, left_line, right, right_line):
            if left[0] in ("a", "A") and left_line is not None and right_line is not None:
                self._arrays.append((path, left_line, right_line))
            self._entries(path, one, left, other, right)
        self._unsure = False

    def _atoms(self, path: Path, one: Item, other: Item) -> None:
        if type(one) is not type(other):
            self._unlike(path, "type", one, other)
        elif type(one) is float:
            if not self._same_float(one, other):
                self._unlike(path, "value", one, other)
        elif one != other:
            self._unlike(path, "value", one, other)

    def _same_float(self, one: float, other: float) -> bool:
        if self._rules.tolerance is not None:
            return self._rules.tolerance.allows(one, other)
        return repr(one) == repr(other)

    def _first_visit(
        self, path: Path, left: Entry, left_line: int | None, right: Entry, right_line: int | None
    ) -> bool:
        """Whether the two were not held against each other yet; pairs those that can change."""
        if left_line is None or right_line is None:
            return True
        if left[0] in MUTABLE and right[0] == left[0]:
            one, other, doubt = self._aliases.meet(left_line, right_line, path, unsure=self._unsure)
            if one:
                self._differ(path, "not-comparable" if doubt else "aliasing", one, other)
        if self._rules.tolerance is None:
            return self._united(left_line, right_line)
        pair = (left_line, right_line)
        if pair in self._seen:
            return False
        self._seen.add(pair)
        if len(self._seen) > _MOST_PAIRS:
            raise SnapshotError("too entangled")
        return True

    def _united(self, left_line: int, right_line: int) -> bool:
        """Puts two lines in one group; whether they were in two.

        Equality carries over, so that each line joins others at most once, however the two sides
        share their parts.
        """
        one, other = self._group((True, left_line)), self._group((False, right_line))
        if one == other:
            return False
        self._groups[one] = other
        return True

    def _group(self, line: tuple[bool, int]) -> tuple[bool, int]:
        groups = self._groups
        while line in groups:
            above = groups[line]
            if above in groups:
                groups[line] = groups[above]
            line = above
        return line

    def _entries(self, path: Path, one: Item, left: Entry, other: Item, right: Entry) -> None:
        tag = left[0]
        same_type = type_of(left) == type_of(right)
        if left is BEYOND or right is BEYOND:
            if left is not right:
                self._differ(path, "not-comparable", "more than a snapshot holds", "")
        elif "n" in (tag, right[0]):
            if same_type:
                self._differ(path, "not-comparable", _opaque(left, right), _opaque(right, left))
            else:
                self._unlike(path, "type", one, other)
        elif "#" in (tag, right[0]) and same_type:
            self._digests(path, left, right)
        elif tag != right[0] or not same_type:
            self._unlike(path, "type", one, other)
        elif self._content(path, one, left, other, right):
            self._fields(path, left, right)

    def _digests(self, path: Path, left: Entry, right: Entry) -> None:
        if left[0] == right[0] and left[1] == right[1]:
            return
        exact = self._rules.tolerance is None
        original, candidate = (
            f"{type_of(entry)} of {entry[1][0]} characters" if entry[0] == "#" else type_of(entry)
            for entry in (left, right)
        )
        if original == candidate:
            original, candidate = f"{original}, {left[1][1]}", f"{candidate}, {right[1][1]}"
        self._differ(path, "value" if exact else "not-comparable", original, candidate)

    def _content(self, path: Path, one: Item, left: Entry, other: Item, right: Entry) -> bool:
        """Compares the bodies; whether the fields are still to be compared."""
        tag = left[0]
        if tag in ("l", "t"):
            self._sequences(path, left, right)
        elif tag in ("s", "f"):
            self._sets(path, left, right)
        elif tag == "d":
            self._mappings(path, left, right)
        elif tag in ("a", "A"):
            return self._of_arrays(path, left, right)
        elif tag == "F":
            self._atoms_of(path, one, left, other, right)
        elif tag == "complex":
            self._complex(path, one, left, other, right)
        elif text_of(left[1]) != text_of(right[1]):
            self._unlike(path, "not-comparable" if tag == "C" else "value", one, other)
            return False
        return True

    def _atoms_of(self, path: Path, one: Item, left: Entry, other: Item, right: Entry) -> None:
        if not self._same_float(float(plain(left[1])), float(plain(right[1]))):
            self._unlike(path, "value", one, other)

    def _complex(self, path: Path, one: Item, left: Entry, other: Item, right: Entry) -> None:
        parts = [[float(plain(part)) for part in entry[1]] for entry in (left, right)]
        if all(repr(a) == repr(b) for a, b in zip(*parts, strict=True)):
            return
        tolerance = self._rules.tolerance
        if tolerance is None or not tolerance.allows(complex(*parts[0]), complex(*parts[1])):
            self._unlike(path, "value", one, other)

    def _fields(self, path: Path, left: Entry, right: Entry) -> None:
        mine, theirs = fields_of(left), dict(fields_of(right))
        skipped = left[0] == "E" and not self._rules.messages
        for label, item in mine:
            if skipped and label in _MESSAGES:
                theirs.pop(label, None)
            elif label in theirs:
                self._later(path.to(label), item, theirs.pop(label))
            elif not label.startswith(_CAPTURED):
                self._missing(path.to(label), item)
        for label, item in theirs.items():
            own_affair = left[0] == "o" and label.startswith(_PRIVATE)
            own_affair = own_affair or label.startswith(_CAPTURED)
            if not own_affair and not (skipped and label in _MESSAGES):
                self._extra(path.to(label), item)

    def _beyond(self) -> None:
        """What the snapshots hold as one digest."""
        left, right = self._left.rest, self._right.rest
        if left is None and right is None:
            return
        path = Path(None, "what is beyond the snapshot")
        if left is None or right is None or left[2] is None or right[2] is None:
            self._differ(path, "not-comparable", "more than a snapshot holds", "")
        elif left != right:
            exact = self._rules.tolerance is None and left[1] == right[1]
            texts = (f"{rest[0]} objects in all, digest {rest[2]}" for rest in (left, right))
            self._differ(path, "value" if exact else "not-comparable", *texts)

    def _sequences(self, path: Path, left: Entry, right: Entry) -> None:
        mine, theirs = left[1], right[1]
        names = names_of(left)
        common = min(len(mine), len(theirs))
        for at in range(common):
            if not same(mine[at], theirs[at]):
                label = f".{names[at]}" if at < len(names) else f"[{at}]"
                self._later(path.to(label), mine[at], theirs[at])
        if len(mine) > common:
            self._tail(path, "missing", self._left, mine, common)
        elif len(theirs) > common:
            self._tail(path, "extra", self._right, theirs, common)

    def _tail(
        self, path: Path, kind: Kind, document: Document, items: list[Item], start: int
    ) -> None:
        if len(items) == start + 1:
            place, text = f"[{start}]", brief(document, items[start], most_chars=_CHARS)
        else:
            place = f"[{start}:]"
            text = brief(document, ["l", items[start : start + _MOST_TRIES]], most_chars=_CHARS)
            text = cut(f"{len(items) - start} more: {text}", _CHARS)
        one, other = (text, "") if kind == "missing" else ("", text)
        self._differ(path.to(place), kind, one, other)

    def _sets(self, path: Path, left: Entry, right: Entry) -> None:
        mine, theirs = left[1], right[1]
        pairs, gone, come = self._matched(mine, theirs)
        for at, other_at in pairs:
            self._member(path, "{%s}", mine[at], theirs[other_at])
        for at in gone:
            self._missing(path.to(f"{{{self._label(mine[at])}}}"), mine[at])
        for at in come:
            label = brief(self._right, theirs[at], most_chars=_LABEL_CHARS)
            self._extra(path.to(f"{{{label}}}"), theirs[at])

    def _mappings(self, path: Path, left: Entry, right: Entry) -> None:
        mine, theirs = list(pairs_of(left)), list(pairs_of(right))
        keys, other_keys = [key for key, _ in mine], [key for key, _ in theirs]
        pairs, gone, come = self._matched(keys, other_keys)
        for at, other_at in pairs:
            self._member(path, ".<key %s>", keys[at], other_keys[other_at])
            one, other = mine[at][1], theirs[other_at][1]
            if not same(one, other):
                self._later(path.to(f"[{self._label(keys[at])}]"), one, other)
        if self._rules.dict_order:
            self._order(path, keys, [other_at for _, other_at in pairs], pairs)
        for at in gone:
            self._missing(path.to(f"[{self._label(keys[at])}]"), mine[at][1])
        for at in come:
            label = brief(self._right, other_keys[at], most_chars=_LABEL_CHARS)
            self._extra(path.to(f"[{label}]"), theirs[at][1])

    def _order(
        self, path: Path, keys: list[Item], places: list[int], pairs: list[tuple[int, int]]
    ) -> None:
        if places == sorted(places):
            return
        theirs = [at for at, _ in sorted(pairs, key=lambda pair: pair[1])]
        texts = [
            ", ".join(self._label(keys[at]) for at in order[:_MOST_TRIES])
            for order in ([at for at, _ in pairs], theirs)
        ]
        self._differ(path, "order", *(f"keys in order {text}" for text in texts))

    def _label(self, item: Item) -> str:
        return brief(self._left, item, most_chars=_LABEL_CHARS)

    def _member(self, path: Path, label: str, one: Item, other: Item) -> None:
        """Compares a member of a set, or a key; what is unsure there proves no difference."""
        if type(one) is not list:
            return
        before = self._unsure
        self._unsure = before or (len(one) == 3 and one[2] == 1 and type(one[0]) is int)
        self._later(path.to(label % self._label(one)), one, other)
        self._unsure = before

    def _matched(
        self, mine: list[Item], theirs: list[Item]
    ) -> tuple[list[tuple[int, int]], list[int], list[int]]:
        """Places of equal keys or members, then those of the original and the candidate alone."""
        texts, other_texts = [key_of(item) for item in mine], [key_of(item) for item in theirs]
        if texts == other_texts:
            return [(at, at) for at in range(len(mine))], [], []
        places: dict[str, deque[int]] = {}
        for at, text in enumerate(other_texts):
            places.setdefault(text, deque()).append(at)
        pairs: list[tuple[int, int]] = []
        gone: list[int] = []
        for at, text in enumerate(texts):
            if places.get(text):
                pairs.append((at, places[text].popleft()))
            else:
                gone.append(at)
        come = sorted(at for left in places.values() for at in left)
        if self._rules.tolerance is not None and self._nested < _MOST_NESTED:
            pairs += self._close(mine, theirs, gone, come)
        return sorted(pairs), gone, come

    def _close(
        self, mine: list[Item], theirs: list[Item], gone: list[int], come: list[int]
    ) -> list[tuple[int, int]]:
        """Pairs those that are equal but for the tolerance, and takes them out of the others."""
        found: list[tuple[int, int]] = []
        if max(len(gone), len(come)) > _MOST_TRIES:
            return found
        for at in list(gone):
            for other_at in list(come):
                inner = _Comparison(self._left, self._right, self._rules, nested=self._nested + 1)
                if inner.alike(mine[at], theirs[other_at]):
                    found.append((at, other_at))
                    gone.remove(at)
                    come.remove(other_at)
                    break
        return found

    def _of_arrays(self, path: Path, left: Entry, right: Entry) -> bool:
        (dtype, shape, code, data), (other_dtype, other_shape, other_code, other) = (
            left[1],
            right[1],
        )
        if dtype != other_dtype or shape != other_shape:
            kind: Kind = "type" if dtype != other_dtype else "value"
            self._differ(path, kind, _arrays.header(left), _arrays.header(right))
            return False
        if code != other_code:
            raise SnapshotError("arrays that are not what they say")
        if data == other and type(data) is not list:
            return True
        if type(data) is str and type(other) is str:
            found, note = _arrays.differing(left, right, self._rules.tolerance)
            for at, element in enumerate(found):
                text = element.candidate
                if note and not at:
                    text += f" ({note})"
                self._differ(path.to(element.label), "value", element.original, text)
        elif code is None:
            self._elements(path, shape, data, other)
        else:
            self._array_digests(path, left, data, other)
        return True

    def _array_digests(self, path: Path, left: Entry, data: Item, other: Item) -> None:
        """Content too long for the snapshot, of which only digests are known."""
        if data == other:
            return
        inexact = self._rules.tolerance is not None and left[1][2].strip("<>=")[0] in "fcb"
        texts = [part[1] if type(part) is list else "shorter" for part in (data, other)]
        kind: Kind = "not-comparable" if inexact or "shorter" in texts else "value"
        self._differ(path, kind, *(f"{_arrays.header(left)}, digest {text}" for text in texts))

    def _elements(self, path: Path, shape: list[int], mine: list[Item], theirs: list[Item]) -> None:
        if len(mine) != len(theirs):
            raise SnapshotError("an array without all its elements")
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            if not same(one, other):
                self._later(path.to(_arrays.label_of(at, shape)), one, other)


def _opaque(entry: Entry, other: Entry) -> str:
    """What cannot be compared, and why."""
    entry = entry if entry[0] == "n" else other
    name = type_of(entry)
    return f"{name} ({entry[1]})" if entry[1] else name
