"""Store, read and revoke tokens. Unlike records, they are not exported and can be revoked."""

from datetime import datetime

from sqlalchemy import Row, func, select, update

from steelyard.errors import UsageError
from steelyard.schemas import StoredToken
from steelyard.storage._reading import Reader
from steelyard.storage._tables import tokens
from steelyard.storage._writing import RowWriter


def store_token(change: RowWriter, token: StoredToken) -> None:
    """Store a new token.

    Raises:
        UsageError: if there is a token with this id, or its owner has none.
    """
    if find_token(change, token.id) is not None:
        raise UsageError(f"there is a token {token.id} already; create another one")
    if token.owner != token.id and find_token(change, token.owner) is None:
        raise UsageError(
            f"no token has the owner {token.owner!r}; list them: steelyard tokens list"
        )
    plain = token.model_dump(mode="json")
    plain["scopes"] = " ".join(token.scopes)
    change.connection.execute(tokens.insert().values(**plain))


def find_token(reader: Reader, token_id: str) -> StoredToken | None:
    """Return the token with this id, if there is one."""
    row = reader.connection.execute(select(tokens).where(tokens.c.id == token_id)).first()
    return None if row is None else _token_of(row)


def has_tokens(reader: Reader) -> bool:
    """Return True if there is any token, even one that has expired or was revoked."""
    return reader.connection.execute(select(func.count()).select_from(tokens)).scalar_one() > 0


def list_tokens(reader: Reader) -> tuple[StoredToken, ...]:
    """Return all tokens, in the order in which they were created."""
    rows = reader.connection.execute(select(tokens).order_by(tokens.c.created_utc, tokens.c.id))
    return tuple(map(_token_of, rows))


def is_last_admin(reader: Reader, token_id: str, when: datetime) -> bool:
    """Return True if no valid token but this one has the scope `admin`."""
    valid = {
        each.id
        for each in list_tokens(reader)
        if "admin" in each.scopes
        and each.revoked_utc is None
        and (each.expires_utc is None or each.expires_utc > when)
    }
    return valid == {token_id}


def revoke_token(change: RowWriter, token_id: str, when: datetime) -> StoredToken:
    """Revoke a token for good, and return it. A token that was revoked before keeps its time.

    Raises:
        UsageError: if there is no token with this id.
    """
    token = find_token(change, token_id)
    if token is None:
        raise UsageError(f"there is no token {token_id!r}; list them: steelyard tokens list")
    if token.revoked_utc is not None:
        return token
    revoked = StoredToken.model_validate({**token.model_dump(), "revoked_utc": when})
    text = revoked.model_dump(mode="json")["revoked_utc"]
    change.connection.execute(
        update(tokens).where(tokens.c.id == token_id).values(revoked_utc=text)
    )
    return revoked


def _token_of(row: Row[tuple[object, ...]]) -> StoredToken:
    plain = dict(row._mapping)  # noqa: SLF001  (its name for what is public)
    return StoredToken.model_validate({**plain, "scopes": plain["scopes"].split()})
