"""Check arguments against the types and the constraints of a specification."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from steelyard.constraints._distance import Measure, measure
from steelyard.constraints._evaluate import BUDGET, FAULTS, Environment, Run, runner
from steelyard.constraints._kept import with_kept
from steelyard.constraints._parse import parse_constraint
from steelyard.constraints._tree import INT, Constraint, Node
from steelyard.schemas import Specification
from steelyard.values import PlainType, parse_type

NO_VALUE = 1e6
"""The distance if a constraint has no value for the arguments: an item is missing."""
NEAREST = 1e-9
"""The least distance of arguments that break a constraint."""
WRONG_TYPE = 1e9
"""The distance of an argument that has not its parameter's type."""


@dataclass
class Work:
    """Nodes that evaluations have visited so far: the same on every machine."""

    steps: int = 0


@dataclass(frozen=True)
class Validator:
    """The parameters and constraints of one specification.

    Constraints and arguments may be hostile: a check has a budget of steps, and a constraint that
    has no value for some arguments, or needs more than the rest of the budget, counts as broken.
    """

    types: Mapping[str, PlainType]
    """The parameters' types, in the order of the arguments."""
    constraints: tuple[Constraint, ...]
    budget: int = BUDGET
    """Nodes that the evaluation of all constraints may visit."""
    work: Work = field(default_factory=Work, compare=False, repr=False)
    """What all checks have taken. Validators that search together may share it."""

    @classmethod
    def of(cls, spec: Specification) -> "Validator":
        """Return the validator of a specification.

        Raises:
            SpecificationError: if a type or a constraint cannot be read.
        """
        types = {parameter.name: parse_type(parameter.type) for parameter in spec.parameters}
        return cls(types, tuple(parse_constraint(text, types) for text in spec.constraints))

    def broken(self, args: Sequence[JsonValue]) -> tuple[str, ...]:
        """Return the texts of the broken constraints; a wrong type is a text such as `k: int`.

        A constraint that names an argument of a wrong type is not evaluated. Another number of
        arguments breaks the call, such as `solve(nums, k)`.
        """
        if len(args) != len(self.types):
            return (f"solve({', '.join(self.types)})",)
        wrong, values = self._frozen(args)
        found = [f"{name}: {self.types[name]}" for name in wrong]
        env = self._environment(values)
        for constraint, run in zip(self.constraints, self._runs, strict=True):
            if constraint.names.isdisjoint(wrong) and not _holds(run, env):
                found.append(constraint.text)
        self._count(env)
        return tuple(found)

    def is_valid(self, args: Sequence[JsonValue]) -> bool:
        """Return whether the arguments have their types and break no constraint."""
        wrong, values = self._frozen(args)
        env = self._environment(values)
        valid = not wrong and all(_holds(run, env) for run in self._runs)
        self._count(env)
        return valid

    def distance(self, args: Sequence[JsonValue]) -> float:
        """Return 0.0 for valid arguments, and otherwise a sum that falls as they come nearer."""
        wrong, values = self._frozen(args)
        total = WRONG_TYPE * len(wrong)
        env = self._environment(values)
        parts = zip(self.constraints, self._runs, self._measures, strict=True)
        for constraint, run, each in parts:
            if constraint.names.isdisjoint(wrong) and not _holds(run, env):
                try:
                    total += max(each(env), NEAREST)
                except FAULTS:
                    total += NO_VALUE
        self._count(env)
        return total

    def holds(self, constraint: Constraint, run: Run, args: Sequence[JsonValue]) -> bool:
        """Return whether something that is computed as a constraint is holds for arguments."""
        wrong, values = self._frozen(args)
        env = self._environment(values)
        holds = constraint.names.isdisjoint(wrong) and _holds(run, env)
        self._count(env)
        return holds

    def _count(self, env: Environment) -> None:
        self.work.steps += self.budget - env[0]

    def _environment(self, values: Sequence[Any]) -> Environment:
        return [self.budget, *values, *[None] * (self._trees[1] - 1 - len(values))]

    @cached_property
    def _trees(self) -> tuple[list[Node], int]:
        return with_kept(self.constraints, len(self.types))

    @cached_property
    def _runs(self) -> list[Run]:
        return [runner(tree) for tree in self._trees[0]]

    @cached_property
    def _measures(self) -> list[Measure]:
        return [measure(tree) for tree in self._trees[0]]

    @cached_property
    def _freezers(self) -> list[Callable[[Any], Any]]:
        return [freezer(kind) for kind in self.types.values()]

    def _frozen(self, args: Sequence[JsonValue]) -> tuple[list[str], list[Any]]:
        """Return the parameters whose arguments have wrong types, and the frozen arguments."""
        names = list(self.types)
        if len(args) != len(names):
            return names, []
        wrong = [
            name
            for (name, kind), value in zip(self.types.items(), args, strict=True)
            if kind.fault_of(value) is not None
        ]
        values = [
            None if name in wrong else freeze(value)
            for name, freeze, value in zip(names, self._freezers, args, strict=True)
        ]
        return wrong, values


def _holds(run: Run, env: Environment) -> bool:
    try:
        return bool(run(env))
    except FAULTS:
        return False


def freezer(kind: PlainType) -> Callable[[Any], Any]:
    """Return a function that turns a value of a type into one that nothing changes."""
    if kind.kind == "optional":
        inner = freezer(kind.items[0])
        return lambda value: None if value is None else inner(value)
    if kind.kind == "union":
        pairs = [(each, freezer(each)) for each in kind.items]
        return lambda value: next(run for each, run in pairs if not each.fault_of(value))(value)
    if kind.kind == "dict":
        each, key = freezer(kind.items[0]), int if kind.key == INT else str
        return lambda value: {key(name): each(item) for name, item in value.items()}
    if kind.kind == "set":
        member = freezer(kind.items[0])
        return lambda value: frozenset(map(member, value))
    if kind.kind == "list":
        item = freezer(kind.items[0])
        return tuple if item is _unchanged else lambda value: tuple(map(item, value))
    if kind.kind == "tuple":
        items = [freezer(item) for item in kind.items]
        if all(item is _unchanged for item in items):
            return tuple
        return lambda value: tuple(item(each) for item, each in zip(items, value, strict=True))
    return _unchanged


def _unchanged(value: Any) -> Any:
    return value
