"""`steelyard serve`: the service."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard._installation import install_command
from steelyard.cli._console import report_console
from steelyard.cli._options import Database, Json
from steelyard.cli._outputs import print_json
from steelyard.cli._verbosity import log_level
from steelyard.errors import UsageError
from steelyard.logs import configure_logs
from steelyard.settings import PEERS, Peer, current_settings

if TYPE_CHECKING:
    from steelyard.service import Address

_TRUSTS = (
    "without a token this machine alone is trusted: each of its users and programs has all "
    "rights; before a proxy passes requests on, create one: steelyard tokens create --scope admin"
)


def serve(
    host: Annotated[
        str,
        typer.Option(help="Address to listen on. Any other than loopback needs a token."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port; 0 for any that is free.")
    ] = 8080,
    compat: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help=f"Judges whose endpoints to offer too, with commas between: {', '.join(PEERS)}.",
        ),
    ] = None,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Offer the tools for agents at /mcp, as `steelyard mcp`.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1_024,
            show_default="1",
            help="Processes that run long jobs; 0 if only `steelyard worker` runs them.",
        ),
    ] = None,
    log_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for the log, as JSON; rotated at 16 MiB."),
    ] = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Serve judgements, runs and pages over HTTP."""
    try:
        from steelyard.service import serve as run  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            f"the service needs packages that are not installed; run: {install_command('service')}"
        ) from error
    settings = current_settings()
    if compat is not None:
        own = settings.service.model_copy(update={"compat": _peers(compat)})
        settings = settings.model_copy(update={"service": own})
    if mcp:
        own = settings.service.model_copy(update={"mcp": True})
        settings = settings.model_copy(update={"service": own})
    if database is not None:
        settings = settings.model_copy(update={"database_url": str(database)})
    if workers is not None:
        service = settings.service.model_copy(update={"workers": workers})
        settings = settings.model_copy(update={"service": service})
    configure_logs(log_level(), file=log_file)

    console = report_console(stderr=True)

    def announce(address: "Address") -> None:
        if json:
            print_json({"url": address.url})
        else:
            console.print(f"listening on {address.url}", soft_wrap=True)
        if address.trusts_machine:
            console.print(_TRUSTS, soft_wrap=True)

    run(settings, host, port, on_listening=announce)


def _peers(names: str) -> tuple[Peer, ...]:
    """Return the peers that the option names.

    Raises:
        UsageError: if one is unknown.
    """
    given = [name.strip() for name in names.split(",")]
    unknown = next((name for name in given if name not in PEERS), None)
    if unknown is not None:
        raise UsageError(f"unknown judge {unknown!r}; choose from {', '.join(PEERS)}")
    return tuple(peer for peer in PEERS if peer in given)
