"""The public names with their signatures, as text: `python -m tests.unit.public_face` renews it."""

import enum
import inspect
import re
from pathlib import Path

import steelyard
from steelyard.judging import MATCH_MODES

SNAPSHOT = Path(__file__).with_name("public_face.txt")


def described() -> str:
    """Every name of `steelyard`, what it is, and how it is called."""
    return "\n".join(line for name in steelyard.__all__ for line in _lines(name)) + "\n"


def _lines(name: str) -> list[str]:
    value = getattr(steelyard, name)
    if inspect.isclass(value):
        return [f"class {name}({_bases(value)})", *_members(value), ""]
    if inspect.isfunction(value):
        return [*_call(f"{_kind(value)} {name}", value), ""]
    return [f"{name} = {_short(value)}", ""]


def _bases(cls: type) -> str:
    return ", ".join(base.__name__ for base in cls.__bases__ if base is not object)


def _kind(function: object) -> str:
    return "async def" if inspect.iscoroutinefunction(function) else "def"


def _members(cls: type) -> list[str]:
    if issubclass(cls, enum.Enum):
        return [f"    {each.name} = {each.value!r}" for each in cls]
    lines: list[str] = []
    fields = getattr(cls, "model_fields", None)
    if fields is not None:
        inherited = {
            name: field
            for base in cls.__bases__
            for name, field in getattr(base, "model_fields", {}).items()
        }
        for name, field in fields.items():
            if name in inherited and inherited[name].annotation == field.annotation:
                continue
            default = "" if field.is_required() else f" = {_default(field)}"
            lines.append(
                f"    {name}: {_short(inspect.formatannotation(field.annotation))}{default}"
            )
    elif not issubclass(cls, BaseException):
        lines += _call("    def __init__", cls)
    behind = [base for base in cls.__mro__ if _is_behind(base) and fields is None]
    for name, member in (each for base in (cls, *behind) for each in vars(base).items()):
        if name.startswith(("_", "model_")):
            continue
        if isinstance(member, property):
            lines.append(f"    @property {name}")
        elif isinstance(member, classmethod | staticmethod):
            lines += _call(f"    {_kind(member.__func__)} {name}", member.__func__)
        elif inspect.isfunction(member):
            lines += _call(f"    {_kind(member)} {name}", member)
    return lines


def _is_behind(base: type) -> bool:
    """A base that users do not see: its members are those of the class."""
    return base.__module__.startswith("steelyard.")


def _default(field: object) -> str:
    if getattr(field, "default_factory", None) is not None:
        return "..."
    default = getattr(field, "default", None)
    if isinstance(default, frozenset):
        default = sorted(default)
    return _short(repr(default))


def _call(head: str, function: object) -> list[str]:
    """A signature, one parameter a line where there are many."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    parameters = [_parameter(each) for each in signature.parameters.values()]
    returned = signature.return_annotation
    after = "" if returned is inspect.Signature.empty else f" -> {_short(_annotation(returned))}"
    kinds = [each.kind for each in signature.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    line = f"{head}({', '.join(parameters)}){after}"
    if len(line) <= 110:
        return [line]
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    return [f"{head}(", *(f"{indent}{each}," for each in parameters), f"{indent[4:]}){after}"]


def _parameter(parameter: inspect.Parameter) -> str:
    """With its default, unless that is long or depends on the machine."""
    if parameter.default is not inspect.Parameter.empty and len(repr(parameter.default)) > 60:
        parameter = parameter.replace(default=...)
    return _short(str(parameter)).replace("Ellipsis", "...")


def _annotation(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _short(text: object) -> str:
    """Without the modules that types lie in, the modes of checkers, and addresses."""
    words = re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", str(text))
    words = words.replace(f"Literal{list(MATCH_MODES)}", "MatchMode")  # a new checker adds one
    return re.sub(r" at 0x[0-9a-f]+", "", words)


if __name__ == "__main__":
    SNAPSHOT.write_text(described(), encoding="utf-8")
