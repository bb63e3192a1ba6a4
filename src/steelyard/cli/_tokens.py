"""`steelyard tokens`: create, list and revoke tokens of the service."""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from steelyard._installation import install_command
from steelyard.cli._console import report_console
from steelyard.cli._groups import Command, Group
from steelyard.cli._options import Database, Json
from steelyard.cli._outputs import print_json
from steelyard.errors import UsageError
from steelyard.rendering import visible

if TYPE_CHECKING:
    from steelyard.schemas import Scope, StoredToken

tokens = typer.Typer(
    cls=Group,
    add_completion=False,
    invoke_without_command=True,
    help="Manage the tokens of the service.",
)
_SCOPES = ("judge", "author", "admin")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@tokens.callback()
def options(context: typer.Context) -> None:
    """Manage the tokens of the service."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(UsageError.exit_status)


@tokens.command(cls=Command)
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
        raise UsageError(
            f"the service needs packages that are not installed; run: {install_command('service')}"
        ) from error
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
        print_json({"token": text, **_plain(stored)})
    else:
        typer.echo(text)
        note = f"token {stored.id} is shown only now: keep it like a password"
        report_console(stderr=True).print(note, soft_wrap=True)


@tokens.command("list", cls=Command)
def list_all(database: Database = None, json: Json = False) -> None:
    """List all tokens, without their secrets."""
    from steelyard.storage import open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened, opened.read() as reader:
        from steelyard.storage import list_tokens  # needs what opening has found  # noqa: PLC0415

        found = list_tokens(reader)
    if json:
        print_json({"tokens": [_plain(each) for each in found]})
        return
    table = Table()
    for heading in ("id", "owner", "name", "scopes", "created", "expires", "state"):
        table.add_column(heading)
    for each in found:
        expires = "never" if each.expires_utc is None else f"{each.expires_utc:%Y-%m-%d %H:%M}"
        table.add_row(
            each.id,
            each.owner,
            Text(visible(each.name)),
            " ".join(each.scopes),
            f"{each.created_utc:%Y-%m-%d %H:%M}",
            expires,
            _state(each),
        )
    report_console().print(table)


@tokens.command(cls=Command)
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
    if json:
        print_json(_plain(revoked))
    else:
        typer.echo(f"token {revoked.id} is revoked")
    if was_last:
        note = "no token with the scope admin is left; create one: steelyard tokens create --scope"
        report_console(stderr=True).print(f"{note} admin", soft_wrap=True)


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


def _plain(token: "StoredToken") -> dict[str, object]:
    plain = token.model_dump(mode="json", exclude={"secret_sha256"})
    return {**plain, "state": _state(token)}


def _state(token: "StoredToken") -> str:
    if token.revoked_utc is not None:
        return "revoked"
    expired = token.expires_utc is not None and token.expires_utc <= datetime.now(UTC)
    return "expired" if expired else "valid"
