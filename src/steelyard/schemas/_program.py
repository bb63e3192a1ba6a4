"""Source text, and a compiler's result for it."""

from typing import Literal, Self

from pydantic import model_validator

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
