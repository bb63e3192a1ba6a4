"""Walks a graph of objects, breadth first, and writes one line of JSON for each.

An item is a number, a text, true, false or null as it stands; `[n]` for the object on line n (or
`[n, key]` in sets and for keys of mappings, where the key is the same for equal content, and
`[n, key, 1]` where several have that key); or an entry that stands for itself.
An entry is `[tag, body, type, fields]`, its end left out where it is empty. Objects that can
change are written once, so that what is shared is seen.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_text, snapshot_types

Entry = snapshot_plans.Entry
_ATOMS, _LEAF, _NODE = snapshot_plans.ATOMS, snapshot_plans.LEAF, snapshot_plans.NODE
FEW = 16
"""So many plain values in a tuple are written where it stands."""
_MOST_NODES = 1_000_000
"""Objects of one document, at about 400 bytes of memory each; what more there is cannot be
compared."""
_KEY_NODES, _KEY_CHARS = 64, 1 << 16
"""What a key unfolds to: so many objects, and no more of them once they make up so much text."""
_KEY_DEPTH = 3
_STUBS = 1000
_USUAL_DIGITS = 4300


class Walk:
    """One walk over the objects that some roots reach."""

    def __init__(self, most_bytes: int, *, outer: Walk | None = None) -> None:
        """The budget is in bytes of text.

        A walk inside another only makes a key: what an object holds is unfolded, the same for
        equal content however it is shared, and cut after so many lines.
        """
        self.pending: list[object] = []
        self.regions: list[tuple[int, int, int, Any]] = []
        """Of arrays: the line, the first and the last address, and the array itself."""
        self.line = 0
        self._numbers: dict[int, int] = {}
        self._plans: dict[int, snapshot_plans.Plan] = outer._plans if outer else {}
        self._most_bytes = most_bytes
        self._bytes = 0
        self._keying = outer is not None
        self._depth: int = outer._depth - 1 if outer else _KEY_DEPTH
        self._keys: dict[tuple[int, int], str] = outer._keys if outer else {}
        self._kept: list[object] = outer._kept if outer else []
        self._shared = 0
        self._exact = sys.get_int_max_str_digits() != _USUAL_DIGITS

    @property
    def left_bytes(self) -> int:
        """What may still be written."""
        return max(0, self._most_bytes - self._bytes)

    def item(self, value: object) -> Any:
        """The value as an item; what is no leaf is put in line."""
        kind = id(type(value))
        if kind in _ATOMS:
            return value
        leaf = self._leaf(value, kind)
        if leaf is not None:
            return leaf
        number = None if self._keying else self._numbers.get(id(value))
        if self._keying and len(self.pending) >= _KEY_NODES:
            number = _KEY_NODES  # never written
        elif number is None:
            number = self._numbers[id(value)] = len(self.pending)
            self.pending.append(value)
        else:
            self._shared += 1
        return [number]

    def items(self, values: Iterable[object]) -> list[Any]:
        """Many values as items."""
        values = list(values)
        if _ATOMS.issuperset(map(id, map(type, values))):
            return values
        return [self.item(value) for value in values]

    def fields(self, pairs: Iterable[tuple[str, object]]) -> list[Any]:
        """Labels and values in turn."""
        flat: list[Any] = []
        for label, value in pairs:
            flat.append(label)
            flat.append(self.item(value))
        return flat

    def _leaf(self, value: object, kind: int) -> Entry | None:
        handler = _LEAF.get(kind)
        if handler is not None:
            return self._tried(handler, value)
        if kind in _NODE:
            if type(value) is tuple and len(value) <= FEW:
                items = list(value)
                if _ATOMS.issuperset(map(id, map(type, items))):
                    return ["t", items]
            return None
        plan = self._plan(type(value), kind)
        if plan.inline:
            return self._named(plan, self._tried(plan.handler, value))
        return None

    def _plan(self, cls: type, kind: int) -> snapshot_plans.Plan:
        plan = self._plans.get(kind)
        if plan is None:
            plan = self._plans[kind] = snapshot_plans.Plan(cls)
            self._kept.append(cls)
        return plan

    def _tried(self, handler: snapshot_plans.Handler, value: object) -> Entry:
        try:
            return handler(self, value)
        except snapshot_types.HiddenError as error:
            return snapshot_plans.opaque(value, str(error))
        except Exception as error:
            return snapshot_plans.opaque(value, type(error).__name__)

    @staticmethod
    def _named(plan: snapshot_plans.Plan, entry: Entry) -> Entry:
        if len(entry) == 2:
            entry.append(plan.name)
        elif entry[2] is None:
            entry[2] = plan.name
        return entry

    def entry(self, value: object) -> Entry:
        """The value's own line."""
        kind = id(type(value))
        handler = _NODE.get(kind) or _LEAF.get(kind)
        if handler is not None:
            return self._tried(handler, value)
        plan = self._plan(type(value), kind)
        entry = self._named(plan, self._tried(plan.handler, value))
        if plan.layout is not None and entry[0] != "n":
            try:
                state = plan.layout.state(value)
            except Exception as error:
                return snapshot_plans.opaque(value, str(error))
            if state:
                fields = entry[3] if len(entry) > 3 else None
                entry[3:] = [(fields or []) + self.fields(state)]
        return entry

    def written(self, entry: object) -> str:
        """An entry as text."""
        if self._exact:
            return snapshot_text.text_of(snapshot_text.exact(entry))
        try:
            return snapshot_text.text_of(entry)
        except ValueError:  # a float that is not finite, or a very long integer
            return snapshot_text.text_of(snapshot_text.exact(entry))

    def lines(self) -> tuple[list[str], list[Any] | None]:
        """A line for each object in line, and what stands for those beyond the bound."""
        texts: list[str] = []
        rest, stubs = None, 0
        pending = self.pending
        index = 0
        while index < len(pending):
            self.line = index
            text = self.written(self.entry(pending[index]))
            index += 1
            self._bytes += len(text) + 1
            if self._bytes <= self._most_bytes:
                texts.append(text)
                continue
            if stubs < _STUBS:
                stubs += 1
                kind = snapshot_types.name_of(type(pending[index - 1]))
                texts.append(
                    snapshot_text.text_of(["#", [len(text), snapshot_text.digest_of(text)], kind])
                )
                continue
            if rest is None:
                rest = blake2b(digest_size=16)
            rest.update(text.encode("utf-8", "surrogatepass") + b"\n")
            if index >= _MOST_NODES:
                return texts, [index, self._shared, None]
        if rest is None:
            return texts, None
        return texts, [index, self._shared, rest.hexdigest()]

    def ordered(self, values: list[object]) -> list[Any]:
        """The members of a set as items, in an order that hangs on nothing but their content."""
        if _ATOMS.issuperset(map(id, map(type, values))):
            return snapshot_text.sorted_atoms(values)
        keyed = [(self.key(value), value) for value in values]
        keyed.sort(key=_by_key)
        if self._keying:
            return [snapshot_text.digest_of(key) for key, _ in keyed]
        seen = Counter(key for key, _ in keyed)
        return [self._keyed(value, key, unsure=seen[key] > 1) for key, value in keyed]

    def keys(self, values: list[object]) -> list[Any]:
        """The keys of a dictionary as items, each with what tells it apart."""
        if _ATOMS.issuperset(map(id, map(type, values))):
            return values
        keys = [self.key(value) for value in values]
        if self._keying:
            return [snapshot_text.digest_of(key) for key in keys]
        seen = Counter(keys)
        return [
            self._keyed(value, key, unsure=seen[key] > 1)
            for key, value in zip(keys, values, strict=True)
        ]

    def arranged(self, pairs: list[tuple[object, object]]) -> list[tuple[object, object]]:
        """A mapping's pairs in their order; in that of their keys where a key is made."""
        return sorted(pairs, key=self._of_pair) if self._keying else pairs

    def _of_pair(self, pair: tuple[object, object]) -> str:
        return self.key(pair[0])

    def _keyed(self, value: object, key: str, *, unsure: bool) -> Any:
        item = self.item(value)
        if type(item) is list and type(item[0]) is int:
            item.append(snapshot_text.digest_of(key))
            if unsure:
                item.append(1)
        return item

    def key(self, value: object) -> str:
        """Text that is the same for equal content."""
        kind = id(type(value))
        leaf = value if kind in _ATOMS else self._leaf(value, kind)
        if leaf is not None or value is None:
            return self.written(leaf)
        if not self._depth:
            return snapshot_types.name_of(type(value))
        memo = (id(value), self._depth)
        known = self._keys.get(memo)
        if known is None:
            known = self._keys[memo] = self._walked(value)
            self._kept.append(value)
        return known

    def _walked(self, value: object) -> str:
        inner = Walk(self._most_bytes, outer=self)
        inner.item(value)
        texts: list[str] = []
        chars = 0
        while inner.line < len(inner.pending) and chars < _KEY_CHARS:
            texts.append(inner.written(inner.entry(inner.pending[inner.line])))
            chars += len(texts[-1])
            inner.line += 1
        self._kept.append(inner.pending)
        return "\n".join(texts)


def _by_key(keyed: tuple[str, object]) -> str:
    return keyed[0]
