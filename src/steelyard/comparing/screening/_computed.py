"""Names of attributes that a module's text computes: from characters, or out of sight."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from steelyard.comparing.screening._facilities import OF_MODULES

_FROM_CHARACTERS = frozenset(
    {
        "chr",
        "bytes",
        "bytearray",
        "join",
        "decode",
        "translate",
        "maketrans",
        "fromhex",
        "b64decode",
        "b32decode",
        "b16decode",
        "b85decode",
        "a85decode",
        "unhexlify",
        "a2b_hex",
        "a2b_base64",
        "to_bytes",
        "tobytes",
        "swapcase",
        "rot13",
        "unpack",
        "reversed",
    }
)
"""What is called to make a text of what does not look like it."""
_GETTERS = frozenset({"getattr", "hasattr", "setattr", "delattr"})
_FACTORIES = frozenset({"attrgetter", "methodcaller"})
_LOOKED_UP = frozenset({"__getattribute__", "__getattr__", "__setattr__", "__delattr__"})
_TABLES = frozenset({"vars", "globals", "locals"})
_OF_TABLES = frozenset({"get", "pop", "setdefault", "__getitem__"})
_HOLDING_MORE = frozenset({*OF_MODULES, "time", "random"})
_MOST_ROUNDS = 8


class Computed:
    """Which expressions of a text are names made of characters, and where they are used as such.

    Args:
        tree: The text.
        written: Texts that are written out; none of them is computed.
        modules: Names that mean modules.
    """

    def __init__(
        self, tree: ast.Module, written: Mapping[ast.AST, str], modules: Mapping[str, str]
    ) -> None:
        self._written, self._modules = written, modules
        self._getters = {*_GETTERS}
        self._names: set[str] = set()
        nodes = list(ast.walk(tree))
        for _ in range(_MOST_ROUNDS):  # through variables and functions that give them
            size = len(self._names) + len(self._getters)
            for node in nodes:
                self._learn(node)
            if len(self._names) + len(self._getters) == size:
                break

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {each.id for each in targets if isinstance(each, ast.Name)}
            if isinstance(node.value, ast.Name) and node.value.id in self._getters:
                self._getters |= names
            elif node.value is not None and self.is_made(node.value):
                self._names |= names
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value and self.is_made(each.value):
                    self._names.add(node.name)

    def is_made(self, node: ast.AST) -> bool:
        """Whether an expression makes a text of characters, or of pieces in another order."""
        if node in self._written:
            return False
        if isinstance(node, ast.Name):
            return node.id in self._names
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
            if name in _FROM_CHARACTERS or name in self._names:
                return True
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            return name in ("str", "lower", "upper", "strip", "replace", "format") and any(
                self.is_made(each) for each in (inner, *node.args) if each is not None
            )
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice) and (
                isinstance(node.value, ast.Constant) or self.is_made(node.value)
            )
        if isinstance(node, ast.BinOp):
            return self.is_made(node.left) or self.is_made(node.right)
        if isinstance(node, ast.JoinedStr):
            return any(self.is_made(each) for each in node.values)
        if isinstance(node, ast.FormattedValue):
            return node.conversion == -1 and self.is_made(node.value)
        return False

    def used_at(self, node: ast.AST) -> bool:
        """Whether a node reaches for an attribute by such a name.

        Of a module that holds more than it is used for, by any name that does not stand there.
        """
        return any(
            self.is_made(name) or (self._is_module(of) and name not in self._written)
            for of, name in self._reached(node)
        )

    def _is_module(self, node: ast.AST | None) -> bool:
        return isinstance(node, ast.Name) and self._modules.get(node.id) in _HOLDING_MORE

    def _reached(self, node: ast.AST) -> Iterator[tuple[ast.AST | None, ast.AST]]:
        """What an attribute is taken of, and its name."""
        if isinstance(node, ast.Subscript) and _is_table(node.value):
            yield None, node.slice
        if not isinstance(node, ast.Call) or not node.args:
            return
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        if isinstance(node.func, ast.Name) and name in self._getters and len(node.args) > 1:
            yield node.args[0], node.args[1]
        elif name in _FACTORIES:
            yield None, node.args[0]
        elif isinstance(node.func, ast.Attribute):
            if name in _LOOKED_UP:
                yield node.func.value, node.args[0]
                if len(node.args) > 1:
                    yield node.args[0], node.args[1]
            elif name in _OF_TABLES and _is_table(node.func.value):
                yield None, node.args[0]


def _is_table(node: ast.AST) -> bool:
    """Whether an expression is the table of names of something."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__"
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in _TABLES
