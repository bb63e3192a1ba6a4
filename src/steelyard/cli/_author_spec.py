"""`steelyard author spec`: a request in prose becomes an exact specification."""

import asyncio
import json as json_text
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._options import Json, MaxCost, MaxTokens, Models, flags_named
from steelyard.cli._outputs import check_output, print_json, write_output
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.rendering import visible
from steelyard.sandbox import CellPool
from steelyard.schemas import Specification

if TYPE_CHECKING:
    from steelyard.authoring import AuthorOptions, Specified

_MOST_BYTES = 1 << 20


def spec(
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The request, in prose.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the request, in place of TEXT.")
    ] = None,
    models: Models = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the specification to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Turn a request in prose into an exact specification.

    What the request leaves open is printed as a question.
    """
    from steelyard.authoring import AuthorOptions, require_request  # noqa: PLC0415

    if out is not None:
        check_output(out)
    request = require_request(request_of(text, file))
    given = {"writer": models, "max_cost_usd": max_cost, "max_tokens": max_tokens}
    told = {name: value for name, value in given.items() if value is not None}
    with CellPool(1) as pool, progress("specifying") as on_event:
        with flags_named(given):
            options = AuthorOptions.of(**told, pool=pool, on_event=on_event)
        found = asyncio.run(_asked(request, options, pool))
    plain = found.specification.model_dump_json(indent=2)
    for question in found.questions:
        line = f"the request leaves open: {visible(question)}"
        report_console(stderr=True).print(Text(line, style="yellow"), soft_wrap=True)
    if json:
        print_json(plain)
    else:
        report_console().print(_in_words(found.specification), soft_wrap=True)
    if out is not None:
        write_output(out, f"{plain}\n")


async def _asked(request: str, options: "AuthorOptions", pool: CellPool) -> "Specified":
    from steelyard.authoring import Specifier  # noqa: PLC0415
    from steelyard.journal import Asker, Journal, Steps, open_budget, open_models  # noqa: PLC0415

    with ExitStack() as stack:
        models = open_models({"specifier": options.writer}, (), stack)
        budget = open_budget(options.max_cost_usd, options.max_tokens, models)
        journal = Journal(None, "spec")
        asker = Asker(models, journal, budget, options.fixed_seed(), {})
        steps = Steps(journal, options.emit, "author")
        return await Specifier(asker, steps, request, pool).write()


def request_of(text: str | None, file: Path | None) -> str:
    """Return the request: the text, or the content of the file.

    Raises:
        UsageError: if none or both are given, or the file cannot be read.
    """
    if (text is None) == (file is None):
        raise UsageError("give one request: TEXT, or --file FILE")
    if file is None:
        return text or ""
    try:
        with file.open("rb") as stream:
            data = stream.read(_MOST_BYTES)
        # A cut may be within a character; so long a request is refused anyway.
        return data.decode("utf-8", "ignore" if len(data) == _MOST_BYTES else "strict")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--file: {file} cannot be read: {why}; give a text file") from error


def _in_words(spec: Specification) -> Text:
    signature = ", ".join(f"{each.name}: {each.type}" for each in spec.parameters)
    lines = [
        (visible(spec.title), "bold"),
        (visible(spec.description), ""),
        (f"solve({signature}) -> {spec.returns}", "cyan"),
        *((f"  {visible(each)}", "") for each in spec.constraints),
        *(
            (f"  solve({_shown(*each.args)}) == {_shown(each.expected)}", "green")
            for each in spec.examples
        ),
    ]
    return Text("\n").join(Text(line, style=style) for line, style in lines)


def _shown(*values: JsonValue) -> str:
    return visible(", ".join(json_text.dumps(each, ensure_ascii=False) for each in values))
