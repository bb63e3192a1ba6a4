"""Split a prompt into lines and Markdown fences."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: the lines between the marks at `start` and `end`."""

    start: int
    end: int
    info: str
    """The text after the opening marks, such as `text`."""


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a prompt, counted from 0, and the fence that starts or ends at a line."""

    lines: list[str]
    fences: dict[int, Fence]
    ends: dict[int, Fence]
    fenced: list[bool]
    """By line: it is within a fence."""

    def content_of(self, fence: Fence) -> list[str]:
        """Return the lines of a fence, without the indentation of its opening marks."""
        opening = self.lines[fence.start]
        indent = len(opening) - len(opening.lstrip(" \t"))
        return [
            line[indent:] if not line[:indent].strip(" \t") else line
            for line in self.lines[fence.start + 1 : fence.end]
        ]


def read_page(prompt: str) -> Page:
    """Split a prompt into lines and pair its fences.

    A fence that is never closed does not count: its line and all after it are plain text.
    """
    lines = prompt.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    page = Page(lines, {}, {}, [False] * len(lines))
    start, marks, info = -1, "", ""
    for number, line in enumerate(lines):
        bare = line.strip(" \t")
        if not bare.startswith(("```", "~~~")):
            continue
        run = len(bare) - len(bare.lstrip(bare[0]))
        rest = bare[run:].strip(" \t")
        if start < 0:
            if "`" not in rest:
                start, marks, info = number, bare[:run], rest
        elif not rest and bare[0] == marks[0] and run >= len(marks):
            fence = Fence(start, number, info)
            page.fences[start] = page.ends[number] = fence
            page.fenced[start + 1 : number] = [True] * (number - start - 1)
            start = -1
    return page
