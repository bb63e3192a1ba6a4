"""Problems, suites, solutions and judgements in a database, which keeps all of their versions."""

from importlib import import_module
from typing import TYPE_CHECKING

from steelyard._homes import publish
from steelyard.storage._open import database_at, open_database
from steelyard.storage._versions import REVISIONS

if TYPE_CHECKING:
    from steelyard.storage._changing import Change as Change
    from steelyard.storage._check import check_records as check_records
    from steelyard.storage._database import Database as Database
    from steelyard.storage._export import export_lines as export_lines
    from steelyard.storage._import import import_lines as import_lines
    from steelyard.storage._listing import challenge_page as challenge_page
    from steelyard.storage._listing import problem_page as problem_page
    from steelyard.storage._listing import problem_summary as problem_summary
    from steelyard.storage._listing import submission_page as submission_page
    from steelyard.storage._listing import suite_page as suite_page
    from steelyard.storage._reading import Reader as Reader
    from steelyard.storage._target import Target as Target
    from steelyard.storage._target import target_of as target_of
    from steelyard.storage._tokens import find_token as find_token
    from steelyard.storage._tokens import has_tokens as has_tokens
    from steelyard.storage._tokens import is_last_admin as is_last_admin
    from steelyard.storage._tokens import list_tokens as list_tokens
    from steelyard.storage._tokens import revoke_token as revoke_token
    from steelyard.storage._tokens import store_token as store_token

__all__ = ["REVISIONS", "database_at", "open_database"]

_HOMES = {
    "Change": "_changing",
    "Database": "_database",
    "Reader": "_reading",
    "challenge_page": "_listing",
    "Target": "_target",
    "check_records": "_check",
    "export_lines": "_export",
    "find_token": "_tokens",
    "has_tokens": "_tokens",
    "import_lines": "_import",
    "is_last_admin": "_tokens",
    "list_tokens": "_tokens",
    "problem_page": "_listing",
    "problem_summary": "_listing",
    "revoke_token": "_tokens",
    "store_token": "_tokens",
    "submission_page": "_listing",
    "suite_page": "_listing",
    "target_of": "_target",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'steelyard.storage' has no attribute {name!r}")
    # At first use: they need SQLAlchemy, which is an extra.
    value: object = getattr(import_module(f"steelyard.storage.{_HOMES[name]}"), name)
    return value


publish(__name__, globals())
