"""Values together with the expression that describes them, which is only written when needed."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from steelyard.families import FAMILIES, literal


@dataclass(frozen=True)
class Made:
    """A value, and how to write it in the language of inputs."""

    value: Any
    write: Callable[[], str]


def made(value: Any) -> Made:
    """Return a value that is written as it is."""
    return Made(value, lambda: literal(value))


def call(name: str, *args: Any) -> Made:
    """Return what a named family makes of its arguments, values or made values."""
    parts = [arg if isinstance(arg, Made) else made(arg) for arg in args]
    value = FAMILIES[name].make(*(part.value for part in parts))
    return Made(value, lambda: f"{name}({', '.join(part.write() for part in parts)})")


def listed(parts: list[Made]) -> Made:
    """Return a list of made values."""
    values = [part.value for part in parts]
    return Made(values, lambda: f"[{', '.join(part.write() for part in parts)}]")


def joined(parts: list[Made]) -> Made:
    """Return lists or texts, at least one, in one."""
    values = [part.value for part in parts]
    whole = "".join(values) if isinstance(values[0], str) else [*chain.from_iterable(values)]
    return Made(whole, lambda: " + ".join(part.write() for part in parts))
