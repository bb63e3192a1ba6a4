"""Write the command-line reference from the commands themselves, so that the two cannot differ."""

from collections.abc import Iterator
from typing import Any

import typer

from steelyard.cli._app import app
from steelyard.cli._help import EXAMPLES

MARK = "<!-- commands -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the mark by a section for each command."""
    return markdown.replace(MARK, "\n".join(_reference())) if MARK in markdown else markdown


def _reference() -> Iterator[str]:
    root: Any = typer.main.get_command(app)
    top = root.make_context("steelyard", [], resilient_parsing=True)
    for command, context in _commands(root, top):
        path = context.command_path.partition(" ")[2]
        yield f"## {path}\n\n{_text(command.help)}\n"
        usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
        yield "\n".join(("```text", usage, *EXAMPLES.get(path.removesuffix(" run"), ()), "```\n"))
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            if record and "--help" not in record[0]:
                yield f"`{' '.join(record[0].split())}`\n:   {_text(record[1]) or '&nbsp;'}\n"
        yield f"{_text(command.epilog)}\n"


def _commands(group: Any, context: Any) -> Iterator[tuple[Any, Any]]:
    """Every command that runs something, with its context; a group's commands in its place."""
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])  # which imports it
        if command.hidden:
            continue
        own = command.context_class(command, info_name=name, parent=context)
        if hasattr(command, "list_commands"):
            yield from _commands(command, own)
        else:
            yield command, own


def _text(text: str | None) -> str:
    """A help text as Markdown: one line, with the defaults set apart."""
    line = " ".join((text or "").split()).replace("<", "&lt;").replace("*", "\\*")
    return line.replace("[", "\\[").replace("]", "\\]")
