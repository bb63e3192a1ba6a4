"""Parse words of a command line as `steelyard` does, without running the command."""

from collections.abc import Sequence
from typing import Any

import typer

from steelyard.cli._app import app


def parsed(words: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Return the command that the words name, and the values of its options.

    Raises:
        click.ClickException: if the command line refuses them.
    """
    command: Any = typer.main.get_command(app)
    name, parent = "steelyard", None
    context = command.make_context(name, list(words))
    while hasattr(command, "resolve_command"):
        rest = [*context._protected_args, *context.args]
        called, command, rest = command.resolve_command(context, rest)
        name, parent = f"{name} {called}", context
        context = command.make_context(called, rest, parent=parent)
    return name, context.params
