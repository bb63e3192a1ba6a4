"""Turn the HTML of a statement into Markdown, with formulas between dollar signs."""

import re
from typing import Any

_BLOCKS = frozenset(
    {"p", "div", "ul", "ol", "li", "pre", "center", "table", "tr", "h1", "h2", "h3", "h4"}
)
_LISTS = frozenset({"ul", "ol", "table", "tbody", "tr"})
_SIGNS = {"sup": "^", "sub": "_"}
_MAX_DEPTH = 60


def markdown_of(node: Any, depth: int = 0) -> str:
    """Return the text of a parsed element; what nests too deep is plain text."""
    if depth > _MAX_DEPTH:
        return str(node.text())
    parts = []
    for child in node.iter(include_text=True):
        if child.tag == "-text" and node.tag in _LISTS and not child.text(deep=False).strip():
            continue
        if child.tag == "-text":
            text = child.text(deep=False)
            parts.append(text if node.tag == "pre" else re.sub(r"\s+", " ", text))
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag not in ("script", "style"):
            inner = markdown_of(child, depth + 1)
            if child.tag == "li":
                inner = f"- {inner.strip()}"
            parts.append(f"{_SIGNS.get(child.tag, '')}{inner}")
            if child.tag in _BLOCKS:
                parts.append("\n" if child.tag == "li" else "\n\n")
    return "".join(parts)


def tidy(text: str) -> str:
    """Return Markdown with one dollar sign around formulas, and one blank line between blocks."""
    text = text.replace("$$$", "$").replace("\xa0", " ")
    return re.sub(r"[ \t]*\n(?:[ \t]*\n)+", "\n\n", text).strip()
