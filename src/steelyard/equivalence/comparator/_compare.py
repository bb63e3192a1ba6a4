"""Finds where two snapshots differ."""

from steelyard.equivalence.comparator._aliases import shared_memory
from steelyard.equivalence.comparator._containers import Containers
from steelyard.equivalence.comparator._document import (
    BEYOND,
    FAULTS,
    MUTABLE,
    Entry,
    Item,
    UnreadableError,
    fields_of,
    plain,
    read,
    text_of,
    type_of,
)
from steelyard.equivalence.comparator._elements import Elements
from steelyard.equivalence.comparator._findings import Pair, Rules
from steelyard.equivalence.comparator._paths import Path
from steelyard.equivalence.comparator._tolerance import Tolerance
from steelyard.schemas import ValueDifference

_MOST_PAIRS = 20_000_000
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
        except UnreadableError:
            return (_unreadable("the snapshot"),)
        return ()
    try:
        left = read(original)
    except UnreadableError:
        return (_unreadable("the original's snapshot"),)
    try:
        right = read(candidate)
    except UnreadableError:
        return (_unreadable("the candidate's snapshot"),)
    rules = Rules(tolerance=tolerance, dict_order=dict_order, messages=messages, most=most)
    try:
        return _Comparison(left, right, rules).of_roots()
    except (UnreadableError, *FAULTS):
        return (_unreadable("a snapshot"),)


def _unreadable(whose: str) -> ValueDifference:
    return ValueDifference(
        path=whose, original="not a snapshot", candidate="", kind="not-comparable"
    )


class _Comparison(Containers, Elements):
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
            raise UnreadableError("too entangled")
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
            else:
                self._missing(path.to(label), item)
        for label, item in theirs.items():
            own_affair = left[0] == "o" and label.startswith(_PRIVATE)
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


def _opaque(entry: Entry, other: Entry) -> str:
    """What cannot be compared, and why."""
    entry = entry if entry[0] == "n" else other
    name = type_of(entry)
    return f"{name} ({entry[1]})" if entry[1] else name
