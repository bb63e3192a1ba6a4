"""The text form of a task, which people edit: a TOML head, then sections.

    id = "gap_sum"
    ==== prompt
    ==== generator
    ==== right python O(n) O(1) | one pass
    ==== tests
    first input
    --
    second input

A section of a program names its label, language, claimed time and memory, and a note. A test of a
call is the JSON of its arguments.
"""

import json
import tomllib
from typing import Any, TypeAlias

from steelyard.schemas import Provenance, Specification, Task, TaskSolution

Head: TypeAlias = dict[str, Any]
LABELS = ("right", "wrong", "slow", "hungry")
LICENSE = "Apache-2.0"
_MARK = "==== "
_BETWEEN = "\n--\n"
_TITLES = {
    "title": "title",
    "entry": "entry",
    "match_mode": "match_mode",
    "time": "time_complexity",
    "memory": "memory_complexity",
    "limit_ms": "time_limit_ms",
    "memory_mib": "memory_limit_mib",
    "bounds": "input_bounds",
    "tags": "tags",
    "group": "group",
    "difficulty": "difficulty",
}
"""Keys of the head, and the task's fields."""


class Sheet:
    """A task as its text form states it: no expected outputs yet."""

    def __init__(self, text: str) -> None:
        head, *parts = ("\n" + text).split("\n" + _MARK)
        self.head: Head = tomllib.loads(head)
        self.prompt = self.generator = ""
        self.inputs: list[str] = []
        self.solutions: list[TaskSolution] = []
        for part in parts:
            line, _, body = part.partition("\n")
            words, _, note = line.partition("|")
            kind, *rest = words.split()
            match kind:
                case "prompt":
                    self.prompt = body.strip() + "\n"
                case "generator":
                    self.generator = body.strip() + "\n"
                case "tests":
                    self.inputs = [each.strip("\n") for each in body.split(_BETWEEN)]
                case label if label in LABELS:
                    self.solutions.append(_program(label, rest, note.strip(), body))
                case other:
                    raise ValueError(
                        f"section {other!r} is unknown; use prompt, generator, "
                        f"tests, {', '.join(LABELS)}"
                    )

    def task(self, **fields: Any) -> Task:
        """Return the task without what is computed, which `fields` add."""
        known = {field: self.head[key] for key, field in _TITLES.items() if key in self.head}
        extra: dict[str, Any] = {}
        if "params" in self.head:
            contract = self.specification()
            extra["specification"] = contract.model_dump(mode="json", exclude_defaults=True)
        if self.head.get("entry", "stdio") == "stdio":
            known.setdefault("match_mode", "tokens")
        given = {
            "id": self.head["id"],
            "source": "core",
            "prompt": self.prompt,
            "input_generator": self.generator,
            "solutions": self.solutions,
            "provenance": Provenance(license=LICENSE),
            "extra": extra,
        }
        return Task.model_validate({**known, **given, **fields})

    def specification(self) -> Specification:
        """Return the contract of a task whose programs are called."""
        params = [
            dict(zip(("name", "type"), each.split(": "), strict=True))
            for each in self.head["params"]
        ]
        return Specification.model_validate(
            {
                "title": self.head["title"],
                "description": self.prompt,
                "parameters": params,
                "returns": self.head["returns"],
                "constraints": self.head.get("constraints", []),
            }
        )


def _program(label: str, words: list[str], note: str, source: str) -> TaskSolution:
    language, *claims = words[0], *" ".join(words[1:]).replace(") O", ")|O").split("|")
    time, memory = [*claims, "", ""][:2]
    fields = {
        "source": source.strip() + "\n",
        "language": language,
        "label": label,
        "time_complexity": time,
        "memory_complexity": memory,
        "note": note,
    }
    return TaskSolution.model_validate(fields)


def text_of(task: Task) -> str:
    """Return the text form of a task."""
    fields = task.model_dump(mode="json")
    head: Head = {"id": task.id} | {
        key: fields[field] for key, field in _TITLES.items() if fields[field]
    }
    if spec := task.extra.get("specification"):
        contract = Specification.model_validate(spec)
        head["params"] = [f"{each.name}: {each.type}" for each in contract.parameters]
        head["returns"] = contract.returns
        head["constraints"] = list(contract.constraints)
        head["derived"] = 0  # the inputs derived from the specification are among the tests
    head["visible"] = sum(row.get("category") == "visible" for row in task.tests)
    head["large"] = [[each.n, each.seed] for each in task.sized_tests]
    lines = [f"{key} = {_toml(value)}" for key, value in head.items()]
    lines += [f"{_MARK}prompt", task.prompt.strip()]
    lines += [f"{_MARK}generator", (task.input_generator or "").strip()]
    for each in task.solutions:
        claims = " ".join(filter(None, (each.time_complexity, each.memory_complexity)))
        title = f"{_MARK}{each.label} {each.language} {claims}".rstrip()
        lines += [f"{title} | {each.note}" if each.note else title, each.source.strip()]
    inputs = [
        str(row["input"]) if "input" in row else json.dumps(row["args"]) for row in task.tests
    ]
    lines += [f"{_MARK}tests", _BETWEEN.join(each.strip("\n") for each in inputs)]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)  # texts, numbers and lists of them are written alike
