"""The models of an author run, as a server of models answers for them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.model_server import Exchange, says

REQUEST = Path(__file__).parents[2] / "examples" / "requests" / "warming-days"
ROLES = {
    "specifier": "You turn a request",
    "oracle": "You write test inputs",
    "optimised": "You are an experienced engineer",
    "bruteforce": "Your answers check",
    "breaker": "You test test suites",
}


def replies() -> dict[str, list[str]]:
    """The replies of the example's script, as texts."""
    script: dict[str, list[Any]] = json.loads((REQUEST / "replies.json").read_text())
    texts: dict[str, list[str]] = {}
    for role, every in script.items():
        for each in every:
            if "code" in each:
                each = {"code": (REQUEST / each["code"]["$file"]).read_text()}  # noqa: PLW2901
            texts.setdefault(role, []).append(json.dumps(each))
    return texts


class Team:
    """Answers each role with its replies in order."""

    def __init__(self) -> None:
        self.replies = replies()
        self.answered: Counter[str] = Counter()

    def answer(self, exchange: Exchange) -> None:
        """Answer one request."""
        system = exchange.asked.body["messages"][0]["content"]
        role = next(role for role, text in ROLES.items() if text in system)
        text = self.replies[role][self.answered[role]]
        self.answered[role] += 1
        says(text)(exchange)
