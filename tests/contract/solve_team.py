"""A solve run whose models answer over HTTP, each role with replies of its own."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.sandbox import CellPool
from steelyard.schemas import ProblemInput, RunResult, UnitTest
from steelyard.solving import SolveOptions, Solver
from tests.model_server import Exchange, ModelServer, says

ROLES = {
    "planner": "You are the planner",
    "coder": "You are the coder",
    "analyst": "You are the analyst",
    "generator": "You write inputs",
    "attacker": "You test programs",
    "reference": "You check programs",
}
NO_ATTACK = {"input_generator": None, "why": "all inputs cost the same"}

Replies = Mapping[str, Sequence[Any]]


def generator(body: str) -> str:
    """A generator module with this body; `rng` is its source of chance."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return (
        "import random\n\ndef generate(n, seed):\n    rng = random.Random(seed * 1000003 + n)\n"
        f"{lines}\n"
    )


def array(values: str) -> str:
    """A generator of n and n numbers; `values` is an expression for their list."""
    return generator(f"a = {values}\nreturn f'{{len(a)}}\\n' + ' '.join(map(str, a)) + '\\n'")


def plan(input_generator: str | None, **fields: Any) -> dict[str, Any]:
    return {
        "problem_statement": "See the statement.",
        "algorithm": "The obvious one.",
        "expected_complexity": "O(n log n)",
        "input_generator": input_generator,
        **fields,
    }


def problem(prompt: str, *samples: tuple[str, str], n: int | None = None, ms: int = 500) -> Any:
    return ProblemInput.model_validate(
        {
            "task_id": "task",
            "prompt": prompt,
            "constraints": {"runtime_limit": ms, "memory_limit": 256},
            "unit_tests": [UnitTest(input=given, output=answer) for given, answer in samples],
            "input_bounds": {} if n is None else {"n": n},
        }
    )


class Team:
    """Answers each role with its replies in order; the last one stays."""

    def __init__(self, replies: Replies) -> None:
        self._replies = {role: list(each) for role, each in replies.items()}
        self.asked: list[str] = []
        self.texts: list[str] = []

    def answer(self, exchange: Exchange) -> None:
        messages = exchange.asked.body["messages"]
        role = next(role for role, text in ROLES.items() if text in messages[0]["content"])
        self.asked.append(role)
        self.texts.append(messages[-1]["content"])
        own = self._replies.get(role, ["I cannot help with that."])
        reply = own.pop(0) if len(own) > 1 else own[0]
        says(reply if isinstance(reply, str) else json.dumps(reply))(exchange)


def solved(
    given: ProblemInput,
    replies: Replies,
    pool: CellPool,
    logs: Path,
    **options: Any,
) -> tuple[RunResult, Team]:
    """Return what a run came to, and what its models were asked."""
    team = Team({"attacker": [NO_ATTACK], **replies})
    with ModelServer() as server:
        server.then(team.answer)
        name = f"openai:m@{server.openai}"
        chosen = SolveOptions(
            planner=name,
            coder=name,
            analyst=name,
            pool=pool,
            **{"budget_s": 0.3, "max_iter": 1, **options},
        )
        solver = Solver(chosen, logs=logs, caching=False)
        result = asyncio.run(solver.asolve(given))
        replay = asyncio.run(solver.areplay(logs / given.task_id))
    assert replay.differences == ()
    assert (result.stop == "efficient") == bool(result.verdict and result.verdict.efficient)
    return result, team


def outcomes(result: RunResult) -> dict[str, str]:
    return {each.name: each.outcome for each in result.evidence}
