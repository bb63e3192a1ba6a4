"""Errors as RFC 9457 problem documents, with the codes of the library's error tree.

Source: https://www.rfc-editor.org/rfc/rfc9457.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse

from steelyard._printable import printable
from steelyard.errors import (
    BudgetError,
    InfrastructureError,
    ReplyError,
    SteelyardError,
    UsageError,
)

MEDIA_TYPE = "application/problem+json"
_DOCUMENTS = "https://github.com/steelyard/steelyard/blob/main/docs/reference/problems.md"
_STATUSES: tuple[tuple[type[SteelyardError], int], ...] = (
    (UsageError, 422),
    (BudgetError, 402),
    (ReplyError, 502),
    (InfrastructureError, 503),
)
_LONGEST_DETAIL = 2_000
_MOST_FAULTS = 20
_PREFIX = "Value error, "


class Problem(HTTPException):  # so that FastAPI passes it on, also from where it reads a body
    """A request's failure, as its problem document.

    Args:
        status: The HTTP status.
        code: The kind of problem in kebab-case; `docs/reference/problems.md` explains each code.
        title: The kind of problem in a few words, the same for all problems with this code.
        detail: One line: what is wrong with this request, and what to do.
        headers: Headers of the response, such as `Retry-After`.
        extra: Further members of the document.
    """

    def __init__(
        self,
        status: int,
        code: str,
        title: str,
        detail: str,
        *,
        headers: dict[str, str] | None = None,
        **extra: object,
    ) -> None:
        super().__init__(status, detail, headers)
        self.code, self.title = code, title

        self.extra = extra

    def document(self, request_id: str) -> dict[str, object]:
        """Return the members of the document."""
        return {
            "type": f"{_DOCUMENTS}#{self.code}",
            "title": self.title,
            "status": self.status_code,
            "code": self.code,
            "detail": printable(" ".join(self.detail.split()))[:_LONGEST_DETAIL],
            "request_id": request_id,
            **self.extra,
        }


def code_of(error: type[Exception]) -> str:
    """Return the code of a class of errors: `TestsError` is `tests-error`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", error.__name__).lower()


def problem_of(error: SteelyardError) -> Problem:
    """Return the problem that an error of the library is for a caller of the service."""
    kind = type(error)
    status = next((code for base, code in _STATUSES if isinstance(error, base)), 500)
    headers = {"Retry-After": "5"} if status == 503 else {}
    title = (kind.__doc__ or kind.__name__).partition("\n")[0].rstrip(".")
    return Problem(status, code_of(kind), title, str(error), headers=headers)


def invalid(errors: Sequence[Mapping[str, Any]], advice: str = "; see /openapi.json") -> Problem:
    """Return the problem of a request that does not fit its schema.

    Args:
        errors: What Pydantic found.
        advice: What to do about it.
    """
    faults = [
        {"at": ".".join(map(str, each["loc"]))[:200], "fault": each["msg"].removeprefix(_PREFIX)}
        for each in errors[:_MOST_FAULTS]
    ]
    first = faults[0]
    return Problem(
        422,
        "body-invalid",
        "The request does not fit its schema",
        f"{first['at']}: {first['fault']}{advice}".removeprefix(": "),
        faults=faults,
    )


def unexpected() -> Problem:
    """Return the problem of a fault of the service itself."""
    return Problem(
        500,
        "unexpected",
        "The service has a fault",
        "an unexpected error; report it with the request id",
    )


def problem_response(request: Request, problem: Problem) -> JSONResponse:
    """Return the response with a problem's document."""
    return JSONResponse(
        problem.document(request_id_of(request.scope)),
        status_code=problem.status_code,
        headers=problem.headers,
        media_type=MEDIA_TYPE,
    )


def request_id_of(scope: Any) -> str:
    """Return the id of a request, which its logs and its response have too."""
    return str(scope.get("state", {}).get("request_id", ""))
