"""Define the pruner's rules, as set in `pruner.toml`, and word their findings."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from steelyard._printable import printable
from steelyard.schemas import PruneFinding

_Count = Annotated[float, Field(strict=True, ge=0, le=1e300, allow_inf_nan=False)]
_Switch = Annotated[bool, Field(strict=True)]
_LONGEST_FILE = 100_000
_MOST_PROBLEMS = 20


class RulesError(Exception):
    """The text of the rules is invalid.

    Args:
        problems: Its faults, one line each.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StepBudget(_Table):
    """Simple steps that a second allows."""

    cpp_steps_per_second: _Count
    python_steps_per_second: _Count


class Rule(_Table):
    """A rule without figures of its own."""

    enabled: _Switch


class LoopDepth(Rule):
    """More nested loops than `max_depth`, each over `min_n` or more."""

    max_depth: _Count
    min_n: _Count


class FromSize(Rule):
    """A rule from a size on."""

    min_n: _Count


class UpToSize(Rule):
    """A rule beyond a size."""

    max_n: _Count


class DeepRecursion(Rule):
    """The deepest recursion allowed."""

    max_depth: _Count
    python_max_depth: _Count


class Enumeration(Rule):
    """The most items whose subsets or permutations may be tried."""

    max_subset_n: _Count
    max_permutation_n: _Count


class TableMemory(Rule):
    """The largest table allowed."""

    cell_bytes: _Count
    slack: _Count


class Walk(Rule):
    """A call that walks a container, and what one element costs, in ns."""

    cpp_ns: _Count
    python_ns: _Count

    def ns(self, *, python: bool) -> float:
        """Return what one element costs in this language."""
        return self.python_ns if python else self.cpp_ns


class PruningRules(BaseModel):
    """All rules, by the names of their tables."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-")
    )

    budget: StepBudget
    loop_depth: LoopDepth
    sort_in_loop: FromSize
    unbounded_recursion: FromSize
    branching_recursion: UpToSize
    deep_recursion: DeepRecursion
    nested_loops: Rule
    enumeration: Enumeration
    stated_complexity: Rule
    described_work: Rule
    table_memory: TableMemory
    all_pairs_paths: FromSize
    search_from_each_node: FromSize
    dense_matrix: FromSize
    front_of_array: Walk
    list_search: Walk
    whole_array_per_round: Walk
    string_rebuilt: Walk

    def named(self, name: str) -> Rule:
        """Return the rule of this table."""
        rule: Rule = getattr(self, name.replace("-", "_"))
        return rule


@cache
def packaged_rules() -> PruningRules:
    """Return the rules that come with the package."""
    return PruningRules.model_validate(_packaged())


def parse_rules(text: str) -> PruningRules:
    """Return the rules of a user's file; missing ones are as in the package's.

    Raises:
        RulesError: if the text is not TOML, names an unknown key, or a value has the wrong type.
    """
    if len(text) > _LONGEST_FILE:
        raise RulesError((f"longer than {_LONGEST_FILE:,} characters",))
    try:
        given = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError((f"not valid TOML: {error}",)) from error
    merged: dict[str, object] = dict(_packaged())
    for name, table in given.items():
        known = merged.get(name)
        both = isinstance(known, dict) and isinstance(table, dict)
        merged[name] = {**known, **table} if both else table  # type: ignore[dict-item]
    try:
        return PruningRules.model_validate(merged)
    except ValidationError as error:
        raise RulesError(_lines(error, text)) from error


def _packaged() -> dict[str, object]:
    text = files("steelyard.solving.pruning").joinpath("pruner.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _lines(error: ValidationError, text: str) -> tuple[str, ...]:
    problems = []
    for each in error.errors(include_url=False, include_input=False)[:_MOST_PROBLEMS]:
        path = tuple(str(part) for part in each["loc"])
        where = _line_of(path, text)
        unknown = each["type"] == "extra_forbidden"
        what = "is unknown" if unknown else each["msg"].removeprefix("Input ")
        problems.append(f"{where}{'.'.join(path)[:100]} {what}")
    return tuple(problems)


def _line_of(path: tuple[str, ...], text: str) -> str:
    """Return the key's line in the text as `line 7: `; empty if it is not found."""
    table, found = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#")[0].strip()
        if line.startswith("["):
            table = line.strip("[] \"'")
            if table == path[0]:
                found = found or number
        elif "=" in line:
            key = line.split("=")[0].strip(" \"'")
            if (table, key) == (path[0], path[-1]) or (not table and key in path):
                return f"line {number}: "
    return f"line {found}: " if found else ""


_LONGEST_EVIDENCE = 160
_LONGEST_MESSAGE = 300
_MOST_SHOWN = 1e300


def finding(rule: str, evidence: str, message: str) -> PruneFinding:
    """Return a finding with its evidence on one line, shortened and without control characters."""
    shown = " ".join(printable(" ".join(evidence[:2_000].split())).split())
    if len(shown) > _LONGEST_EVIDENCE:
        shown = shown[: _LONGEST_EVIDENCE - 1] + "…"
    return PruneFinding(rule=rule, evidence=shown, message=printable(message)[:_LONGEST_MESSAGE])


def count(value: float) -> str:
    """Return a count as people write it: `100,000`, `1e15`."""
    if value < 1e7:
        return f"{round(value):,}"
    if not value < _MOST_SHOWN:
        return "more than 1e300"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def mebibytes(size_bytes: float) -> str:
    """Return bytes as MiB."""
    return f"{count(size_bytes / 2**20)} MiB"
