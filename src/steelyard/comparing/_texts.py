"""The texts that are written out in a module, also in pieces."""

from __future__ import annotations

import ast

_MOST_CHARS = 4_096


def texts_written(tree: ast.Module) -> dict[ast.AST, str]:
    """Return the texts of a module that are neither documentation nor part of a larger text."""
    nodes = list(ast.walk(tree))
    known: dict[ast.AST, str] = {}
    parts: set[ast.AST] = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in reversed(nodes):  # what is inside comes first
        text = _text(node, known)
        if text is not None and len(text) <= _MOST_CHARS:
            known[node] = text
            parts.update(ast.iter_child_nodes(node))
    return {node: text for node, text in known.items() if node not in parts}


def _text(node: ast.AST, known: dict[ast.AST, str]) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=bytes(data)):
            return data.decode("latin-1")
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return known.get(value)
        case ast.JoinedStr(values=values):
            return _joined("", [known.get(each) for each in values])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined("", [known.get(left), known.get(right)])
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int(times))):
            text = known.get(left, "")
            return text * min(times, _MOST_CHARS // max(len(text), 1) + 1) or None
        case ast.Call(
            func=ast.Attribute(value=between, attr="join"),
            args=[ast.List(elts=values) | ast.Tuple(elts=values)],
        ):
            return _joined(known.get(between), [known.get(each) for each in values])
        case ast.Subscript(value=value, slice=ast.Slice(step=ast.UnaryOp(op=ast.USub()))):
            return known[value][::-1] if value in known else None
    return None


def _joined(between: str | None, pieces: list[str | None]) -> str | None:
    texts = [piece for piece in pieces if piece is not None]
    return None if between is None or len(texts) < len(pieces) else between.join(texts)
