"""`steelyard env`: tasks as environments of training frameworks."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._datasets import DataSet, FaultLines, Format, Limit, Source, report
from steelyard.cli._groups import ClosingCommand, group_of
from steelyard.cli._options import Json
from steelyard.reports import counted, visible

env = group_of("Write tasks as environments of training frameworks.")


@env.command(cls=ClosingCommand)
def export(
    source: Source,
    framework: Annotated[
        str,
        typer.Option("--for", metavar="NAME", help="Framework, such as `verifiers` or `inspect`."),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="New folder; its name is the package's name."),
    ],
    turns: Annotated[
        int,
        typer.Option(
            "--turns",
            metavar="K",
            min=1,
            help="Replies of one conversation at most: after a reply that fails, the model gets "
            "the first failing case.",
        ),
    ] = 1,
    show_hidden: Annotated[
        bool,
        typer.Option(
            "--show-hidden",
            help="Show the model failing cases that are not in the category `visible`, too.",
        ),
    ] = False,
    format: Format = None,  # noqa: A002
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Write the tasks of a data set as a package that a framework loads.

    Tasks without tests are reported and left out.
    """
    from steelyard.training.environments import export_environment  # noqa: PLC0415

    faults = FaultLines(json)
    written = export_environment(
        islice(DataSet(source, format).tasks(faults), limit),
        out,
        framework=framework,
        turns=turns,
        show_hidden=show_hidden,
        on_fault=faults.add,
    )
    line = f"{counted(written.tasks, 'task')} for {framework} in {visible(str(out))}"
    commands = "".join(f"\n  {visible(command)}" for command in written.commands)
    report({"source": source, **written.model_dump()}, line, faults)
    if not json:
        typer.echo(f"run:{commands}")
