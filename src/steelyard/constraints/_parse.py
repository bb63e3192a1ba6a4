"""Read one constraint: a text of Python's syntax becomes a typed tree."""

import ast
import warnings
from collections.abc import Mapping

from steelyard._printable import printable
from steelyard.constraints._free import quantified
from steelyard.constraints._idioms import simplified
from steelyard.constraints._notation import plain_notation
from steelyard.constraints._operations import FUNCTIONS
from steelyard.constraints._reader import CLASSES, Reader
from steelyard.constraints._sugar import NAMES, plain_forms
from steelyard.constraints._tree import Constraint
from steelyard.constraints._typing import FormError
from steelyard.errors import SpecificationError
from steelyard.values import PlainType

MAX_CHARS = 1_000


def parse_constraint(text: str, parameters: Mapping[str, PlainType]) -> Constraint:
    """Read one constraint.

    Args:
        text: A Python expression of the closed language, such as `1 <= len(nums) <= 10**5`.
            `nums[i]` with a name `i` that is not defined means every item.
        parameters: The parameters' types, in their order.

    Raises:
        SpecificationError: if it cannot be read; the message names the fault and its column.
    """
    if len(text) > MAX_CHARS:
        raise _unreadable(text, f"it has {len(text)} characters; use at most {MAX_CHARS}")
    plain = plain_notation(text, parameters)
    read = "" if plain == text.strip() else f" of {plain!r}"
    try:
        tree = _parsed(plain, parameters)
        reader = Reader(parameters)
        node = simplified(reader.condition(tree))
    except FormError as fault:
        raise _unreadable(text, f"column {fault.column}{read}: {fault}") from None
    except SyntaxError as error:
        reason = f"column {error.offset or 1}{read}: {printable(str(error.msg))[:80]}"
        raise _unreadable(text, f"{reason}; write one Python expression") from None
    except (ValueError, RecursionError, MemoryError):
        raise _unreadable(text, "it is nested too deeply or not text; write it shorter") from None
    if not reader.used:
        raise _unreadable(text, "it names no parameter; name one, or remove the constraint")
    return Constraint(text, frozenset(reader.used), node, reader.slots)


def _parsed(text: str, parameters: Mapping[str, PlainType]) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text, mode="eval").body
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.arg)]
    if not text.isascii():
        encoded = text.encode()
        for node in names:  # Python reads look-alikes as the same name
            name = node.id if isinstance(node, ast.Name) else node.arg
            if (
                encoded[node.col_offset : node.end_col_offset] != name.encode()
                or not name.isascii()
            ):
                raise FormError(node, "a name has letters other than a to z; use ASCII letters")
    known = frozenset(parameters) | FUNCTIONS.keys() | NAMES | CLASSES
    return quantified(plain_forms(tree, known), known)


def _unreadable(text: str, reason: str) -> SpecificationError:
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    return SpecificationError(f"constraint {shown!r} cannot be read: {reason}")
