"""A run that is killed at any request is resumed, and no reply is paid for twice."""

import json
import os
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.model_server import Exchange, ModelServer, says
from tests.warm_command import Done, Started, WarmCommand

REQUEST = Path(__file__).parents[2] / "examples" / "requests" / "warming-days"
ROLES = {
    "specifier": "You turn a request", "oracle": "You write test inputs",
    "optimised": "You are an experienced engineer", "bruteforce": "Your answers check",
    "breaker": "You test test suites",
}  # fmt: skip


def replies() -> dict[str, list[str]]:
    """The replies of the example's script, as texts."""
    script: dict[str, list[Any]] = json.loads((REQUEST / "replies.json").read_text())
    texts: dict[str, list[str]] = {}
    for role, every in script.items():
        codes = [(REQUEST / each["code"]["$file"]).read_text() if "code" in each else None
                 for each in every]  # fmt: skip
        texts[role] = [
            json.dumps(each if code is None else {"code": code})
            for each, code in zip(every, codes, strict=True)
        ]
    return texts


class Team:
    """Answers each role with its replies in order, and kills the command at one request."""

    def __init__(self) -> None:
        self.replies = replies()
        self.answered: Counter[str] = Counter()
        self.requests = 0
        self.kill_at = 0
        self.command: Started | None = None

    def answer(self, exchange: Exchange) -> None:
        self.requests += 1
        if self.requests == self.kill_at and self.command is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.command.pid, signal.SIGKILL)
            return
        system = exchange.asked.body["messages"][0]["content"]
        role = next(role for role, text in ROLES.items() if text in system)
        text = self.replies[role][self.answered[role]]
        self.answered[role] += 1
        says(text)(exchange)


def test_a_run_is_killed_and_resumed(warm: WarmCommand, tmp_path: Path) -> None:
    team = Team()
    environment = {
        "STEELYARD_CACHE__DIR": str(tmp_path / "cache"), "STEELYARD_MODELS__RETRIES": "0",
        "STEELYARD_MODELS__PRICES": '{"openai:m": {"input": 1.0, "output": 1.0}}',
    }  # fmt: skip

    def run(*args: str) -> Done:
        team.command = warm.start("author", "--no-cache", *args, cwd=tmp_path, **environment)
        return team.command.wait()

    with ModelServer() as server:
        server.then(team.answer)
        team.kill_at = 2  # the oracle
        first = run(
            "--file", str(REQUEST / "request.txt"), "--out", "out", "--cases", "4",
            "--small-cases", "0", "--mutants", "4", "--models", f"openai:m@{server.openai}",
            "--max-cost", "5",
        )  # fmt: skip
        assert first.status == -signal.SIGKILL
        assert not (tmp_path / "out" / "report.md").exists()
        shown = warm.run("author", "show", "out", cwd=tmp_path, **environment)
        assert "interrupted; resume with steelyard author --resume out" in shown.stdout
        team.kill_at = team.requests + 3  # the brute force
        assert run("--resume", "out").status == -signal.SIGKILL
        team.kill_at = 0
        measuring = warm.start(
            "author", "--no-cache", "--resume", "out", cwd=tmp_path, **environment
        )
        weighed = tmp_path / "out" / "run" / "iter_0" / "weighed_1.json"
        deadline = time.monotonic() + 120
        while not weighed.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(measuring.pid, signal.SIGKILL)
        assert measuring.wait().status == -signal.SIGKILL
        assert not (tmp_path / "out" / "run" / "result.json").exists()
        (tmp_path / "out").rename(tmp_path / "moved")
        last = run("--resume", "moved", "--json")
        assert last.status == 0, last.stderr
    assert team.answered == {
        role: len(each) for role, each in team.replies.items() if role != "breaker"
    } | ({"breaker": 1} if team.answered["breaker"] else {})
    report = last.json()
    assert report["passed"]
    assert report["spending"]["calls"] == sum(team.answered.values())
    assert (tmp_path / "moved" / "problem.json").exists()
    assert not (tmp_path / "out").exists()
    replayed = warm.run("author", "replay", "moved", "--json", cwd=tmp_path, **environment)
    assert replayed.status == 0, replayed.stdout
    assert replayed.json()["differences"] == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--resume", "none"), "cannot be read"),
        (("--resume", "out", "--models", "x:y"), "--models is for a run that begins"),
        (("--resume", "out", "text"), "TEXT is for a run that begins"),
    ],
)
def test_what_cannot_be_resumed_is_one_line(
    args: tuple[str, ...], words: str, warm: WarmCommand, tmp_path: Path
) -> None:
    done = warm.run("author", *args, cwd=tmp_path)
    assert done.status == 2
    assert words in done.stderr
    assert len(done.said) == 1
