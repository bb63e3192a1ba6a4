"""Select tests: every promise, and as many of the exhaustive tests as a run asks for."""

import hashlib
import re
from dataclasses import dataclass

import pytest

MARK = "exhaustive"
HELP = (
    "Exhaustive tests to run: none, all, or K/N for the K-th of N equal shares, "
    "which are the same on every machine. [default: none]"
)


@dataclass(frozen=True)
class Share:
    """A share of the exhaustive tests: those whose key falls into `part` of `parts`."""

    part: int
    parts: int

    @classmethod
    def parse(cls, text: str) -> "Share":
        """Read `none`, `all` or `K/N`.

        Raises:
            pytest.UsageError: The text is something else.
        """
        if text in ("none", "all"):
            return cls(1, 1) if text == "all" else cls(0, 1)
        found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
        if found is None or int(found[1]) > int(found[2]):
            raise pytest.UsageError(f"--exhaustive takes none, all or K/N as in 2/6, got {text!r}")
        return cls(int(found[1]), int(found[2]))

    def holds(self, key: str) -> bool:
        """Return if the tests with this key are in the share."""
        if self.part == 0:
            return False
        number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
        return number % self.parts + 1 == self.part


def key_of(item: pytest.Item) -> str:
    """Return the key of a test: tests of one file with the same parameters share their fixtures."""
    callspec = getattr(item, "callspec", None)
    return f"{item.nodeid.partition('::')[0]}[{callspec.id if callspec else ''}]"


class Selection:
    """Deselect the exhaustive tests outside the share, and say how many in the summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._share = Share.parse(config.getoption("exhaustive"))
        self._left_out = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        left_out = [
            item
            for item in items
            if item.get_closest_marker(MARK) and not self._share.holds(key_of(item))
        ]
        if left_out:
            self._left_out = len(left_out)
            config.hook.pytest_deselected(items=left_out)
            dropped = set(left_out)
            items[:] = [item for item in items if item not in dropped]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[MARK] = self._left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Learn the number from a worker of pytest-xdist, which collects the tests."""
        self._left_out = getattr(node, "workeroutput", {}).get(MARK, self._left_out)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._left_out:
            terminalreporter.line(
                f"{self._left_out:,} exhaustive tests were not selected; "
                "run them with `make test-all` or --exhaustive=all"
            )
