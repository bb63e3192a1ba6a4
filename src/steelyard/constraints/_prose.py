"""Write a constraint in English, part by part, so that each form of the language has a phrase."""

from itertools import pairwise

from steelyard._printable import printable
from steelyard.constraints._operations import SUM
from steelyard.constraints._tree import (
    BOOL,
    INT,
    TURNED,
    Apply,
    Chain,
    Choice,
    Const,
    Constraint,
    Display,
    Item,
    Kept,
    Logic,
    Loop,
    Many,
    Name,
    Node,
    Part,
    Sign,
    inverted,
    walk,
)

_WORDS: dict[Sign, str] = {
    "<": "is less than",
    "<=": "is at most",
    ">": "is greater than",
    ">=": "is at least",
    "==": "is",
    "!=": "is not",
    "in": "is in",
    "not in": "is not in",
}
_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"})
_NEGATIVE = {
    " is not empty": " is empty",
    " is ": " is not ",
    " starts with ": " does not start with ",
    " ends with ": " does not end with ",
    " has only ": " does not have only ",
}
_LISTING = frozenset({"min", "max", "gcd", "zip", "range"})
_LONG = 10_000


def prose_of(constraint: Constraint) -> str:
    """Return a constraint as an English clause: `the length of nums is from 1 to 10^5`."""
    return _phrase(constraint.tree, {})


def phrase_of(node: Node, loops: tuple[Loop, ...]) -> str:
    """Return a part of a constraint in English, as it is inside of loops."""
    if not loops:
        return _phrase(node, {})
    names = _each_item(Many(node, loops, node.type), {})
    return _phrase(node, {}) + " " + _loops(loops, {}) if names is None else _phrase(node, names)


Names = dict[int, str]
"""What the variables of loops are called, by their slots."""


def number(value: float) -> str:
    """Return a number as people write it: `10^9`, `2 * 10^5`, `2^31 - 1`, `9,999`."""
    if type(value) is float and value.is_integer() and _LONG <= abs(value) < 1e18:
        value = int(value)
    if not isinstance(value, int) or abs(value) < _LONG:
        return f"{value:,}" if isinstance(value, int) else repr(value)
    sign, size = "-" * (value < 0), abs(value)
    if size.bit_length() > 256:
        return f"a number of {size.bit_length()} bits"
    digits = str(size).rstrip("0")
    zeros = len(str(size)) - len(digits)
    if zeros >= 4 and len(digits) <= 3:
        return f"{sign}{f'{digits} * ' if digits != '1' else ''}10^{zeros}"
    for near, rest in ((size, ""), (size + 1, " - 1"), (size - 1, " + 1")):
        if near & (near - 1) == 0 and size > 1 << 15:
            return (
                f"{sign}(2^{near.bit_length() - 1}{rest})"
                if sign and rest
                else (f"{sign}2^{near.bit_length() - 1}{rest}")
            )
    return f"{value:,}"


def _phrase(node: Node, names: Names) -> str:
    match node:
        case Const(value=tuple(classes)):
            return " or ".join(classes)
        case Const(value=value):
            return _constant(value)
        case Name(name=name, slot=slot):
            return names.get(slot, name)
        case Chain():
            return _chain(node, names)
        case Logic(sign="not", items=(item,)):
            return _negated(item, names)
        case Logic():
            return _logic(node, names)
        case Kept(body=body):
            return _phrase(body, names)
        case Choice(test=test, then=then, other=other):
            a, b, c = (_phrase(each, names) for each in (test, then, other))
            return f"{b} if {a}, else {c}"
        case Apply():
            return _apply(node, names)
        case Item(base=base, index=index):
            whole, place = _noun(base, names), _phrase(index, names)
            if place in ("0", "-1") and "[" not in whole:
                return f"the {'first' if place == '0' else 'last'} item of {whole}"
            is_phrase = whole.startswith(("the ", "each ", "item ", "("))
            return f"item {place} of {whole}" if is_phrase else f"{whole}[{place}]"
        case Part(base=base, low=None, high=None, step=Const(value=-1)):
            return f"{_noun(base, names)} reversed"
        case Part(base=base, low=low, high=high, step=step):
            ends = [_phrase(end, names) if end else "" for end in (low, high)]
            tail = f":{_phrase(step, names)}" if step else ""
            return f"{_noun(base, names)}[{':'.join(ends)}{tail}]"
        case Display(items=items, type=kind):
            inside = ", ".join(_phrase(item, names) for item in items)
            return {"list": "[{}]", "set": "{{{}}}"}.get(kind.kind, "({})").format(inside)
        case Many(body=body, loops=loops):
            return f"{_phrase(body, names)} {_loops(loops, names)}"


def _constant(value: object) -> str:
    if isinstance(value, str):
        return f"'{printable(value)}'"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    return str(value)


def _noun(node: Node, names: Names) -> str:
    """Return a phrase that can be part of another one."""
    text = _phrase(node, names)
    if isinstance(node, Choice | Chain | Logic) or (
        isinstance(node, Apply) and node.name in _ARITHMETIC
    ):
        return f"({text})"
    return text


def _chain(node: Chain, names: Names) -> str:
    match node:
        case Chain(operands=(low, middle, high), signs=(first, second)) if first[0] == second[0]:
            subject, ends = _phrase(middle, names), (_phrase(low, names), _phrase(high, names))
            if (first, second) == ("<=", "<="):
                return f"{subject} is from {ends[0]} to {ends[1]}"
            if first in TURNED:
                other = _WORDS[second].removeprefix("is ")
                return f"{subject} {_WORDS[TURNED[first]]} {ends[0]} and {other} {ends[1]}"
        case Chain(
            operands=(Apply(args=(whole, Const(value=divisor))) as rest, Const(value=0)),
            signs=("==" | "!=" as sign,),
        ) if rest.name == "%":
            return f"{_noun(whole, names)} {_WORDS[sign]} divisible by {_constant(divisor)}"
        case Chain(operands=(Apply(args=(items,)) as left, right), signs=("<=",)) if (
            left.name == "set"
        ):
            allowed = right.args[0] if isinstance(right, Apply) and right.name == "set" else right
            return f"{_noun(items, names)} has only items of {_choices(allowed, names)}"
    parts = []
    for each, (before, after) in zip(node.signs, pairwise(node.operands), strict=True):
        if isinstance(before, Const) and each in TURNED:
            parts.append(f"{_phrase(after, names)} {_WORDS[TURNED[each]]} {_phrase(before, names)}")
        else:
            parts.append(f"{_phrase(before, names)} {_WORDS[each]} {_choices(after, names, each)}")
    return " and ".join(parts)


def _choices(node: Node, names: Names, sign: Sign = "in") -> str:
    if "in" in sign and isinstance(node, Const) and isinstance(node.value, str):
        return f"the characters {_constant(node.value)}"
    return _phrase(node, names)


def _logic(node: Logic, names: Names) -> str:
    first, *rest = node.items
    if node.sign == "or" and isinstance(first, Logic) and first.sign == "not":
        then = " or ".join(_phrase(item, names) for item in rest)
        return f"if {_phrase(first.items[0], names)}, then {then}"
    parts = [_phrase(item, names) for item in node.items]
    nested = [
        f"({part})"
        if (isinstance(item, Logic) and item.sign != "not")
        or (part.startswith(("for each ", "for some ")) and item is not node.items[-1])
        else part
        for part, item in zip(parts, node.items, strict=True)
    ]
    return f" {node.sign} ".join(nested)


def _negated(node: Node, names: Names) -> str:
    match node:
        case Chain() if other := inverted(node):
            return _chain(other, names)
        case Logic(sign="not", items=(item,)):
            return _phrase(item, names)
    text = _phrase(node, names)
    for word, opposite in _NEGATIVE.items():
        if isinstance(node, Apply) and text.count(word) == 1:
            return text.replace(word, opposite)
    return f"it is not true that {text}"


def _apply(node: Apply, names: Names) -> str:
    name, args = node.name, node.args
    if name in ("all", "any") and isinstance(args[0], Many):
        return _quantified(args[0], names, is_all=name == "all")
    if not node.operation.phrase:
        return f" {name} ".join(_noun(arg, names) for arg in args)
    if name in ("sum", "len") and args and isinstance(args[0], Many):
        many = args[0]
        if name == "len" or many.body == Const(1, INT):
            return f"the number of {_loops(many.loops, names, '')}"
        if many.body.type == BOOL:
            counted = f"{_loops(many.loops, names, '')} with {_phrase(many.body, names)}"
            return f"the number of {counted}"
        return f"the sum of {_phrase(many.body, names)} {_loops(many.loops, names)}"
    if name == "is_permutation" and args[1] in (Const(0, INT), Const(1, INT)):
        low, high = ("0", " - 1") if args[1] == Const(0, INT) else ("1", "")
        text = _noun(args[0], names)
        return f"{text} is a permutation of {low} to the length of {text}{high}"
    if name == "range" and len(args) <= 2:
        return f"the integers from {_range(node, names)}"
    texts = [_noun(arg, names) for arg in args]
    if "nodes {2}" in node.operation.phrase:
        texts[2] = _nodes(args[0], args[2], names)
    elif name in _LISTING:
        texts = [", ".join(texts)]
    return node.operation.phrase.format(*texts)


def _range(node: Apply, names: Names) -> str:
    return (
        _span(node.args[0], node.args[1], names)
        if len(node.args) == 2
        else (_span(Const(0, INT), node.args[0], names))
    )


def _nodes(count: Node, start: Node, names: Names) -> str:
    """Return `0 to n - 1` or `1 to n` for the nodes of a graph."""
    return _span(start, Apply(SUM, (count, start), INT) if start != Const(0, INT) else count, names)


def _span(low: Node, stop: Node, names: Names) -> str:
    """Return `1 to n - 1` for a range that stops before n."""
    shift = -1
    match stop:
        case Apply(args=(left, Const(value=int(more)))) as total if total.name in ("+", "-"):
            stop, shift = left, shift + (more if total.name == "+" else -more)
    end = _noun(stop, names)
    if isinstance(stop, Const) and isinstance(stop.value, int):
        end, shift = number(stop.value + shift), 0
    tail = f" {'+' if shift > 0 else '-'} {abs(shift)}" if shift else ""
    return f"{_noun(low, names)} to {end}{tail}"


def _quantified(many: Many, names: Names, *, is_all: bool) -> str:
    if is_all and (items := _each_item(many, names)):
        return _phrase(many.body, {**names, **items})
    loops = _loops(many.loops, names, "for each " if is_all else "for some ")
    return f"{loops}, {_phrase(many.body, names)}"


def _each_item(many: Many, names: Names) -> Names | None:
    """Return `each item of nums` for the variable of loops without conditions.

    A body with `or` needs a variable: two mentions of "each item" would be two items.
    """
    if any(isinstance(node, Logic) and node.sign == "or" for node in walk(many.body)):
        return None
    inner = dict(names)
    for loop, follower in zip(many.loops, [*many.loops[1:], None], strict=True):
        slot = loop.target
        user = follower.source if follower else many.body
        if not isinstance(slot, int) or loop.conditions or not _uses(user, slot):
            return None
        if follower and (not isinstance(user, Name) or _uses(many.body, slot)):
            return None
        if not isinstance(loop.source, Name):
            return None
        kind = "character" if loop.source.type.base.kind == "str" else "item"
        inner[slot] = f"each {kind} of {_phrase(loop.source, inner)}"
    return inner


def _uses(node: Node, slot: int) -> bool:
    return any(isinstance(each, Name) and each.slot == slot for each in walk(node))


def _loops(loops: tuple[Loop, ...], names: Names, start: str = "for each ") -> str:
    return start + " and ".join(_loop(loop, names) for loop in loops)


def _loop(loop: Loop, names: Names) -> str:
    variables = ", ".join(loop.names)
    match loop.source:
        case Apply(args=(Apply(args=(items,), operation=length),), operation=source) if (
            source.name,
            length.name,
        ) == ("range", "len"):
            text = f"position {variables} in {_noun(items, names)}"
        case Apply() as source if source.name == "range" and len(source.args) <= 2:
            text = f"{variables} from {_range(source, names)}"
        case Apply(args=(items, Const(value=0)), operation=source) if source.name == "enumerate":
            text = f"position and item {variables} of {_noun(items, names)}"
        case source:
            text = f"{variables} in {_noun(source, names)}"
    for condition in loop.conditions:
        text += f" with {_phrase(condition, names)}"
    return text
