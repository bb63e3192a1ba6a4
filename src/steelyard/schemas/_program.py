"""Source text, the restrictions that a static gate checks, and a compiler's result."""

import json
from typing import Literal, Self, get_args

from pydantic import Field, field_validator, model_validator

from steelyard.schemas._base import Given, Record

EntryKind = Literal["stdio", "function", "class", "methods", "asserts"]
_PARTS: dict[str, tuple[int, ...]] = {
    "stdio": (0,),
    "function": (1,),
    "class": (2,),
    "methods": (1,),
    "asserts": (0, 1),
}
"""How many names an entry may have, by its kind."""

Rule = Literal["import", "system", "dunder", "dynamic", "input"]
"""`import`: modules that are not on the list, `__import__`. `system`: `open`, `exec`, `eval`,
`compile`, and access to the operating system. `dunder`: attributes such as `__class__` and
`__globals__`, frames and code objects. `dynamic`: `getattr` and similar with a name that is not a
literal, `vars`, `globals`, `locals`. `input`: `input` and `sys.stdin`."""
USUAL_RULES: frozenset[Rule] = frozenset({"import", "system", "dunder", "dynamic"})
"""Every rule but `input`, which a program for `stdio` needs."""


class Entry(Given):
    """The way to call a program. Only Python has kinds other than `stdio`."""

    kind: EntryKind = "stdio"
    """`stdio`: the program reads standard input and prints. `function`: its function is called
    with plain values. `class`: a method of its class is. `methods`: its class is made, and its
    methods are called in turn. `asserts`: assertions call it."""
    name: str = ""
    """The function; `Class.method`; the class, for `methods`; or, for `asserts`, the function under
    test (empty: the one that the assertions use)."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an entry, such as `function:two_sum` or `class:Solution.solve`.

        Raises:
            ValueError: if it is not an entry; the message lists the valid forms.
        """
        kind, _, name = text.partition(":")
        return cls.model_validate({"kind": kind, "name": name})

    @model_validator(mode="before")
    @classmethod
    def _with_defaults(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("kind") == "class":
            name = data.get("name") or "Solution"
            return {**data, "name": name if "." in name else f"{name}.solve"}
        return data

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        parts = self.name.split(".") if self.name else []
        if len(parts) not in _PARTS[self.kind] or not all(part.isidentifier() for part in parts):
            raise ValueError(
                "an entry is stdio, function:NAME, class:NAME.METHOD, methods:NAME, asserts or "
                "asserts:NAME"
            )
        return self

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else self.kind

    @property
    def is_call(self) -> bool:
        """True if a function or a method is called with arguments, once in each case."""
        return self.kind in ("function", "class")


class Program(Given):
    """Source text, its language and its entry."""

    source: bytes
    """The original text, byte for byte; a `str` is encoded as UTF-8."""
    language: str = "cpp"
    """A name or alias from the language table (`steelyard languages`)."""
    entry: Entry = Entry()


class Diagnostic(Record):
    """One error or warning of a compiler."""

    severity: Literal["error", "warning"]
    message: str
    line: int | None = None
    """From 1; None if the compiler gave no position, as linkers do."""
    column: int | None = None
    """From 1, in bytes as the compiler counts them."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message}" if place else self.message


class CompileResult(Record):
    """The result of a compile."""

    ok: bool
    warnings: tuple[Diagnostic, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    cached: bool = False
    """True if the result came from the compile cache."""
    compiler: str = ""
    """The compiler's own version line."""
    wall_ms: float = 0.0


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
                raise ValueError(f"takes names of modules, got {name!r}")
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
