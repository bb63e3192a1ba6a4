"""Built-in values and containers in a snapshot."""

from __future__ import annotations

import array
import collections
import gc
import types
from base64 import b64encode
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_types, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry
_REAL = complex.__dict__["real"].__get__
_IMAG = complex.__dict__["imag"].__get__


def blob(walk: Walk, data: bytes | bytearray | memoryview) -> Any:
    """Bytes as base64 text, or as their length and digest where the budget is short."""
    size = len(data)
    if size * 4 // 3 > walk.left_bytes:
        return [size, blake2b(data, digest_size=16).hexdigest()]
    return b64encode(data).decode("ascii")


def _int(_walk: Walk, value: Any) -> Entry:
    return ["I", int.__add__(value, 0)]


def _float(_walk: Walk, value: Any) -> Entry:
    return ["F", float.__add__(value, -0.0)]


def _str(_walk: Walk, value: Any) -> Entry:
    return ["S", str.__str__(value)]


def _complex(_walk: Walk, value: Any) -> Entry:
    return ["complex", [_REAL(value), _IMAG(value)]]


def _bytes(walk: Walk, value: Any) -> Entry:
    return ["bytes", blob(walk, memoryview(value))]


def _bytearray(walk: Walk, value: Any) -> Entry:
    with memoryview(value) as view:
        return ["B", blob(walk, view)]


def _memoryview(walk: Walk, value: Any) -> Entry:
    body = [value.format, list(value.shape or ()), value.readonly, blob(walk, value.tobytes())]
    owner = value.obj
    seen = type(owner) in (bytearray, array.array)
    return ["V", body, None, walk.fields([(".obj", owner)]) if seen else None]


def _array(walk: Walk, value: Any) -> Entry:
    code = array.array.__dict__["typecode"].__get__(value)
    if code in "uw":
        return ["l", list(array.array.tolist(value)), None, [".typecode", code]]
    size = array.array.__dict__["itemsize"].__get__(value)
    kind = "f" if code in "fd" else "i" if code.islower() else "u"
    data = array.array.tobytes(value)
    return ["a", [code, [len(data) // size], f"{kind}{size}", blob(walk, data)]]


def _list(walk: Walk, value: Any) -> Entry:
    return ["l", walk.items(list.__iter__(value))]


def _tuple(walk: Walk, value: Any) -> Entry:
    entry: Entry = ["t", walk.items(tuple.__iter__(value))]
    kind = type(value)
    if kind is not tuple:
        for base in snapshot_types.mro(kind):
            names = snapshot_types.namespace(base).get("_fields")
            if type(names) is tuple and all(type(name) is str for name in names):
                entry += [None, [".<fields>", ["t", list(names)]]]
                break
    return entry


def _deque(walk: Walk, value: Any) -> Entry:
    entry: Entry = ["l", walk.items(collections.deque.__iter__(value))]
    most = collections.deque.__dict__["maxlen"].__get__(value)
    return entry if most is None else [*entry, None, [".maxlen", most]]


def _dict(walk: Walk, value: Any) -> Entry:
    return pairs(walk, list(dict.items(value)))


def pairs(walk: Walk, items: list[tuple[object, object]]) -> Entry:
    """The entry of a mapping with these keys and values."""
    items = walk.arranged(items)
    body: list[Any] = [None] * (2 * len(items))
    body[::2] = walk.keys([key for key, _ in items])
    body[1::2] = walk.items([value for _, value in items])
    return ["d", body]


def _ordered_dict(walk: Walk, value: Any) -> Entry:
    by_key = {id(key): (key, item) for key, item in dict.items(value)}
    keys = list(collections.OrderedDict.__iter__(value))
    return pairs(walk, [by_key[id(key)] for key in keys])


def _defaultdict(walk: Walk, value: Any) -> Entry:
    factory = collections.defaultdict.__dict__["default_factory"].__get__(value)
    return [*_dict(walk, value), None, walk.fields([(".default_factory", factory)])]


def _mapping_proxy(walk: Walk, value: Any) -> Entry:
    return ["v", None, None, walk.fields([("", one) for one in gc.get_referents(value)])]


def _view(walk: Walk, value: Any) -> Entry:
    (mapping,) = gc.get_referents(value)
    return ["v", None, None, walk.fields([(".mapping", mapping)])]


def _set(walk: Walk, value: Any) -> Entry:
    return ["s", walk.ordered(list(set.__iter__(value)))]


def _frozenset(walk: Walk, value: Any) -> Entry:
    return ["f", walk.ordered(list(frozenset.__iter__(value)))]


def _slice(walk: Walk, value: slice) -> Entry:
    items = walk.items([value.start, value.stop, value.step])
    return ["v", None, None, [part for pair in zip(_SLICE, items, strict=True) for part in pair]]


_SLICE = (".start", ".stop", ".step")


def _range(_walk: Walk, value: range) -> Entry:
    return ["range", [value.start, value.stop, value.step]]


def _nothing(_walk: Walk, _value: object) -> Entry:
    return ["c", None]


_EMPTY: dict[object, object] = {}


def register() -> None:
    """Makes the walk know these types."""
    nodes: list[tuple[type, Callable[[Walk, Any], Entry]]] = [
        (list, _list),
        (tuple, _tuple),
        (dict, _dict),
        (set, _set),
        (frozenset, _frozenset),
    ]
    snapshot_plans.NODE.update((id(cls), write) for cls, write in nodes)
    leaves: list[tuple[type, Callable[[Walk, Any], Entry]]] = [
        (int, _int),
        (float, _float),
        (str, _str),
        (complex, _complex),
        (bytes, _bytes),
    ]
    snapshot_plans.LEAF.update((id(cls), write) for cls, write in leaves)
    lines: list[tuple[type, Callable[[Walk, Any], Entry]]] = [
        (bytearray, _bytearray),
        (memoryview, _memoryview),
        (array.array, _array),
        (collections.deque, _deque),
        (collections.OrderedDict, _ordered_dict),
        (collections.defaultdict, _defaultdict),
        (types.MappingProxyType, _mapping_proxy),
        (slice, _slice),
        (type(_EMPTY.keys()), _view),
        (type(_EMPTY.values()), _view),
        (type(_EMPTY.items()), _view),
    ]
    for cls, write in lines:
        snapshot_plans.know(cls, write, inline=False)
    constants = [type(Ellipsis), type(NotImplemented)]
    for cls in constants:
        snapshot_plans.know(cls, _nothing, inline=True)
    snapshot_plans.know(range, _range, inline=True)
