"""Flags of a command, made from the fields of a job's options.

1. `takes(Model)` gives a command a flag for each field that a door can show (`knobs_of`): its name
   without the unit, its help, its default, its group.
2. The command gets a `Chosen`: the fields that the call states. Defaults stay those of the model.
3. What Pydantic refuses is reported with the flag's name.
"""

import inspect
import re
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

import typer

from steelyard.errors import UsageError
from steelyard.options import Declared, Knob, Options, knobs_of
from steelyard.schemas import Limits
from steelyard.toolchains import compilers_of, language_names

_UNITS = ("_usd", "_mib", "_ms", "_s")
_LIMITS = {
    "cpu_ms": ("time_limit", "MS", "CPU time that one run of the program may take, in ms."),
    "memory_mib": ("memory_limit", "MIB", "Memory that one run of the program may take, in MiB."),
}
"""The flag, the metavar and the help of each field of `Limits` that has a flag."""
_METAVARS = {int: "N", float: "X"}
_PATHS = ("FILE", "DIR", "PATH")
_ENTRIES = ("stdio", "function:", "class:", "methods:", "asserts", "asserts:")
O = TypeVar("O", bound=Options)  # noqa: E741  (options)


class Chosen(Generic[O]):
    """The options that a call of a command states; the others have the defaults of the model.

    Args:
        kind: The model.
        given: The stated fields, which the command may add to.
    """

    def __init__(self, kind: type[O], given: dict[str, Any]) -> None:
        self._kind, self.given = kind, given

    def options(self, **more: object) -> O:
        """Return the options with further fields.

        Raises:
            UsageError: for an invalid value; it names the flag.
        """
        with flags_named(self._kind.model_fields):
            return self._kind.of(**self.given | more)


@dataclass(frozen=True)
class _Flag:
    """One flag: the parameter of the command, the field that it sets, and how to read it."""

    parameter: inspect.Parameter
    field: str
    read: Callable[[Any], object]
    describe: Callable[[], tuple[str, str, str]]
    """Returns the help, the default in words, and the group."""


def takes(
    kind: type[Options], *omitted: str, only: Sequence[str] = (), **texts: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the flags of a model of options, for its parameter `chosen: Chosen`.

    Args:
        kind: The model.
        omitted: Fields for which the command has no flag, or one of its own.
        only: All fields for which it has one; empty for all that are not omitted.
        texts: Helps in place of those of the fields.
    """
    flags = [
        each
        for each in _flags_of(kind, texts)
        if each.field not in omitted and (not only or each.field in only)
    ]

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        own = dict(inspect.signature(function).parameters)
        wants_context = "context" in own

        @wraps(function)
        def command(context: typer.Context, **arguments: Any) -> None:
            given: dict[str, Any] = {}
            limits: dict[str, Any] = {}
            for flag in flags:
                value = arguments.pop(flag.parameter.name)
                if is_stated(context, flag.parameter.name):
                    (limits if flag.field in _LIMITS else given)[flag.field] = flag.read(value)
            if limits:
                with flags_named(_LIMITS):
                    given["limits"] = Limits(**limits)
            if wants_context:
                arguments["context"] = context
            function(chosen=Chosen(kind, given), **arguments)

        context = inspect.Parameter("context", _KEYWORD, annotation=typer.Context)
        own_parameters = [each for name, each in own.items() if name not in ("context", "chosen")]
        made = [flag.parameter for flag in flags]
        command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [each.replace(kind=_KEYWORD) for each in (context, *own_parameters, *made)]
        )
        command.__annotations__ = {}
        command.flags = flags  # type: ignore[attr-defined]
        return command

    return decorate


_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def is_stated(context: typer.Context, name: str) -> bool:
    """Return True if the call states a parameter."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def flag_of(keyword: str) -> str:
    """Return the flag of a keyword: its words without the unit, as `--budget` of `budget_s`."""
    if keyword in _LIMITS:
        return f"--{_LIMITS[keyword][0].replace('_', '-')}"
    unit = next((unit for unit in _UNITS if keyword.endswith(unit)), "")
    return f"--{keyword.removesuffix(unit).replace('_', '-')}"


@contextmanager
def flags_named(keywords: Iterable[str]) -> Iterator[None]:
    """Name the flag, in place of its keyword, in an error about one of these keywords."""
    try:
        yield
    except UsageError as error:
        keyword, colon, rest = str(error).partition(": ")
        name = keyword.removeprefix("limits.").partition(".")[0]  # an item of a list is `k.0`
        if not colon or name not in (*keywords, *_LIMITS):
            raise
        raise type(error)(f"{flag_of(name)}: {rest}") from error


def _with_flags(text: str, kind: type[Declared]) -> str:
    """Return a text with flags in place of the fields that it names."""
    fields = kind.model_fields
    return re.sub(r"`(\w+)`", lambda name: flag_of(name[1]) if name[1] in fields else name[0], text)


def _flags_of(kind: type[Options], texts: Mapping[str, str]) -> Iterator[_Flag]:
    for name, knob in knobs_of(kind).items():
        if name == "limits":
            for field, default in kind.usual_limits.items():
                flag, metavar, text = _LIMITS[field]
                shown = partial(tuple[str, str, str], (text, default, "Limits"))
                yield _flag(flag, field, int, shown, metavar)
        elif name == "seed":
            yield _flag(name, name, int, _describer(knob, texts), "N", parser=_seed, usual=0)
        else:
            yield _flag_of(knob, texts)


def _flag(
    name: str,
    field: str,
    taken: Any,
    describe: Callable[[], tuple[str, str, str]],
    metavar: str | None,
    *,
    read: Callable[[Any], object] = lambda value: value,
    negative: bool = False,
    usual: object = None,
    parser: Callable[[str], object] | None = None,
    values: Any = None,
) -> _Flag:
    flag = f"--{name.replace('_', '-')}"
    option = typer.Option(
        f"{flag}/--no-{flag[2:]}" if negative else flag,
        metavar=metavar,
        parser=parser,
        autocompletion=values,
    )
    annotation = Annotated[taken | None, option]
    parameter = inspect.Parameter(name, _KEYWORD, default=usual, annotation=annotation)
    return _Flag(parameter, field, read, describe)


def _describer(knob: Knob, texts: Mapping[str, str]) -> Callable[[], tuple[str, str, str]]:
    def describe() -> tuple[str, str, str]:
        text = texts.get(knob.name, f"{knob.text} {knob.flag.note}".rstrip())
        default = _default_text(knob)
        return _with_flags(text, knob.model), _with_flags(default, knob.model), knob.group

    return describe


def request_flags(request: type[Declared]) -> list[_Flag]:
    """Return the flags of a request; each of its sources is an argument of the command."""
    found = []
    for name, knob in knobs_of(request).items():
        if not knob.flag.is_source:
            found.append(_flag_of(knob, {}))
            continue
        argument = typer.Argument(metavar=knob.flag.metavar or name.upper(), help=knob.text)
        default = inspect.Parameter.empty if knob.default is ... else None
        parameter = inspect.Parameter(
            name, _KEYWORD, default=default, annotation=Annotated[Path, argument]
        )
        found.append(_Flag(parameter, name, lambda value: value, lambda: ("", "", "")))
    return found


def _flag_of(knob: Knob, texts: Mapping[str, str]) -> _Flag:
    return _flag(
        flag_of(knob.name)[2:].replace("-", "_"),
        knob.name,
        _type_of(knob),
        _describer(knob, texts),
        knob.flag.metavar or _METAVARS.get(_type_of(knob)),
        read=_reader(knob),
        negative=knob.default is True,
        values=_completions(knob),
    )


def _type_of(knob: Knob) -> Any:
    """Return the type of a flag: a path, a literal, a number or a text, or a list of them."""
    plain = _without_none(knob.takes)
    is_path = knob.flag.metavar in _PATHS
    if knob.flag.read is not None and not is_path:
        return str
    if get_origin(plain) in (list, tuple, Sequence):
        item = Path if is_path else _scalar(_without_none(get_args(plain)[0]))
        return list[item]  # type: ignore[valid-type]
    return Path if is_path else _scalar(plain)


def _scalar(plain: Any) -> Any:
    return plain if plain in (int, float, bool) or get_origin(plain) is Literal else str


def _without_none(kind: Any) -> Any:
    """Return a type without None and without annotations."""
    if get_origin(kind) is Annotated:
        return _without_none(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return _without_none(next(each for each in get_args(kind) if each is not type(None)))
    return kind


def _reader(knob: Knob) -> Callable[[Any], object]:
    read = knob.flag.read
    if read is None:
        return lambda value: tuple(value) if isinstance(value, list) else value

    def named(text: str) -> object:
        try:
            return read(text)
        except UsageError as error:
            raise UsageError(f"{flag_of(knob.name)}: {error}") from error

    return named


def _default_text(knob: Knob) -> str:
    """Return what the help shows as the default; empty for nothing."""
    if knob.default_text or (not knob.default and knob.name != "seed"):
        return knob.default_text
    if knob.default is True:
        return flag_of(knob.name)
    if isinstance(knob.default, tuple):
        return ",".join(map(str, knob.default))
    return f"{knob.default:g}" if isinstance(knob.default, float) else str(knob.default)


def _completions(knob: Knob) -> Any:
    if knob.name == "language":
        return language_names
    if knob.name == "compiler":
        return _compilers
    if knob.name == "entry":
        return lambda: [each for each in _ENTRIES if each.rstrip(":") in knob.text]
    return None


def _compilers(context: typer.Context) -> list[str]:
    return compilers_of(context.params.get("language"))


def _seed(text: str) -> int | None:
    if str(text) == "random":
        return None
    try:
        return int(text)
    except ValueError as error:
        raise UsageError(f"--seed must be a whole number or random, got {text!r}") from error
