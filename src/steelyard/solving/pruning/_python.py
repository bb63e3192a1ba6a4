"""Parse Python into a tree of blocks with `ast`."""

from __future__ import annotations

import ast

from steelyard._python_trees import python_tree
from steelyard.solving.pruning._tree import DEEPEST, LONGEST_LINE, MOST_STATEMENTS, Block, Line

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MOST_SEARCHED = 2_000


def parse_python(source: str) -> Block:
    """Return the tree of a program; an empty one if the text is not valid Python."""
    root = Block("root", "", 0)
    try:
        tree = python_tree(source)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return root
    _PythonParser(source).fill(root, tree.body, 0)
    return root


class _PythonParser:
    def __init__(self, source: str) -> None:
        self._lines = [line.encode(errors="replace") for line in source.split("\n")]
        self._count = 0

    def fill(self, block: Block, body: list[ast.stmt], depth: int) -> None:
        """The statements as the block's children."""
        if depth > DEEPEST:
            return
        for statement in body:
            self._statement(block, statement, depth)

    def _statement(self, block: Block, node: ast.stmt, depth: int) -> None:
        row = _place(node)
        self._count += 1
        if self._count > MOST_STATEMENTS:
            return
        if isinstance(node, ast.For | ast.AsyncFor):
            header = f"for {self._text(node.target)} in {self._text(node.iter)}"
            self._inside(block, Block("loop", header, row), node.body, depth)
            self.fill(block, node.orelse, depth + 1)
        elif isinstance(node, ast.While):
            header = f"while {self._text(node.test)}"
            self._inside(block, Block("loop", header, row), node.body, depth)
        elif isinstance(node, ast.If):
            header = f"if {self._text(node.test)}"
            self._inside(block, Block("branch", header, row), node.body, depth)
            if node.orelse:
                self._inside(block, Block("branch", "else", row + 1), node.orelse, depth)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            params = tuple(each.arg for each in node.args.args)
            marks = " ".join(f"@{self._text(each)}" for each in node.decorator_list)
            header = f"def {node.name}({', '.join(params)})"
            inside = Block("function", header, row, node.name, params)
            if marks:
                inside.children.append(Line(marks, row + 1))
            self._inside(block, inside, node.body, depth)
        elif isinstance(node, ast.ClassDef | ast.With | ast.AsyncWith):
            self.fill(block, node.body, depth + 1)
        elif isinstance(node, ast.Try):
            self.fill(block, node.body, depth + 1)
            self.fill(block, node.finalbody, depth + 1)
        else:
            self._plain(block, node)

    def _inside(self, block: Block, inside: Block, body: list[ast.stmt], depth: int) -> None:
        block.children.append(inside)
        self.fill(inside, body, depth + 1)

    def _plain(self, block: Block, node: ast.stmt) -> None:
        """A statement; its comprehensions are loops."""
        text = self._text(node)
        block.children.append(Line(text, _place(node)))
        if " for " not in text:
            return
        for comprehension in _comprehensions(node):
            here = block
            for generator in comprehension.generators[:10]:
                over = f"for {self._text(generator.target)} in {self._text(generator.iter)}"
                loop = Block("loop", over, _place(generator.target))
                here.children.append(loop)
                here = loop
                for test in generator.ifs:
                    here.children.append(Line(f"if {self._text(test)}", _place(test)))

    def _text(self, node: ast.expr | ast.stmt) -> str:
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if last == first:
            taken = self._lines[first][node.col_offset : node.end_col_offset]
        else:
            parts = [self._lines[first][node.col_offset :], *self._lines[first + 1 : last]]
            parts = [*parts[:20], self._lines[last][: node.end_col_offset]]
            taken = b" ".join(part[:LONGEST_LINE] for part in parts)
        text = taken[: 4 * LONGEST_LINE].decode("utf-8", errors="replace")
        return " ".join(text.split())[:LONGEST_LINE]


def _place(node: ast.expr | ast.stmt) -> int:
    return node.lineno * 10_000 + node.col_offset


def _comprehensions(
    node: ast.AST,
) -> list[ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp]:
    """Return the outermost comprehensions of a statement."""
    found: list[ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp] = []
    stack, looked = [node], 0
    while stack and looked < _MOST_SEARCHED:
        here = stack.pop()
        looked += 1
        if isinstance(here, _COMPREHENSIONS):
            found.append(here)
        else:
            stack.extend(ast.iter_child_nodes(here))
    return found
