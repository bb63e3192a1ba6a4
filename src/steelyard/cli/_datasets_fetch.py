"""`steelyard datasets fetch`: problems of a site as tasks."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._datasets_faults import Faults, report, written
from steelyard.cli._options import Json
from steelyard.errors import UsageError


def fetch(
    site: Annotated[str, typer.Argument(help="The site: codeforces.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="File NAME.jsonl, or a folder.")
    ],
    contest: Annotated[
        int | None, typer.Option("--contest", metavar="N", min=1, help="Number of the contest.")
    ] = None,
    pages: Annotated[
        Path | None,
        typer.Option("--pages", metavar="PATH", help="Read saved pages; use no network."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url", metavar="URL", show_default="the site's own", help="Address of a mirror."
        ),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Fetch again what the cache holds.")
    ] = False,
    json: Json = False,
) -> None:
    """Get the statements and samples of a contest's problems.

    The network is used only with --contest and without --pages: one request in two seconds, each
    page once. Sites publish samples and not their tests, so a program that passes may be wrong.
    """
    from steelyard.datasets import write_tasks  # noqa: PLC0415
    from steelyard.datasets.codeforces import (  # noqa: PLC0415
        CODEFORCES_URL,
        fetch_contest,
        read_pages,
    )

    if site != "codeforces":
        raise UsageError(f"unknown site {site!r}; use codeforces")
    faults = Faults(json)
    if pages is not None:
        tasks = read_pages(pages, on_fault=faults.add, contest=contest)
    elif contest is not None:
        tasks = fetch_contest(
            contest, on_fault=faults.add, site=url or CODEFORCES_URL, refresh=refresh
        )
    else:
        raise UsageError("give --contest N to fetch a contest, or --pages PATH for saved pages")
    number = write_tasks(tasks, out)
    fields = {"site": site, "out": str(out), "tasks": number}
    report(fields, written(number, out), faults)
    if not number:
        raise typer.Exit(1)
