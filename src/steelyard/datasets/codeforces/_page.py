"""Read a problem page of Codeforces."""

import re
from collections.abc import Iterator
from typing import Any

from steelyard.datasets.formats import one_line
from steelyard.datasets.rows import RowError, markdown_of, tidy

_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]+)")
_TITLE = re.compile(r"([A-Z][0-9]?)\.\s*(.+)")
_CONTEST = re.compile(r"/(?:contest|gym|problemset/problem)/([0-9]{1,7})\b")
_MAX_PAGE_BYTES = 16 << 20
_MAX_SAMPLES = 100


def read_page(html: bytes) -> dict[str, Any]:
    """Return the problem on a page: fields of a `Task`, and its `contest` and `index`.

    The contest's number is empty if the page does not name it. An index is such as `A` or `B2`.
    The statement is Markdown, with formulas between dollar signs. Inputs and outputs end with a
    line break.

    Raises:
        RowError: if it is not a problem page, has no samples, or its programs do not use standard
            input and output.
    """
    if len(html) > _MAX_PAGE_BYTES:
        raise RowError(f"a page of over {_MAX_PAGE_BYTES >> 20} MiB is not a problem page")
    try:
        return _page(html.decode("utf-8", "replace"))
    except RecursionError as error:
        raise RowError("the page nests too deep; save the page of one problem") from error


def _page(html: str) -> dict[str, Any]:
    from selectolax.lexbor import LexborHTMLParser  # an extra  # noqa: PLC0415

    tree = LexborHTMLParser(html)
    problem = tree.css_first("div.problem-statement")
    title = _TITLE.fullmatch(_flat(problem and problem.css_first("div.header div.title")))
    if problem is None or title is None:
        raise RowError("not a problem page of Codeforces; save the page of one problem")
    for name in ("input", "output"):
        file = _property(problem, f"{name}-file")
        if file and not file.startswith("standard"):
            raise RowError(f"its programs use the {name} file {file[:40]!r}, not standard {name}")
    tests = list(_samples(problem))
    if not tests:
        raise RowError("the page has no samples; save the whole page")
    linked = _CONTEST.search(" ".join(_links(tree)))
    megabytes = {"megabyte": 1, "mb": 1, "gigabyte": 1024}
    return {
        "contest": linked[1] if linked else "",
        "index": title[1],
        "title": one_line(title[2]),
        "prompt": _statement(problem),
        "tests": tests,
        "time_limit_ms": _amount(_property(problem, "time-limit"), {"second": 1000, "ms": 1}),
        "memory_limit_mib": _amount(_property(problem, "memory-limit"), megabytes),
    }


def _links(tree: Any) -> Iterator[str]:
    for selector, name in (
        ('link[rel="canonical"]', "href"),
        ('meta[property="og:url"]', "content"),
        ("table.rtable a", "href"),
        ("a", "href"),
    ):
        for node in tree.css(selector):
            yield node.attributes.get(name) or ""


def _flat(node: Any) -> str:
    return " ".join(node.text().split()) if node is not None else ""


def _property(problem: Any, name: str) -> str:
    """Return the value of a property in the header, without its own title."""
    node = problem.css_first(f"div.header div.{name}")
    if node is None:
        return ""
    return _flat(node).removeprefix(_flat(node.css_first("div.property-title"))).strip()


def _amount(text: str, units: dict[str, int]) -> int | None:
    match = _AMOUNT.match(text.lower())
    unit = next((unit for unit in units if match and match[2].startswith(unit)), None)
    return round(float(match[1]) * units[unit]) or None if match and unit else None


def _samples(problem: Any) -> Iterator[dict[str, str]]:
    inputs = problem.css("div.sample-test div.input pre")
    outputs = problem.css("div.sample-test div.output pre")
    if len(inputs) != len(outputs):
        raise RowError(f"the page has {len(inputs)} inputs and {len(outputs)} outputs of samples")
    for given, expected in zip(inputs[:_MAX_SAMPLES], outputs, strict=False):
        yield {"input": _lines(given), "expected": _lines(expected), "category": "visible"}


def _lines(pre: Any) -> str:
    """Return the text of a sample: a line each, without blanks at the ends."""
    marked = pre.css("div.test-example-line")
    if marked:
        text = "\n".join(node.text() for node in marked)
    else:
        text = "".join("\n" if node.tag == "br" else node.text(deep=False) for node in _leaves(pre))
    lines = [line.replace("\xa0", " ").rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n") + "\n"


def _leaves(node: Any) -> Iterator[Any]:
    for child in node.iter(include_text=True):
        if child.tag in ("-text", "br"):
            yield child
        else:
            yield from _leaves(child)


def _statement(problem: Any) -> str:
    parts = []
    for section in problem.iter():
        kind = section.attributes.get("class") or ""
        if kind in ("header", "sample-tests"):
            continue
        heading = section.css_first("div.section-title")
        text = markdown_of(section)
        if heading is not None:
            name = _flat(heading)
            text = f"## {name}\n\n{text.removeprefix(name).strip()}"
        parts.append(text)
    return tidy("\n\n".join(parts))
