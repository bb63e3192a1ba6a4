"""`author tests`: models answer over HTTP, and what was measured decides."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from steelyard.authoring.pytests import SuiteAuthor, SuiteOptions, read_figures
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import SuiteReport
from tests.contract.suite_samples import (
    BUG,
    CALLED_PERFECT,
    MODULE,
    PERFECT,
    RED,
    WEAK,
    updated,
    written,
)
from tests.model_server import Exchange, ModelServer, says
from tests.needs import needs

pytestmark = needs("openai")

ROLES = {"tester": "You write pytest suites", "reviewer": "You review pytest suites"}


@pytest.fixture(autouse=True)
def own_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "bug.py").write_text(BUG)
    file = tmp_path / "prices.py"
    file.write_text(MODULE)
    return file


class Team:
    """Answers the tester with its reply, and the reviewer with its replies in order."""

    def __init__(self, first: str, *reviews: str, tokens_out: int = 100) -> None:
        self._replies = {"tester": [first, first], "reviewer": list(reviews)}
        self._tokens_out = tokens_out
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def answer(self, exchange: Exchange) -> None:
        body = exchange.asked.body
        role = next(role for role, text in ROLES.items() if text in body["messages"][0]["content"])
        self.asked.append((role, body))
        says(self._replies[role].pop(0), tokens_in=0, tokens_out=self._tokens_out)(exchange)

    def data(self, number: int) -> str:
        """The data of a request."""
        return str(self.asked[number][1]["messages"][-1]["content"])


def wrote(
    module: Path, pool: CellPool, team: Team, *, bug: bool = False, **options: Any
) -> SuiteReport:
    with ModelServer() as server:
        server.then(team.answer)
        name = f"openai:m@{server.openai}"
        chosen = SuiteOptions(
            tester=name, reviewer=name, pool=pool, **{"most_mutants": 4, **options}
        )
        author = SuiteAuthor(chosen, logs=module.parent / "logs", caching=False)
        return asyncio.run(author.awrite(module, bug=module.parent / "bug.py" if bug else None))


def test_a_suite_called_perfect_too_early_is_sent_back_with_what_was_measured(
    module: Path, pool: CellPool
) -> None:
    team = Team(written(WEAK), CALLED_PERFECT, updated(PERFECT))
    report = wrote(module, pool, team, bug=True)
    assert [role for role, _ in team.asked] == ["tester", "reviewer", "reviewer"]
    assert [body["temperature"] for _, body in team.asked] == [0.7, 0.0, 0.0]
    assert report.passed
    assert report.stop == "perfect"
    assert (report.file_name, report.code.strip()) == ("test_prices.py", PERFECT.strip())
    assert [each.reply for each in report.rounds] == ["perfect", "updated"]
    assert report.rounds[0].message == "All is covered."
    assert report.rounds[1].improvements_made == ("More tests",)
    assert report.first is not None
    assert "can-fail" in report.first.unmet
    for request in (1, 2):
        assert "test_normal_returns" in team.data(request)
        assert "No test fails on a version of the module with a known bug." in team.data(request)
        assert "def discount" in team.data(request)
    assert "You called this suite perfect" in team.data(2)
    assert "known bug" not in team.data(0)
    (figures,), lost = read_figures()
    assert (figures.rounds, figures.read, figures.perfect_after, lost) == (2, 2, 2, 0)
    assert figures == report.figures


@pytest.mark.exhaustive
def test_the_best_suite_is_returned_and_not_the_last(module: Path, pool: CellPool) -> None:
    broken = updated("def test_(:\n")
    in_prose = f"I changed it.\n```python\ntest_prices.py\n{RED}```\nAll good!"
    cut = updated(WEAK)[:-1] + ', "confidence": 1'
    team = Team(WEAK, "I cannot help with that.", broken, in_prose, cut, "{}")
    report = wrote(module, pool, team)
    assert len(team.asked) == 7  # the first reply had no fence: it was asked for again
    assert report.stop == "rounds"
    assert not report.passed
    assert report.code.strip() == WEAK.strip()
    assert [each.reply for each in report.rounds] == ["unreadable", "updated", *["unreadable"] * 3]
    assert [each.changed for each in report.rounds] == [False, True, True, False, False]
    assert not any(each.best for each in report.rounds)
    assert "not valid Python" in team.data(4)
    assert "is not better" in team.data(5)
    assert f"test_prices.py\n{WEAK}" in team.data(6)
    assert report.figures is not None
    assert (report.figures.replies, report.figures.read) == (5, 1)


def test_a_perfect_suite_is_still_reviewed_once(module: Path, pool: CellPool) -> None:
    team = Team(written(PERFECT), CALLED_PERFECT)
    report = wrote(module, pool, team, most_mutants=0)
    assert report.passed
    assert "Nothing falls short." in team.data(1)
    assert report.figures is not None
    assert (report.figures.rounds, report.figures.perfect_after) == (1, 0)


def test_a_budget_ends_a_run_with_what_there_is_and_a_changed_module_is_not_resumed(
    module: Path, pool: CellPool
) -> None:
    team = Team(written("x = 1\n"), tokens_out=59_000)
    report = wrote(module, pool, team, max_tokens=60_000)
    assert (report.stop, report.passed, report.code) == ("budget", False, "x = 1\n")
    assert report.evidence.fault == "it has no test function"
    module.write_text(BUG)
    author = SuiteAuthor(SuiteOptions(pool=pool))
    with pytest.raises(UsageError, match="was changed since the run"):
        asyncio.run(author.aresume(report.logs))
