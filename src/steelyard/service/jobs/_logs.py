"""Write the warnings of the library of jobs to Steelyard's own log."""

import logging

from dbos import error as dbos_error

from steelyard.service._job import JobFailedError

_LONGEST = 300
_EXPECTED = (
    JobFailedError,
    dbos_error.DBOSWorkflowCancelledError,
    dbos_error.DBOSWorkflowConflictIDError,
)


def adopt_logs() -> None:
    """Give the library's logger the handlers of Steelyard's."""
    theirs = logging.getLogger("dbos")
    theirs.handlers = list(logging.getLogger("steelyard").handlers) or [logging.NullHandler()]
    theirs.propagate = False
    theirs.setLevel(logging.WARNING)
    theirs.addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for the end of a job that failed or was cancelled: its state has it."""
    raised = record.exc_info[1] if record.exc_info else None
    record.msg, record.args = record.getMessage().partition("\n")[0][:_LONGEST], ()
    return not isinstance(raised, _EXPECTED)
