"""The command of a job that has none of its own, made from its declaration."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from steelyard.cli._flags import Chosen, flags_named, request_flags, takes
from steelyard.cli._options import Html, Json, read_source
from steelyard.cli._outputs import check_output, print_json, write_output
from steelyard.cli._progress import progress
from steelyard.job import Job
from steelyard.reports import page, print_blocks


def command_of(own: Job[Any, Any, Any]) -> Callable[..., None]:
    """Return a command: sources are arguments, and all else are flags."""
    flags = request_flags(own.request)

    def command(
        *, chosen: Chosen[Any], html: Html = None, json: Json = False, **given: Any
    ) -> None:
        if html is not None:
            check_output(html)
        asked = {
            flag.field: flag.read(given[flag.parameter.name])
            for flag in flags
            if given[flag.parameter.name] is not None
        }
        asked = {
            name: read_source(value) if isinstance(value, Path) else value
            for name, value in asked.items()
        }
        with progress(own.name) as on_event:
            options = chosen.options(on_event=on_event)
            with flags_named(asked):
                request = own.request.of(**asked)
            report = own.finished(request, options)
        blocks = tuple(own.view(report))
        if html is not None:
            write_output(html, page(own.name, blocks))
        if json:
            print_json(report.to_json())
        else:
            print_blocks(blocks)
        raise typer.Exit(0 if report.passed else 1)

    signature = inspect.signature(command)
    kept = [each for each in signature.parameters.values() if each.name != "given"]
    made = [flag.parameter for flag in flags]
    command.__signature__ = signature.replace(parameters=[*made, *kept])  # type: ignore[attr-defined]
    command.__name__, command.__doc__ = own.name, own.help
    return takes(own.options)(command)
