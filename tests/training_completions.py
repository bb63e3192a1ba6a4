"""Completions with tests, for every adapter: right, wrong, hostile, fenced, with usage, empty."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_BODIES = (
    "return {k} * x",
    "return {k} * x if x < 3 else 0",
    "return x",
    "return {k} * x +",
    "return sorted(x)",
    "import os; os._exit(0)",
    "raise ValueError(x)",
    "print({k} * x)",
)
_FORMS = (
    "{}",
    "```python\n{}```\n",
    "<think>x</think>So:\n```\n{}\n```\nDone.",
    "Sorry.\n{}",
    "```python\n{}```\nTry it:\n```python\nprint(f(3))\n```\n",
    "<answer>\n{}</answer><|im_end|>",
)


@dataclass(frozen=True)
class Row:
    """One completion with its prompt and its tests."""

    prompt: str
    completion: str
    tests: list[dict[str, Any]]

    @property
    def json(self) -> str:
        """The tests as a data set holds them."""
        return json.dumps(self.tests)


def rows(count: int) -> Iterator[Row]:
    """Yield different completions: each a definition of `f`, in one of several forms."""
    for index in range(count):
        factor = 2 + index // len(_BODIES) % 5
        body = _BODIES[index % len(_BODIES)].format(k=factor)
        program = f"def f(x):\n    {body}\n"
        form = _FORMS[index * 7 // 3 % len(_FORMS)]
        yield Row(
            prompt=f"Write f(x), which returns {factor} times x.",
            completion="" if index % 50 == 49 else form.format(program),
            tests=[{"args": [x], "expected": factor * x} for x in (1, 2, 5)],
        )
