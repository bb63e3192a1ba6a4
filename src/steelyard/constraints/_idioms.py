"""Replace common idioms by named predicates.

`sorted(x) == x` and `all(x[i] <= x[i + 1] for i in range(len(x) - 1))` both become `is_sorted(x)`,
so that evaluation, prose and shapes know one form of each.
"""

from dataclasses import replace

from steelyard.constraints._operations import FUNCTIONS, item_of
from steelyard.constraints._tree import (
    BOOL,
    INT,
    Apply,
    Chain,
    Const,
    Item,
    Logic,
    Many,
    Name,
    Node,
    Part,
    rebuilt,
    walk,
)

_ZERO, _ONE = Const(0, INT), Const(1, INT)
_ORDERS = {"<=": "is_sorted", "<": "is_increasing", ">=": "is_descending", ">": "is_decreasing"}
_MIRRORED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


def simplified(node: Node) -> Node:
    """Return a tree of the same meaning in which idioms are predicates."""
    node = rebuilt(node, simplified)
    match node:
        case Apply():
            return _order(node) or _same_lengths(node) or _all_different(node) or node
        case Chain():
            return _equality(node) or node
        case Many():
            return _by_items(node)
    return node


def applied(name: str, *args: Node) -> Apply:
    """Return a predicate of some nodes."""
    return Apply(FUNCTIONS[name], args, BOOL)


def argument(node: Node, name: str) -> Node | None:
    """Return the argument of a function of one argument: `x` of `len(x)`."""
    match node:
        case Apply(args=(only,)) if node.name == name:
            return only
    return None


def _equality(node: Chain) -> Node | None:
    if node.signs != ("==",):
        return None
    left, right = node.operands
    return _equal(left, right) or _equal(right, left)


def _equal(left: Node, right: Node) -> Node | None:
    match left:
        case Apply(args=(items, Const(value=0))) if left.name == "sorted":
            return _sorted_equals(items, right)
        case Apply(args=(items, Const(value=True))) if left.name == "sorted" and items == right:
            return applied("is_descending", right)
        case Part(base=base, low=None, high=None, step=Const(value=-1)) if base == right:
            return applied("is_palindrome", right)
        case Apply(args=(Apply(args=(inner,)) as made,)) if (
            left.name == "len" and made.name == "set"
        ):
            counted = argument(right, "len")
            if counted and _items_of(inner) == counted:
                return applied("is_unique", counted)
    return None


def _sorted_equals(items: Node, right: Node) -> Node | None:
    if right == items:
        return applied("is_sorted", items)
    listed = argument(right, "list") or right
    match listed:
        case Apply(args=(other, Const(value=0))) if listed.name == "sorted":
            return applied("is_permutation", items, other)
        case Apply(args=(stop,)) if listed.name == "range" and argument(stop, "len") == items:
            return applied("is_permutation", items, _ZERO)
        case Apply(args=(Const(value=1), Apply(args=(length, Const(value=1))) as stop)) if (
            listed.name,
            stop.name,
        ) == ("range", "+"):
            if argument(length, "len") == items:
                return applied("is_permutation", items, _ONE)
            size = Apply(FUNCTIONS["len"], (items,), INT)
            same = Chain((size, length), ("==",))
            return Logic("and", (same, applied("is_permutation", items, _ONE)))
    return None


def _items_of(node: Node) -> Node:
    """Return `p` for `p`, for `map(tuple, p)` and for `tuple(x) for x in p`."""
    match node:
        case Many(body=body, loops=(loop,)) if not loop.conditions:
            if (argument(body, "tuple") or body) == _variable(loop.target, body):
                return loop.source
    return node


def _variable(target: object, body: Node) -> Node | None:
    inner = argument(body, "tuple") or body
    return inner if isinstance(inner, Name) and inner.slot == target else None


def _by_items(many: Many) -> Many:
    """Run over the items instead of the positions if only the items are used."""
    for number in reversed(range(len(many.loops))):
        loop = many.loops[number]
        items = _all_of(loop.source)
        if items is None or not isinstance(loop.target, int):
            continue
        position = Name(loop.names[0], loop.target, INT)
        kind = item_of(items.type)
        name = f"{_text(items)}[{loop.names[0]}]"
        variable = Name(name, loop.target, kind)
        first = replace(loop, source=items, names=(name,))
        inner = Many(many.body, (first, *many.loops[number + 1 :]), many.type)
        without = _replaced(inner, Item(items, position, kind), Const(None, kind))
        if not any(isinstance(node, Name) and node.slot == loop.target for node in walk(without)):
            changed = _replaced(inner, Item(items, position, kind), variable)
            assert isinstance(changed, Many)
            many = replace(changed, loops=(*many.loops[:number], *changed.loops))
    return many


def _text(items: Node) -> str:
    """Return what an item of a list is called: `grid[i]`."""
    match items:
        case Name(name=name):
            return name
        case Item(base=base, index=Name(name=name)):
            return f"{_text(base)}[{name}]"
        case Item(base=base, index=Const(value=value)):
            return f"{_text(base)}[{value}]"
    return "item"


def _replaced(node: Node, old: Node, new: Node) -> Node:
    return new if node == old else rebuilt(node, lambda each: _replaced(each, old, new))


def _order(node: Apply) -> Node | None:
    """Read a comparison of all neighbours."""
    match node.args:
        case (Many(body=Chain(operands=(left, right), signs=(sign,)), loops=(loop,)),) if (
            node.name == "all" and sign in _ORDERS and not loop.conditions
        ):
            source = loop.source
        case _:
            return None
    if isinstance(source, Apply) and source.name == "zip" and isinstance(loop.target, tuple):
        match source.args:
            case (start, Part(base=items, low=Const(value=1), high=None, step=None)) if start in (
                items,
                Part(items, None, Const(-1, INT), None, start.type),
            ):
                slots = tuple(each.slot for each in (left, right) if isinstance(each, Name))
                if slots == loop.target:
                    return applied(_ORDERS[sign], items)
                if slots == loop.target[::-1]:
                    return applied(_ORDERS[_MIRRORED[sign]], items)
        return None
    match left, right:
        case Item(base=items, index=one), Item(base=base, index=two) if items == base:
            (slot, first), (other, second) = shifted(one), shifted(two)
            low = _first_index(source, items)
            if not slot == other == loop.target or low is None or abs(first - second) != 1:
                return None
            if low + min(first, second) == 0:
                return applied(_ORDERS[sign if first < second else _MIRRORED[sign]], items)
    return None


def shifted(index: Node) -> tuple[int, int]:
    """Return the slot of the variable in `i + 1`, and what is added to it; -1 for another index."""
    match index:
        case Name(slot=slot):
            return slot, 0
        case Apply(args=(Name(slot=slot), Const(value=int(shift)))) if index.name in ("+", "-"):
            return slot, shift if index.name == "+" else -shift
    return -1, 0


def _first_index(source: Node, items: Node) -> int | None:
    """Return the start of a range that leaves out one position of the items."""
    match source:
        case Apply(args=(Apply(args=(length, Const(value=1))) as stop,)) if (
            source.name,
            stop.name,
        ) == ("range", "-"):
            return 0 if argument(length, "len") == items else None
        case Apply(args=(Const(value=int(low)), stop)) if source.name == "range":
            match stop:
                case Apply(args=(length, Const(value=1))) if stop.name == "-" and low == 0:
                    return 0 if argument(length, "len") == items else None
            return low if low == 1 and argument(stop, "len") == items else None
    return None


def _same_lengths(node: Apply) -> Node | None:
    """Read `all(len(row) == len(grid[0]) for row in grid)`."""
    match node.args:
        case (Many(body=Chain(operands=(left, right), signs=("==",)), loops=(loop,)),) if (
            node.name == "all" and not loop.conditions
        ):
            one, other = argument(left, "len"), argument(right, "len")
        case _:
            return None
    if isinstance(one, Item) and one.index == _ZERO:
        one, other = other, one
    match one, other:
        case Name(slot=slot), Item(base=base, index=Const(value=0)) if (
            slot == loop.target and base == loop.source
        ):
            return applied("is_rectangular", base)
    return None


def _all_different(node: Apply) -> Node | None:
    """Read `nums[i] != nums[j]` for all i < j."""
    match node.args:
        case (
            Many(
                body=Chain(
                    operands=(
                        Item(base=one, index=Name(slot=left)),
                        Item(base=other, index=Name(slot=right)),
                    ),
                    signs=("!=",),
                ),
                loops=(first, second),
            ),
        ) if node.name == "all" and one == other and not (first.conditions or second.conditions):
            match second.source:
                case Apply(args=(Apply(args=(Name(slot=start), Const(value=1))), stop)) if (
                    (first.target, second.target) == (start, max(left, right))
                    and start == min(left, right)
                    and _all_of(first.source) == argument(stop, "len") == one
                ):
                    return applied("is_unique", one)
    return None


def _all_of(source: Node) -> Node | None:
    """Return `p` for `range(len(p))`."""
    match source:
        case Apply(args=(stop,)) if source.name == "range":
            return argument(stop, "len")
    return None
