"""`steelyard solve` in a folder of its own, with three models that answer over HTTP."""

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.model_server import Exchange, ModelServer, says
from tests.warm_command import Done, Started, WarmCommand

GENERATOR = """\
import random
def generate(n, seed):
    rng = random.Random(seed)
    return f"{n}\\n" + " ".join(str(rng.randint(0, 99)) for _ in range(n)) + "\\n"
"""
PLAN = json.dumps(
    {
        "problem_statement": "The sum of n numbers.",
        "algorithm": "Add all numbers.",
        "input_bounds": {"n": 1000},
        "pseudocode": "for i in 1..n:\n  s += a[i]",
        "expected_complexity": "O(n)",
        "input_generator": GENERATOR,
    }
)
WRONG = "print(6)\n"
RIGHT = "import sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))\n"
PROBLEM = {
    "task_id": "sum",
    "prompt": "Read n, then n numbers; print their sum.",
    "constraints": {"runtime_limit": 1000, "memory_limit": 64},
    "unit_tests": [
        {"input": "3\n1 2 3\n", "output": "6\n"},
        {"input": "1\n7\n", "output": "7\n"},
    ],
    "input_bounds": {"n": 1000},
}
TOKENS = 5_000
PRICES = json.dumps({"openai:m": {"input": 0, "output": 1_000}})  # five dollars for a reply


OnRequest = Callable[[int, Exchange], None]


def answer_all(_number: int, _exchange: Exchange) -> None:
    """Lets each request have its reply."""


class Models:
    """Three models on one server: what they say follows from what they are asked.

    The planner plans; the coder's first program is wrong, its second reply useless, and what it
    says then is right.
    """

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self.answered: list[str] = []
        self.on_request: OnRequest = answer_all
        """Told the number of replies before this one; an OSError: there is none."""
        self.first_program = WRONG
        server.then(self.answer)

    @property
    def name(self) -> str:
        return f"openai:m@{self.server.openai}"

    def answer(self, exchange: Exchange) -> None:
        """Reply to one request."""
        self.on_request(len(self.answered), exchange)
        messages = exchange.asked.body["messages"]
        if "You are the planner" in messages[0]["content"]:
            text = PLAN
        elif "You check programs" in messages[0]["content"]:
            text = json.dumps({"code_python": RIGHT})
        elif "You test programs" in messages[0]["content"]:
            text = json.dumps({"input_generator": None, "why": "all inputs cost the same"})
        elif len(messages) > 2:
            text = json.dumps({"code_cpp": RIGHT})
        elif "[data earlier program " in messages[1]["content"]:
            text = "Let me think about it."
        else:
            text = json.dumps({"code_cpp": self.first_program})
        self.answered.append(json.dumps(exchange.asked.body, sort_keys=True))
        says(text, tokens_in=0, tokens_out=TOKENS)(exchange)

    @property
    def paid_twice(self) -> int:
        return len(self.answered) - len(set(self.answered))


class Shell:
    """The command in a folder of its own."""

    def __init__(self, warm: WarmCommand, folder: Path, models: Models) -> None:
        self._warm, self.folder, self._models = warm, folder, models
        self.run_folder = folder / "logs" / "sum"
        self.caching = "--no-cache"
        self.env: dict[str, str | None] = {
            "STEELYARD_CACHE__DIR": str(folder / "cache"),
            "STEELYARD_MODELS__RETRIES": "0",
            "STEELYARD_MODELS__PRICES": PRICES,
            "OPENAI_API_KEY": None,
            "ANTHROPIC_API_KEY": None,
        }
        (folder / "problem.json").write_text(json.dumps(PROBLEM))

    def start(self, *args: str) -> Started:
        return self._warm.start(*args, cwd=self.folder, **self.env)

    def solve(self, *args: str) -> Started:
        """Begins the run, or goes on with it, and prints JSON."""
        return self.solve_plainly("--json", *args)

    def solve_plainly(self, *args: str) -> Started:
        call = ["solve", self.caching, *args]
        if (self.run_folder / "run.json").exists():
            return self.start(*call, "--resume", "logs/sum")
        # No profile takes its time here: what is measured is asserted elsewhere.
        return self.start(
            *call,
            "problem.json",
            "--models",
            self._models.name,
            "--language",
            "python",
            "--budget",
            "0.1",
        )

    def replay(self) -> Done:
        return self.start("replay", "logs/sum", "--json").wait()


def decided(done: Done) -> dict[str, Any]:
    """What a run came to, without moments and measured figures."""
    said = done.json()
    kept = {
        name: said[name]
        for name in ("status", "stop", "tests_passed", "tests", "iterations", "growth", "notes")
    }
    tokens = said["spending"]["tokens_out"]
    code, plan = said["code"]["code_cpp"], said["plan"]["algorithm"]
    return {**kept, "tokens": tokens, "code": code, "plan": plan}


WHOLE = {
    "status": "success",
    "stop": "efficient",
    "tests_passed": 2,
    "tests": 2,
    "iterations": 2,
    "growth": "measured",
    "notes": [],
    "tokens": 6 * TOKENS,
    "code": RIGHT,
    "plan": "Add all numbers.",
}


def wait_for(file: Path, holds: str = "") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if holds in file.read_text("utf-8"):
                return
        time.sleep(0.002)
    pytest.fail(f"{file.name} has not come to hold {holds!r}")
