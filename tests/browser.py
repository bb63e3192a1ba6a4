"""Debian's Chromium, driven by Playwright's library, without a window."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CHROMIUM = Path("/usr/bin/chromium")
AXE = ROOT / "assets" / "node_modules" / "axe-core" / "axe.min.js"
BUILT = ROOT / "src" / "steelyard" / "service" / "pages" / "built" / "pages.js"
SIZES = ((360, "dark"), (1_600, "light"))
PASTE = """(element, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    element.dispatchEvent(
        new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})
    );
}"""
"""A script that pastes a text: what the driver types is indented by the editor."""
WATCH_MOVES = """
    window.moved = [];
    new PerformanceObserver(list => list.getEntries().forEach(each => {
        window.moved.push(...each.sources.map(source => source.node?.textContent ?? "gone"))
    })).observe({type: "layout-shift", buffered: true})
"""
"""A script that lists in `window.moved` the texts of elements that move unasked."""


def missing() -> str:
    """Return why no page can be tested; empty if pages can be."""
    if not CHROMIUM.exists():
        return "Chromium is not installed: apt-get install chromium"
    if find_spec("playwright") is None:
        return "playwright is not installed: make setup WITH=browser"
    if not (AXE.exists() and BUILT.exists()):
        return "the scripts are not built: make assets"
    return ""


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser, and end it."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=options)
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """A page in a context of its own, which notes every fault that the browser reports."""

    def __init__(self, browser: Any, url: str, **options: Any) -> None:
        self.url = url
        self.faults: list[str] = []
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(120_000)
        self.page = self.context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.faults.append("dialog"), dialog.dismiss()))
        self.page.on("request", self._request)

    def open(self, path: str) -> Any:
        """Open one of the service's pages."""
        self.page.goto(self.url + path)
        return self.page

    def violations(self) -> list[str]:
        """Return the faults that axe-core finds, and if the page is wider than the window."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found: list[str] = self.page.evaluate(
            "axe.run().then(found => found.violations.map("
            "each => each.id + ' ' + each.nodes.map(node => node.target.join(' ')).join(', ')))"
        )
        if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append("the page is wider than the window")
        return found

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.url, "data:")):
            self.faults.append(f"a request to {request.url}")
