r"""Write values as text that a C++ program reads with `std::cin >>`.

| type | text |
|---|---|
| `int` | its digits |
| `float` | the shortest digits that give the same number |
| `bool` | `1` or `0` |
| `str` | in double quotes; `"` and `\` have a `\` before them (`std::quoted` reads it) |
| `list[T]` | the number of items, then the items |
| `dict[str, T]` | the number of pairs, then each key with its value |
| `tuple[A, B]` | its items |
| `T \| None` | `0` for None, else `1` and the value |

White space separates them, and line breaks are for people only.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from steelyard.errors import SpecificationError
from steelyard.plain._types import PlainType, parse_type
from steelyard.schemas import Specification


def text_of_arguments(spec: Specification, args: Sequence[JsonValue]) -> str:
    """Return the standard input of a call: each argument on a line of its own, or on several.

    Raises:
        SpecificationError: if an argument cannot be written, such as an integer of 5,000 digits or
            half of a surrogate pair.
    """
    kinds = (parse_type(each.type) for each in spec.parameters)
    return "".join(f"{_text(kind, each)}\n" for kind, each in zip(kinds, args, strict=True))


def text_of_answer(spec: Specification, value: JsonValue) -> str:
    """Return the standard output for an answer; with `unordered`, each item has its own line.

    Raises:
        SpecificationError: if the answer cannot be written.
    """
    kind = parse_type(spec.returns)
    base = kind.base
    is_list = base.kind == "list"
    has_items = is_list or base.kind == "tuple"
    if spec.match_mode != "unordered" or not isinstance(value, list) or not has_items:
        return f"{_text(kind, value)}\n"
    lines = ["1"] if kind is not base else []
    lines += [str(len(value))] if is_list else []
    kinds = base.items * len(value) if is_list else base.items
    lines += [_text(item, each, " ") for item, each in zip(kinds, value, strict=True)]
    return "\n".join(lines) + "\n"


def _text(kind: PlainType, value: Any, between: str = "\n") -> str:
    """Return a value's text.

    Args:
        kind: The value's type.
        value: The value.
        between: Written between a list's parts: a line break at the top, a space inside a line.
    """
    try:
        return _plain(kind, value, between)
    except (TypeError, ValueError, AttributeError) as error:
        raise SpecificationError(
            f"a value of type {kind} cannot be written as text ({str(error)[:100]}); "
            "use smaller values"
        ) from error


def _plain(kind: PlainType, value: Any, between: str) -> str:
    match kind.kind:
        case "int":
            return str(int(value))
        case "float":
            return repr(float(value))
        case "bool":
            return "1" if value else "0"
        case "str":
            value.encode()  # half of a surrogate pair has no text
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case "none":
            return "0"
        case "optional":
            return "0" if value is None else f"1 {_plain(kind.items[0], value, ' ')}"
        case "tuple":
            pairs = zip(kind.items, value, strict=True)
            parts = [_plain(item, each, " ") for item, each in pairs]
            return (between if any(map(_is_long, kind.items)) else " ").join(parts)
        case "dict":
            item = kind.items[0]
            rows = [
                f"{_plain(_TEXT, key, ' ')} {_plain(item, each, ' ')}"
                for key, each in value.items()
            ]
            return between.join([str(len(rows)), *rows])
        case "list":
            item = kind.items[0]
            rows = [_plain(item, each, " ") for each in value]
            if between == "\n" and rows and not (_is_long(item) or _has_text(item)):
                return f"{len(rows)}\n{' '.join(rows)}"
            return between.join([str(len(rows)), *rows])
        case _:
            raise ValueError(f"no text for {kind}")


_TEXT = PlainType("str")


def _has_text(kind: PlainType) -> bool:
    """Return True for a type with texts, which may hold white space."""
    return kind.kind == "str" or any(map(_has_text, kind.items))


def _is_long(kind: PlainType) -> bool:
    """Return True for a type whose values have a line of their own in a list."""
    return kind.kind in ("list", "dict", "tuple") or any(map(_is_long, kind.items))
