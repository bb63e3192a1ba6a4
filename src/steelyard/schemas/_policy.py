"""The restrictions that a static gate checks before a Python program runs."""

import json
from typing import Literal, Self, get_args

from pydantic import Field, field_validator, model_validator

from steelyard.schemas._base import Given
from steelyard.schemas._program import Entry

Rule = Literal["import", "system", "dunder", "dynamic", "input"]
"""`import`: modules that are not on the list, `__import__`. `system`: `open`, `exec`, `eval`,
`compile`, and access to the operating system. `dunder`: attributes such as `__class__` and
`__globals__`, frames and code objects. `dynamic`: `getattr` and similar with a name that is not a
literal, `vars`, `globals`, `locals`. `input`: `input` and `sys.stdin`."""

USUAL_RULES: frozenset[Rule] = frozenset({"import", "system", "dunder", "dynamic"})
"""Every rule but `input`, which a program for `stdio` needs."""


class Shape(Given):
    """A function or method that a program must define."""

    name: str
    """`two_sum`, or `Solution.solve` for a method."""
    parameters: int = Field(default=0, ge=0, le=255)
    """Number of arguments that it must accept, without `self`."""

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        parts = name.split(".")
        if len(parts) > 2 or not all(part.isidentifier() for part in parts):
            raise ValueError(f"a shape's name must be FUNCTION or CLASS.METHOD, got {name!r}")
        return name


class Policy(Given):
    """A format check and a first barrier, never the only one: a program that passes needs a cell.

    A module on the list is trusted completely: `numpy` can read files, `sys` gives access to every
    other loaded module.
    """

    modules: tuple[str, ...] | None = None
    """Modules that may be imported, with their submodules; None for every module that does not
    access files, the network, the operating system or the interpreter itself."""
    forbid: frozenset[Rule] = USUAL_RULES
    """The active rules."""
    require: tuple[Shape, ...] = ()
    """Functions and methods that the program must define."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a policy: items with commas between them.

        An item is a module that may be imported, `no-imports` to allow none, or `no-RULE`, which
        adds a rule to the usual ones: `math,collections`, `no-imports,no-input`.

        Raises:
            ValueError: if the text is not a policy; the message names the fault.
        """
        items = [item.strip() for item in text.split(",")]
        rules, modules = set(USUAL_RULES), []
        for item in items:
            if item.startswith("no-") and item != "no-imports":
                rule = next((each for each in get_args(Rule)[1:] if item == f"no-{each}"), None)
                if rule is None:  # no-import too: it looks like no-imports, and forbids less
                    known = ", ".join(f"no-{each}" for each in get_args(Rule)[1:])
                    raise ValueError(f"there is no rule {item!r}; rules are no-imports, {known}")
                rules.add(rule)
            elif item != "no-imports":
                modules.append(item)
        if "no-imports" in items and modules:
            raise ValueError(f"no-imports cannot be combined with the module {modules[0]!r}")
        named = tuple(modules) if modules or "no-imports" in items else None
        return cls(modules=named, forbid=frozenset(rules))

    @field_validator("modules")
    @classmethod
    def _are_modules(cls, modules: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for name in modules or ():
            if not all(part.isidentifier() for part in name.split(".")):
                raise ValueError(f"{name!r} is not a module's name")
        return modules

    @model_validator(mode="after")
    def _list_is_used(self) -> Self:
        if self.modules is not None and "import" not in self.forbid:
            raise ValueError("a list of modules needs the rule import")
        return self

    def for_entry(self, entry: Entry) -> Self:
        """Return the policy that also requires the entry's function or method."""
        if not entry.name or any(shape.name == entry.name for shape in self.require):
            return self
        return self.model_copy(update={"require": (*self.require, Shape(name=entry.name))})

    def to_text(self) -> str:
        """Return the policy as JSON; equal policies give equal texts."""
        return json.dumps({**self.model_dump(mode="json"), "forbid": sorted(self.forbid)})
