"""Help texts: at most 80 columns, options in groups, and examples at the end.

`--help` shows what most calls need. `--help-all` adds the options of the group Advanced.
"""

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

_WIDTH = 80
_COLUMN = 26
"""Longest name of an option; its text begins below a longer one."""
_ADVANCED = "Advanced"
_GROUPS = ("Program", "Models", "Tests", "Comparison", "Limits", "Output", _ADVANCED)
_GROUP_OF = {
    "program": "Program",
    "function": "Program",
    "root": "Program",
    "kind": "Program",
    "problem": "Program",
    "text": "Program",
    "file": "Program",
    "spec": "Program",
    "resume": "Program",
    "benchmark": "Program",
    "named": "Program",
    "solution": "Program",
    "models": "Models",
    "cache": "Models",
    "tests": "Tests",
    "task": "Tests",
    "generator": "Tests",
    "inputs": "Tests",
    "versus": "Tests",
    "versus_language": "Tests",
    "bug": "Tests",
    "checker": "Comparison",
    "jobs": "Limits",
    "json": "Output",
    "html": "Output",
    "plot": "Output",
    "out": "Output",
    "store": "Output",
    "database": "Output",
    "logs": "Output",
    "checker_convention": _ADVANCED,
    "rules": _ADVANCED,
}
"""The groups of further flags, by name; a field of options declares its own."""
_FEW = 12
"""Commands with fewer options show them all, in one group."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "": (
        "steelyard judge square.py --tests tests.jsonl",
        "steelyard profile sort.cpp --generator generate.py",
        "steelyard compare faster.py --root project --function pkg.module:f",
    ),
    "judge": (
        "steelyard judge square.py --tests tests.jsonl",
        "steelyard judge sort.cpp --tests cases/ --time-limit 500 --fail-fast",
        "steelyard judge area.py --tests tests.jsonl --entry function:area",
        "steelyard judge sum.py --task tasks.jsonl:sum",
    ),
    "profile": (
        "steelyard profile sort.cpp --generator generate.py",
        "steelyard profile sort.cpp --spec specification.json --time-limit 1000",
        "steelyard profile new.cpp --generator generate.py --versus old.cpp",
    ),
    "compare": (
        "steelyard compare faster.py --root project --function pkg.module:f",
        "steelyard compare change.diff --function pkg.module:f --threshold 10%",
    ),
    "solve": (
        "steelyard solve problem.json --generator generate.py --out best.cpp",
        'steelyard solve --text "Print the sum of two numbers." --language python',
        "steelyard solve --resume logs/sum-1 --max-cost 2",
    ),
    "author": (
        'steelyard author "Return the largest gap of a sorted list." --out gap',
        "steelyard author --file request.txt --out gap --max-cost 1",
        "steelyard author --resume gap",
    ),
    "evaluate": (
        "steelyard evaluate humaneval --samples samples.jsonl",
        "steelyard evaluate core --model anthropic:NAME --n 5 --max-cost 10",
    ),
    "serve": ("steelyard serve", "steelyard serve --port 8080"),
    "train": ("steelyard train train.yaml",),
}
"""Calls at the end of a command's help, by the command's path."""


def help_of(
    command: Any, context: Any, *, params: Iterable[Any] | None = None, commands: Iterable[Any] = ()
) -> str:
    """Return the help of a command, in lines of at most 80 columns.

    Args:
        command: The command of Typer.
        context: Its context.
        params: Its parameters; None for the command's own.
        commands: The commands of a group.
    """
    width = min(_WIDTH, shutil.get_terminal_size().columns)
    return "\n".join(_lines(command, context, params, list(commands), max(width, 40))) + "\n"


def describe(command: Any) -> None:
    """Fill in the helps, defaults and groups of the flags that are made from options.

    Most calls show none of them, and to read them takes as long as a short job.
    """
    flags = {each.parameter.name: each for each in getattr(command.callback, "flags", ())}
    for param in command.params:
        if param.name in flags:
            param.help, default, param.rich_help_panel = flags[param.name].describe()
            param.show_default = default or False


def _lines(
    command: Any, context: Any, params: Iterable[Any] | None, commands: list[Any], width: int
) -> Iterator[str]:
    found = [each for each in (command.params if params is None else params) if not each.hidden]
    options = [each for each in found if each.param_type_name == "option"]
    arguments = [each for each in found if each.param_type_name == "argument"]
    pieces = [_argument(each) for each in arguments] + ["[OPTIONS]"] * bool(options)
    if commands:
        pieces.append("COMMAND [ARGS]..." if params is None else "| COMMAND [ARGS]...")
    yield f"Usage: {' '.join((context.command_path, *pieces))}"
    for paragraph in (command.help or "").split("\n\n"):
        yield ""
        yield from textwrap.wrap(" ".join(paragraph.split()), width)
    tables = [
        (title, [(_name(each), _text(each, context)) for each in members])
        for title, members in _grouped(arguments, options)
    ]
    hidden = sum(len(rows) for title, rows in tables if title == _ADVANCED)
    if hidden and "--help-all" not in sys.argv:
        tables = [(title, rows) for title, rows in tables if title != _ADVANCED]
    else:
        hidden = 0
    if commands:
        tables.append(("Commands", [(each.name, _summary(each)) for each in commands]))
    names = [len(name) for _, rows in tables for name, _ in rows]
    column = max((length for length in names if length <= _COLUMN), default=_COLUMN)
    for title, rows in tables:
        yield from _table(title, rows, column, width)
    path = context.command_path.partition(" ")[2]
    if path in EXAMPLES:
        yield from ("", "Examples:", *(f"  {line}" for line in EXAMPLES[path]))
    if command.epilog:
        yield ""
        yield from textwrap.wrap(" ".join(command.epilog.split()), width)
    if hidden:
        yield from ("", f"--help-all shows {hidden} more option{'s' * (hidden > 1)}.")


def _grouped(arguments: list[Any], options: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    if len(options) < _FEW:
        if arguments:
            yield "Arguments", arguments
        if options:
            yield "Options", options
        return
    groups: dict[str, list[Any]] = {title: [] for title in _GROUPS}
    for each in (*arguments, *options):
        group = getattr(each, "rich_help_panel", None) or _GROUP_OF.get(each.name, "Options")
        groups.setdefault("Program" if each in arguments else group, []).append(each)
    yield from ((title, members) for title, members in groups.items() if members)


def _table(title: str, rows: list[tuple[str, str]], column: int, width: int) -> Iterator[str]:
    yield ""
    yield f"{title}:"
    indent = " " * (column + 4)
    for name, text in rows:
        lines = textwrap.wrap(text, width - len(indent), break_on_hyphens=False) or [""]
        if len(name) > column:
            yield f"  {name}"
            yield from (f"{indent}{line}" for line in lines)
            continue
        yield f"  {name:<{column}}  {lines[0]}".rstrip()
        yield from (f"{indent}{line}" for line in lines[1:])


def _summary(command: Any) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split())


def _argument(param: Any) -> str:
    name = _value_name(param) + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _name(param: Any) -> str:
    if param.param_type_name == "argument":
        return _value_name(param)
    names = sorted(param.opts, key=len)
    if param.secondary_opts:
        return f"--[no-]{names[-1][2:]}"
    shown = ", ".join(names)
    return shown if param.is_flag or param.count else f"{shown} {_value_name(param)}"


def _value_name(param: Any) -> str:
    """Return the name of a value in the help: the metavar, or the last word of the name."""
    return param.metavar or str(param.name).rpartition("_")[2].upper()


def _text(param: Any, context: Any) -> str:
    """Return what a parameter does, its choices, and its default."""
    extra = []
    choices = _choices(param.type_descriptor.annotation)
    if choices:
        extra.append(", ".join(choices))
    default = _default(param, context)
    if default:
        extra.append(default if default.startswith("required") else f"default: {default}")
    if param.required and param.param_type_name == "option":
        extra.append("required")
    return " ".join(filter(None, (param.help, f"[{'; '.join(extra)}]" if extra else "")))


def _choices(annotation: Any) -> tuple[str, ...]:
    members = [annotation, *get_args(annotation)]
    found = next((each for each in members if get_origin(each) is Literal), None)
    return tuple(map(str, get_args(found))) if found is not None else ()


def _default(param: Any, context: Any) -> str:
    if isinstance(param.show_default, str):
        return param.show_default
    value = param.get_default(context, call=False)
    is_flag = param.param_type_name == "option" and (param.is_flag or param.count)
    if not param.show_default or value in (None, "") or (is_flag and not value):
        return ""
    if param.secondary_opts and value is True:
        return str(param.opts[0])
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
