"""The service's processes, and the tokens for them: `serve`, `worker`, `mcp` and `tokens`."""

import os
import re
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard._installation import install_command
from steelyard.cli._groups import ClosingCommand, group_of
from steelyard.cli._options import Database, Json, settings_of
from steelyard.cli._outputs import log_level, print_json, print_result
from steelyard.errors import UsageError
from steelyard.logs import configure_logs
from steelyard.reports import Code, Table, Text, print_blocks
from steelyard.settings import PEERS, Peer

if TYPE_CHECKING:
    from steelyard.schemas import Scope, StoredToken
    from steelyard.service import Address

_TRUSTS = (
    "without a token this machine alone is trusted: each of its users and programs has all "
    "rights; before a proxy passes requests on, create one: steelyard tokens create --scope admin"
)
_SCOPES = ("judge", "author", "admin")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


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
        raise _missing("the service needs", "service") from error
    settings = settings_of(database)
    changes: dict[str, object] = {}
    if compat is not None:
        changes["compat"] = _peers(compat)
    if mcp:
        changes["mcp"] = True
    if workers is not None:
        changes["workers"] = workers
    service = settings.service.model_copy(update=changes)
    settings = settings.model_copy(update={"service": service})
    configure_logs(log_level(), file=log_file)

    def announce(address: "Address") -> None:
        if json:
            print_json({"url": address.url})
        else:
            print_blocks([Code(f"listening on {address.url}")], sys.stderr)
        if address.trusts_machine:
            print_blocks([Text(_TRUSTS)], sys.stderr)

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


def worker(
    workers: Annotated[
        int, typer.Option(min=1, max=1_024, help="Processes; each runs one job at a time.")
    ] = 1,
    database: Database = None,
) -> None:
    """Run the long jobs of a service, on this machine or on another.

    It runs until SIGINT or SIGTERM, and finishes the jobs under way. Services and workers share the
    database.
    """
    try:
        from steelyard.service.jobs import JobQueue, Workers  # an extra  # noqa: PLC0415
        from steelyard.storage import open_database  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise _missing("workers need", "service") from error
    settings = settings_of(database)
    configure_logs(log_level())
    # Each fails with one line: tables of another version, or a database that is not there.
    with open_database(settings.database_url or None), JobQueue(settings):
        pass
    with Workers(settings, workers) as running:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: running.end())
        running.wait()


def mcp(database: Database = None) -> None:
    """Serve the jobs as tools for an agent (MCP).

    It runs until standard input ends. `steelyard serve --mcp` offers the same tools over HTTP.
    """
    try:
        import anyio  # noqa: PLC0415  (an extra)

        from steelyard.service.mcp import serve_stdio  # noqa: PLC0415
    except ImportError as error:
        raise _missing("the tools for agents need", "service,mcp") from error
    settings = settings_of(database)
    configure_logs(log_level())
    _keep_output_to_the_protocol()
    anyio.run(serve_stdio, settings)


def _keep_output_to_the_protocol() -> None:
    """Send to standard error what anything else in this process, or its children, prints."""
    sys.stdout.flush()
    protocol = os.dup(sys.stdout.fileno())
    os.set_inheritable(protocol, False)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = os.fdopen(protocol, "w", encoding="utf-8")


def _missing(who: str, extras: str) -> UsageError:
    return UsageError(f"{who} packages that are not installed; run: {install_command(extras)}")


tokens = group_of("Manage the tokens of the service.")


@tokens.command(cls=ClosingCommand)
def create(
    name: Annotated[
        str | None,
        typer.Argument(
            help="The token's holder, for people.", show_default="unnamed, or as the owner's"
        ),
    ] = None,
    scope: Annotated[
        str,
        typer.Option(metavar="SCOPES", help="Any of judge, author and admin, with commas."),
    ] = "judge",
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", show_default="never", help="Lifetime, such as 30d, 12h or 15m."
        ),
    ] = None,
    requests_per_minute: Annotated[
        int | None,
        typer.Option(min=1, show_default="the service's limit", help="Limit on its requests."),
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, show_default="the service's limit", help="Limit on its requests under way."
        ),
    ] = None,
    owner: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            show_default="a new one",
            help="Owner that gets another token, as listed. Its runs and submissions stay its own.",
        ),
    ] = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Create a token, and print it once: only a hash of it is stored."""
    try:
        from steelyard.service import new_token  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise _missing("the service needs", "service") from error
    from steelyard.storage import list_tokens, open_database, store_token  # noqa: PLC0415

    if name is not None and not (1 <= len(name) <= 100 and name.isprintable()):
        raise UsageError("a token's name has 1 to 100 printable characters; give another one")
    scopes, lifetime = _scopes(scope), _lifetime(expires)
    with open_database(database) as opened, opened.change() as change:
        named = [each.name for each in list_tokens(change) if each.owner == owner]
        if owner is not None and not named:
            raise UsageError(f"no token has the owner {owner!r}; list them: steelyard tokens list")
        text, stored = new_token(
            name or (named[-1] if named else "unnamed"),
            scopes,
            now=datetime.now(UTC),
            owner=owner or "",
            lifetime=lifetime,
            requests_per_minute=requests_per_minute,
            concurrency=concurrency,
        )
        store_token(change, stored)
    if json:
        print_json({"token": text, **_token_json(stored)})
    else:
        typer.echo(text)
        note = f"token {stored.id} is shown only now: keep it like a password"
        print_blocks([Text(note)], sys.stderr)


@tokens.command("list", cls=ClosingCommand)
def list_all(database: Database = None, json: Json = False) -> None:
    """List all tokens, without their secrets."""
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened, opened.read() as reader:
        from steelyard.storage import list_tokens  # needs what opening has found  # noqa: PLC0415

        found = list_tokens(reader)
    rows = [
        (
            each.id,
            each.owner,
            each.name,
            " ".join(each.scopes),
            f"{each.created_utc:%Y-%m-%d %H:%M}",
            "never" if each.expires_utc is None else f"{each.expires_utc:%Y-%m-%d %H:%M}",
            _token_state(each),
        )
        for each in found
    ]
    headings = ("id", "owner", "name", "scopes", "created", "expires", "state")
    tokens = {"tokens": [_token_json(each) for each in found]}
    print_result(tokens, [Table(headings, rows)], json=json)


@tokens.command(cls=ClosingCommand)
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as listed.")],
    database: Database = None,
    json: Json = False,
) -> None:
    """Revoke a token for good. A running service refuses it after a second at most."""
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened, opened.change() as change:
        from steelyard.storage import is_last_admin, revoke_token  # noqa: PLC0415

        now = datetime.now(UTC)
        was_last = is_last_admin(change, token_id, now)
        revoked = revoke_token(change, token_id, now)
    print_result(_token_json(revoked), [Code(f"token {revoked.id} is revoked")], json=json)
    if was_last:
        note = "no token with the scope admin is left; create one: steelyard tokens create --scope"
        print_blocks([Code(f"{note} admin")], sys.stderr)


def _scopes(text: str) -> "tuple[Scope, ...]":
    given = [each.strip() for each in text.split(",")]
    found: tuple[Scope, ...] = tuple(each for each in _SCOPES if each in given)  # type: ignore[misc]
    if not set(given) <= set(_SCOPES):
        raise UsageError(f"--scope must be of judge, author and admin, got {text!r}")
    return found


def _lifetime(text: str | None) -> timedelta | None:
    if text is None:
        return None
    parts = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", text, re.ASCII)
    if parts is None:
        raise UsageError(f"--expires must be a time such as 30d, 12h or 15m, got {text!r}")
    return timedelta(**{_UNITS[parts[2]]: int(parts[1])})


def _token_json(token: "StoredToken") -> dict[str, object]:
    plain = token.model_dump(mode="json", exclude={"secret_sha256"})
    return {**plain, "state": _token_state(token)}


def _token_state(token: "StoredToken") -> str:
    if token.revoked_utc is not None:
        return "revoked"
    expired = token.expires_utc is not None and token.expires_utc <= datetime.now(UTC)
    return "expired" if expired else "valid"
