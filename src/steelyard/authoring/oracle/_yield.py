"""Read what a generator of inputs returned: which inputs are valid and new."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.constraints import Validator
from steelyard.errors import SpecificationError
from steelyard.families import as_compact, expand
from steelyard.plain import canonical_json
from steelyard.schemas import AuthoredCase, CaseCategory

LEAST_VALID = 10
_LEAST_SHARE = 0.5
_MOST_INPUTS = 1_000
_MOST_CHARS = 20_000_000
"""Limit on the JSON of all inputs together."""
_UNREAD_CHARS = 200_000
"""Charge for an input that cannot be read: its expression may make millions of items first."""
_SHOWN = 5
_CATEGORIES: dict[str, CaseCategory] = {
    "basic": "basic",
    "edge": "edge",
    "stress": "stress",
    "adversarial": "adversarial",
}
"""All other names are inputs of the domain."""


@dataclass(slots=True)
class Yield:
    """The inputs of one generator."""

    cases: list[AuthoredCase] = field(default_factory=list)
    """Valid ones, without duplicates and outputs."""
    inputs: int = 0
    """All that it returned."""
    invalid: list[tuple[tuple[JsonValue, ...], tuple[str, ...]]] = field(default_factory=list)
    """Inputs with the constraints that they break."""
    faults: list[str] = field(default_factory=list)
    """Reasons why inputs could not be read."""
    duplicates: int = 0

    @property
    def fault(self) -> str:
        """Return why the generator cannot be used, for the model; empty if it can."""
        valid, all_ = len(self.cases), self.inputs
        distinct = all_ - self.duplicates
        if valid >= LEAST_VALID and valid >= _LEAST_SHARE * distinct:
            return ""
        why = (
            f"at least {LEAST_VALID} are needed"
            if valid < LEAST_VALID
            else f"at least {_LEAST_SHARE:.0%} are needed"
        )
        lines = [f"only {valid} of {distinct} different inputs are valid, and {why}."]
        lines += [
            f"generate_inputs gave {shown_call(args)}, which breaks {'; '.join(broken)}."
            for args, broken in self.invalid[:_SHOWN]
        ]
        lines += [f"An input could not be read: {each}." for each in self.faults[:_SHOWN]]
        if self.duplicates:
            lines.append(f"{self.duplicates} inputs came more than once.")
        return "\n".join(lines)


def read_yield(value: object, validator: Validator) -> Yield:
    """Return the inputs in what `generate_inputs` returned; everything in it may be hostile.

    Args:
        value: Plain data: a dict of lists by category, or one list.
        validator: The specification's.
    """
    found = Yield()
    seen: set[str] = set()
    room = _MOST_CHARS
    for category, item in _items(value, found):
        if found.inputs >= _MOST_INPUTS or room < 0:
            found.faults.append(f"only the first {found.inputs} inputs are read")
            break
        found.inputs += 1
        try:
            args, expression = _args_in(item, validator)
            compact = as_compact(args, expression)
            room -= len(canonical_json(list(args)))
        except SpecificationError as error:
            found.faults.append(str(error))
            room -= _UNREAD_CHARS
            continue
        if compact.digest in seen:
            found.duplicates += 1
            continue
        seen.add(compact.digest)
        broken = validator.broken(args)
        if broken:
            found.invalid.append((tuple(args), broken))
            continue
        found.cases.append(
            AuthoredCase(
                name=f"model {len(found.cases) + 1}",
                category=category,
                origin="model",
                input=compact,
            )
        )
    return found


def _items(value: object, found: Yield) -> Iterator[tuple[CaseCategory, object]]:
    if isinstance(value, list | tuple):
        value = {"domain": value}
    if not isinstance(value, dict):
        found.faults.append("generate_inputs() must return a dict of lists")
        return
    for name, items in value.items():
        if not isinstance(items, list | tuple):
            found.faults.append(f"the value of {name[:40]!r} is not a list of inputs")
            continue
        category = _CATEGORIES.get(name.lower(), "domain")
        yield from ((category, item) for item in items)


def _args_in(item: Any, validator: Validator) -> tuple[list[JsonValue], str]:
    """Return the arguments of an input, and the expression that states them if there is one.

    Raises:
        SpecificationError: if it is not an input.
    """
    kinds = list(validator.types.values())
    if isinstance(item, str) and not (len(kinds) == 1 and kinds[0].base.kind == "str"):
        return expand(item), item
    if isinstance(item, list | tuple) and len(item) == len(kinds):
        args = [_plain(each) for each in item]
        if len(kinds) > 1 or kinds[0].fault_of(args[0]) is None:
            return args, ""
    if len(kinds) == 1 and kinds[0].fault_of(_plain(item)) is None:  # the argument itself
        return [_plain(item)], ""
    if isinstance(item, list | tuple) and len(item) == len(kinds):
        return [_plain(each) for each in item], ""
    raise SpecificationError(
        f"{shown_value(item)} is not a list of {len(kinds)} arguments; give one for each parameter"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value
