"""Fetch problems of Codeforces: by its public API and pages, or from saved pages.

1. The API lists the problems of a contest. Pages are fetched politely: one request at a time,
   with a pause, a cache and limits.
2. A page is read as fields of a task. Its statement becomes Markdown, its samples become tests.
3. A problem that cannot be read is left out, with the reason.
"""

import hashlib
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import ValidationError

from steelyard._replaced_files import replacing
from steelyard.datasets.formats import Fields, markdown_of, one_line, tidy
from steelyard.datasets.rows import OnFault, RowError, decode_json, require
from steelyard.errors import DatasetError, InfrastructureError
from steelyard.schemas import Provenance, RowFault, Task
from steelyard.settings import current_settings

CODEFORCES_URL: Final = "https://codeforces.com"
_MAX_PROBLEMS = 100
INTERVAL_S: Final = 2.0
"""Pause between requests. Source: the API's page allows one request in two seconds."""
_TIMEOUT_S = 30.0
_MAX_BYTES = 16 << 20
_AGENT = "steelyard-datasets (+https://github.com/steelyard/steelyard)"


def fetch_contest(
    contest: int,
    *,
    on_fault: OnFault,
    site: str = CODEFORCES_URL,
    interval_s: float = INTERVAL_S,
    refresh: bool = False,
) -> Iterator[Task]:
    """Yield the problems of a contest, with the samples as their tests.

    Codeforces publishes only the samples. A program that passes them may still be wrong.

    Args:
        contest: The contest's number.
        on_fault: Receives each problem that is left out.
        site: The site, for a mirror.
        interval_s: Pause between requests, in seconds.
        refresh: Fetch again what the cache holds.

    Raises:
        DatasetError: if there is no such contest, or the parser of pages is not installed.
        InfrastructureError: if the site cannot be reached.
    """
    require("selectolax", "datasets")
    if urlsplit(site).scheme not in ("http", "https"):
        raise DatasetError(f"{site!r} is not the address of a site; write https://HOST")
    web = _Web(
        site, current_settings().cache.dir / "codeforces", interval_s=interval_s, refresh=refresh
    )
    listing = f"/api/contest.standings?contestId={contest}&from=1&count=1"
    try:
        result = Fields(_object(web.get(listing))).within("result")
        problems = result.objects("problems")[:_MAX_PROBLEMS]
        about = result.within("contest")
        published = about.day("startTimeSeconds")
        if not problems:
            raise RowError("the answer lists no problems")
    except RowError as error:
        raise DatasetError(f"contest {contest} of {web.site}: {error}") from error
    for row, problem in enumerate(problems, start=1):
        url = f"{web.site}/contest/{contest}"
        try:
            path = f"/contest/{contest}/problem/{_index(problem)}"
            url = f"{web.site}{path}"
            html = web.get(path)
            yield _task(
                _read_page(html),
                html,
                contest=str(contest),
                file=url,
                row=row,
                url=url,
                published=published,
                about=problem,
            )
        except RowError as error:
            on_fault(RowFault(file=url, message=str(error)))


def read_pages(source: Path, *, on_fault: OnFault, contest: int | None = None) -> Iterator[Task]:
    """Yield the problems on saved pages: a file, or the `.html` files of a folder.

    Args:
        source: The file or folder.
        on_fault: Receives each page that is left out.
        contest: The contest's number; None takes it from the page's links.

    Raises:
        DatasetError: if there are no pages, or their parser is not installed.
    """
    require("selectolax", "datasets")
    files = sorted(source.glob("*.htm*")) if source.is_dir() else [source]
    if not files or not all(map(Path.is_file, files)):
        raise DatasetError(f"{source} holds no saved pages (.html); check the path")
    for file in files:
        try:
            html = file.read_bytes()
            page = _read_page(html)
            number = str(contest or page["contest"])
            if not number:
                raise RowError("the page does not name its contest; give --contest")
            yield _task(
                page,
                html,
                contest=number,
                file=file.name,
                row=None,
                url="",
                published=None,
                about=Fields({}),
            )
        except RowError as error:
            on_fault(RowFault(file=str(file), message=str(error)))
        except OSError as error:
            on_fault(RowFault(file=str(file), message=f"it cannot be read: {error.strerror}"))


def _object(data: bytes) -> dict[str, object]:
    value = decode_json(data)
    if not isinstance(value, dict):
        raise RowError("the answer is not an object")
    if value.get("status") != "OK":
        raise RowError(one_line(f"the site answers: {value.get('comment', 'no reason')}"))
    return value


def _index(problem: Fields) -> str:
    index = problem.text("index")
    if not (index.isascii() and index.isalnum() and len(index) < 4):
        raise RowError(f"{one_line(index)!r} is not the index of a problem")
    return index


def _task(
    page: dict[str, Any],
    html: bytes,
    *,
    contest: str,
    file: str,
    row: int | None,
    url: str,
    published: date | None,
    about: Fields,
) -> Task:
    fields = {
        **{name: value for name, value in page.items() if name not in ("contest", "index")},
        "id": f"{contest}/{page['index']}",
        "source": "codeforces",
        "match_mode": "tokens",
        "difficulty": about.line("rating"),
        "tags": [one_line(tag) for tag in about.texts("tags") if tag],
        "group": contest,
        "published": published,
        "provenance": Provenance(
            file=Path(file).name, row=row, url=url, digest=hashlib.sha256(html).hexdigest()
        ),
        "extra": {"fetched": datetime.now(UTC).date().isoformat()} if url else {},
    }
    try:
        return Task.model_validate(fields)
    except ValidationError as error:
        raise RowError(f"the page has a fault: {error.errors()[0]['msg']}") from error


class _Web:
    """Pages of one site. What was fetched once is read from the cache."""

    def __init__(
        self, site: str, cache: Path, *, interval_s: float = INTERVAL_S, refresh: bool = False
    ) -> None:
        self.site = site.rstrip("/")
        self._cache = cache
        self._interval_s = interval_s
        self._refresh = refresh
        self._last = -interval_s

    def get(self, path: str) -> bytes:
        """Return a page.

        Raises:
            RowError: if the site refuses it or it is too large.
            InfrastructureError: if the site cannot be reached.
        """
        url = f"{self.site}{path}"
        file = self._cache / f"{hashlib.sha256(url.encode()).hexdigest()}.page"
        if not self._refresh:
            with suppress(OSError):
                return file.read_bytes()
        data = self._fetched(url)
        with suppress(OSError):  # without a cache the next call fetches it again
            self._cache.mkdir(parents=True, exist_ok=True)
            with replacing(file) as out:
                out.buffer.write(data)
        return data

    def _fetched(self, url: str) -> bytes:
        time.sleep(max(0.0, self._last + self._interval_s - time.monotonic()))
        request = urllib.request.Request(url, headers={"User-Agent": _AGENT})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as reply:  # noqa: S310
                data: bytes = reply.read(_MAX_BYTES + 1)
        except urllib.error.HTTPError as error:
            error.close()
            raise RowError(
                f"the site answers {error.code} {error.reason}; save the page in a browser, and "
                "use --pages"
            ) from error
        except (OSError, ValueError) as error:
            raise InfrastructureError(
                f"{url} cannot be reached ({error}); check the network, or use saved pages"
            ) from error
        finally:
            self._last = time.monotonic()
        if len(data) > _MAX_BYTES:
            raise RowError(f"the page has over {_MAX_BYTES >> 20} MiB; it is not a problem page")
        return data


_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]+)")
_TITLE = re.compile(r"([A-Z][0-9]?)\.\s*(.+)")
_CONTEST = re.compile(r"/(?:contest|gym|problemset/problem)/([0-9]{1,7})\b")
_MAX_SAMPLES = 100


def _read_page(html: bytes) -> dict[str, Any]:
    """Return the problem on a page: fields of a `Task`, and its `contest` and `index`.

    The contest's number is empty if the page does not name it. An index is such as `A` or `B2`.
    The statement is Markdown, with formulas between dollar signs. Inputs and outputs end with a
    line break.

    Raises:
        RowError: if it is not a problem page, has no samples, or its programs do not use standard
            input and output.
    """
    if len(html) > _MAX_BYTES:
        raise RowError(f"a page of over {_MAX_BYTES >> 20} MiB is not a problem page")
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
