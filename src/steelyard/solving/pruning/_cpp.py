"""Parse C++ into a tree of blocks with tree-sitter."""

from __future__ import annotations

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from steelyard.solving.pruning._pseudocode import parameters
from steelyard.solving.pruning._tree import DEEPEST, LONGEST_LINE, MOST_STATEMENTS, Block, Line

_LOOPS = frozenset({"for_statement", "for_range_loop", "while_statement", "do_statement"})
_CLAUSES = frozenset(
    {
        "compound_statement",
        "else_clause",
        "case_statement",
        "labeled_statement",
        "try_statement",
        "catch_clause",
        "namespace_definition",
        "declaration_list",
        "class_specifier",
        "struct_specifier",
        "field_declaration_list",
        "template_declaration",
        "linkage_specification",
    }
)
_MOST_SEARCHED = 2_000


def parse_cpp(source: str) -> Block:
    """Return the tree of a program; unknown text is a plain line."""
    content = source.encode("utf-8", errors="replace")
    tree = Parser(Language(tree_sitter_cpp.language())).parse(content)
    root = Block("root", "", 0)
    _CppParser(content).fill(root, tree.root_node, 0)
    return root


class _CppParser:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._count = 0

    def fill(self, block: Block, node: Node, depth: int) -> None:
        """The statements of a node as the block's children."""
        if depth > DEEPEST:
            return
        for child in node.named_children:
            self._statement(block, child, depth)

    def _statement(self, block: Block, node: Node, depth: int) -> None:
        kind = node.type
        self._count += 1
        if self._count > MOST_STATEMENTS:
            return
        if kind == "comment":
            return
        if kind in _LOOPS:
            self._loop(block, node, depth)
        elif kind in {"if_statement", "switch_statement"}:
            self._branch(block, node, depth)
        elif kind == "function_definition":
            self._function(block, node, depth)
        elif kind == "else_clause":
            inside = Block("branch", "else", _place(node))
            block.children.append(inside)
            self.fill(inside, node, depth + 1)
        elif kind in _CLAUSES:
            self.fill(block, node, depth + 1)
        else:
            self._plain(block, node, depth)

    def _loop(self, block: Block, node: Node, depth: int) -> None:
        body = node.child_by_field_name("body")
        if node.type == "do_statement":
            condition = node.child_by_field_name("condition")
            header = "do while " + (self._text(condition) if condition else "")
        elif node.type == "for_range_loop":
            each, over = node.child_by_field_name("declarator"), node.child_by_field_name("right")
            header = f"for {self._text(each) if each else ''} in {self._text(over) if over else ''}"
        else:
            end = body.start_byte if body else node.end_byte
            header = self._slice(node.start_byte, end)
        inside = Block("loop", header, _place(node))
        block.children.append(inside)
        if body is not None:
            self._statement(inside, body, depth + 1)

    def _branch(self, block: Block, node: Node, depth: int) -> None:
        condition = node.child_by_field_name("condition")
        then = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        text = self._text(condition) if condition else ""
        inside = Block("branch", f"if {text}", _place(node))
        block.children.append(inside)
        if then is not None and depth < DEEPEST:
            self._statement(inside, then, depth + 1)
        otherwise = node.child_by_field_name("alternative")
        if otherwise is not None and depth < DEEPEST:
            self._statement(block, otherwise, depth + 1)

    def _function(self, block: Block, node: Node, depth: int) -> None:
        body = node.child_by_field_name("body")
        header = self._slice(node.start_byte, body.start_byte if body else node.end_byte)
        before, _, after = header.partition("(")
        name = before.split()[-1].strip("*&~") if before.split() else ""
        inside = Block(
            "function",
            header,
            _place(node),
            name.rsplit("::", 1)[-1],
            parameters(after.rsplit(")", 1)[0]),
        )
        block.children.append(inside)
        if body is not None:
            self.fill(inside, body, depth + 1)

    def _plain(self, block: Block, node: Node, depth: int) -> None:
        """A statement; the lambdas in it are functions of their own."""
        lambdas = _lambdas(node)
        if not lambdas:
            block.children.append(Line(self._text(node), _place(node)))
            return
        first = self._slice(node.start_byte, lambdas[0].start_byte)
        name = first.rsplit("=", 1)[0].split()[-1] if "=" in first else ""
        block.children.append(Line(first if not name else f"{name} is a function", _place(node)))
        for each in lambdas[:10]:
            body = each.child_by_field_name("body")
            if body is None:
                continue
            header = self._slice(each.start_byte, body.start_byte)
            inside = Block("function", f"{name}{header}", _place(each), name)
            block.children.append(inside)
            self.fill(inside, body, depth + 1)

    def _text(self, node: Node) -> str:
        return self._slice(node.start_byte, node.end_byte)

    def _slice(self, start: int, end: int) -> str:
        taken = self._content[start : min(end, start + LONGEST_LINE)]
        return " ".join(taken.decode("utf-8", errors="replace").split())


def _place(node: Node) -> int:
    return int(node.start_byte) + 1


def _lambdas(node: Node) -> list[Node]:
    """Return the outermost lambdas of a statement."""
    found, stack, looked = [], [node], 0
    while stack and looked < _MOST_SEARCHED:
        here = stack.pop()
        looked += 1
        if here.type == "lambda_expression":
            found.append(here)
        else:
            stack.extend(reversed(here.named_children))
    return found
