"""Turn a request in prose into a specification."""

from dataclasses import dataclass

from steelyard.authoring._roles import SPECIFIER, SpecificationReply
from steelyard.errors import UsageError
from steelyard.models import Budget, Model, ask
from steelyard.schemas import Specification

__all__ = ["Specified", "require_request", "specify"]

_MOST_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class Specified:
    """A specification, and what the request left open."""

    specification: Specification
    questions: tuple[str, ...] = ()
    """Each with the decision that the specification makes."""


def require_request(text: str) -> str:
    """Return a request in prose.

    Raises:
        UsageError: if it has no word, is too long, or is not Unicode.
    """
    if not any(each.isalpha() for each in text):
        raise UsageError(
            f"the request asks for nothing, got {text[:40]!r}; describe a function in words"
        )
    if len(text) > _MOST_CHARS:
        raise UsageError(f"the request has {len(text):,} characters; shorten it to {_MOST_CHARS:,}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the request is not UTF-8 at character {error.start + 1}; use UTF-8"
        ) from error
    return text


async def specify(
    request: str, model: Model, *, budget: Budget | None = None, seed: int | None = None
) -> Specified:
    """Return the specification of what a request asks for.

    Raises:
        UsageError: if the request asks for nothing.
        ReplyError: if no reply was a valid specification.
        BudgetError, ModelError: as in `ask`.
    """
    answer = await ask(
        model, SPECIFIER, {}, {"request": require_request(request)}, budget=budget, seed=seed
    )
    reply: SpecificationReply = answer.value
    if reply.nothing_asked:
        raise UsageError(
            f"the request asks for nothing that a function computes: {reply.nothing_asked}; "
            "describe what goes in and what comes out"
        )
    return Specified(reply.specification, reply.questions)
