"""Sequences, sets and mappings of two snapshots."""

from collections import deque

from steelyard.equivalence.comparator._document import (
    Document,
    Entry,
    Item,
    key_of,
    pairs_of,
)
from steelyard.equivalence.comparator._findings import Findings, Kind, same
from steelyard.equivalence.comparator._paths import Path
from steelyard.equivalence.comparator._show import brief, cut, names_of

_MOST_TRIES = 64
_MOST_NESTED = 4
_CHARS = 80
_LABEL_CHARS = 40


class Containers(Findings):
    """Pairs up the parts of containers."""

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
                inner = type(self)(self._left, self._right, self._rules, nested=self._nested + 1)
                if inner.alike(mine[at], theirs[other_at]):
                    found.append((at, other_at))
                    gone.remove(at)
                    come.remove(other_at)
                    break
        return found
