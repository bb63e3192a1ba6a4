"""Problems, suites, solutions and judgements in a database, which keeps all of their versions.

All that needs SQLAlchemy, which is an extra, is imported when it is used.
"""

from steelyard._homes import lazy_face, publish
from steelyard.storage._open import database_at, open_database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.storage._changing import Change
    from steelyard.storage._check import check_records
    from steelyard.storage._database import Database
    from steelyard.storage._engine import DatabasePlace, target_of
    from steelyard.storage._exports import export_lines, import_lines
    from steelyard.storage._listing import (
        challenge_page,
        problem_page,
        problem_summary,
        submission_page,
        suite_page,
    )
    from steelyard.storage._reading import Reader
    from steelyard.storage._tables import REVISIONS
    from steelyard.storage._tokens import (
        find_token,
        has_tokens,
        is_last_admin,
        list_tokens,
        revoke_token,
        store_token,
    )
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "REVISIONS",
    "Change",
    "Database",
    "DatabasePlace",
    "Reader",
    "challenge_page",
    "check_records",
    "database_at",
    "export_lines",
    "find_token",
    "has_tokens",
    "import_lines",
    "is_last_admin",
    "list_tokens",
    "open_database",
    "problem_page",
    "problem_summary",
    "revoke_token",
    "store_token",
    "submission_page",
    "suite_page",
    "target_of",
]

publish(__name__, globals())
