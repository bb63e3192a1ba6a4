"""Tokens of the service, as they are stored: never their secrets."""

from typing import Any, Literal

from pydantic import Field, model_validator

from steelyard.schemas._base import Record
from steelyard.schemas._stored import OwnerId, StoredTime

Scope = Literal["judge", "author", "admin"]
"""`judge`: everything that runs programs. `author`: also what asks language models and stores
problems. `admin`: also tokens, metrics and the state of other callers' runs."""


class StoredToken(Record):
    """A token of the service."""

    id: str = Field(pattern=r"^[0-9a-f]{12}$")
    """The part of the token that may be shown."""
    owner: OwnerId
    """The account, which may have several tokens: the id of its first one."""
    name: str = Field(min_length=1, max_length=100)
    """The holder, for people. Nothing is decided by it."""
    secret_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", repr=False)
    scopes: tuple[Scope, ...] = Field(min_length=1)
    created_utc: StoredTime
    expires_utc: StoredTime | None = None
    """None if it does not expire."""
    revoked_utc: StoredTime | None = None
    requests_per_minute: int | None = Field(default=None, ge=1)
    """None is the service's own limit."""
    concurrency: int | None = Field(default=None, ge=1)
    """Limit on its requests under way; None is the service's own."""

    @model_validator(mode="before")
    @classmethod
    def _first_of_its_owner(cls, data: Any) -> Any:
        """A token without an owner is the first one of an account."""
        return {"owner": data.get("id"), **data} if isinstance(data, dict) else data
