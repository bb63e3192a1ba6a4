"""Read the words for `steelyard evaluate` as the command line does, before anything is made."""

import re
from typing import Any

import typer

from steelyard.cli._app import app

__all__ = ["ArgumentsError", "model_limit_usd"]


class ArgumentsError(ValueError):
    """The words are not a call of `steelyard evaluate`, or set no limit for models."""


def model_limit_usd(text: str) -> float:
    """Return what models may cost in each shard, in US dollars; 0 without models.

    Raises:
        ArgumentsError: The pods could not read the words, or models have no `--max-cost`.
    """
    # A shell splits the words without reading quotes, and expands patterns.
    if found := re.search(r"""["'\\*?\[$`;&|<>()#~]""", text):
        raise ArgumentsError(f"arguments must be plain words without {found[0]}, got {text}")
    given = _parsed(["evaluate", *text.split()])
    if given.get("model") is None and not given.get("solve"):
        return 0.0
    limit_usd = given["max_cost"]
    if limit_usd is None:
        raise ArgumentsError("models cost money; add --max-cost for each shard to the arguments")
    if not 0 <= limit_usd < float("inf"):
        raise ArgumentsError(f"--max-cost must be finite and at least 0, got {limit_usd:g}")
    return float(limit_usd)


def _parsed(words: list[str]) -> dict[str, Any]:
    command: Any = typer.main.get_command(app)
    called = "steelyard"
    try:
        context = command.make_context(called, words)
        while hasattr(command, "resolve_command"):
            rest = [*context._protected_args, *context.args]  # noqa: SLF001
            called, command, rest = command.resolve_command(context, rest)
            context = command.make_context(called, rest, parent=context)
    except Exception as error:  # Click's own classes or Typer's copies of them, by their versions
        reason = error.format_message() if hasattr(error, "format_message") else "they ask for help"
        raise ArgumentsError(f"steelyard evaluate refuses the arguments: {reason}") from error
    if called != "run":
        raise ArgumentsError(f"arguments must name tasks, not the subcommand {called}")
    return dict(context.params)
