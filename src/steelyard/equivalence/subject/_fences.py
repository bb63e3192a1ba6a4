"""Code in a text that a language model wrote: its fenced blocks."""

import re
from dataclasses import dataclass

from steelyard.equivalence.subject._parsing import split_lines

__all__ = ["Block", "fenced_blocks"]

_FENCE = re.compile(r"([ \t>]*)(`{3,}|~{3,})[ \t]*([\w+.#-]*)[^`\r\n]*\Z")
_MOST_BLOCKS = 100


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences."""

    language: str
    """As the fence names it, in lower case; empty where it does not."""
    text: str


def fenced_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text, in order; one that is not closed ends with the text.

    Source: CommonMark 0.31, section 4.5, Fenced code blocks.
    """
    blocks: list[Block] = []
    fence, language, indent = "", "", ""
    held: list[str] = []
    for line in split_lines(text):
        bare = line.rstrip("\r\n")
        mark = _FENCE.match(bare) if "```" in bare or "~~~" in bare else None
        if not fence:
            if mark is not None:
                indent, fence, language = mark[1], mark[2], mark[3].lower()
            continue
        closes = bare.strip()
        if mark is not None and closes == closes[0] * len(closes) and closes.startswith(fence):
            blocks.append(Block(language, "".join(held)))
            fence, held = "", []
        else:
            held.append(line.removeprefix(indent))
        if len(blocks) >= _MOST_BLOCKS:
            return blocks
    if fence and held:
        blocks.append(Block(language, "".join(held)))
    return blocks
