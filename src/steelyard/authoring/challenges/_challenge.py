"""Challenge a stored problem, and resolve challenges that only a person can decide."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from steelyard.authoring.challenges._healing import Healer
from steelyard.authoring.challenges._resolution import JUDGE, Matter, settle
from steelyard.errors import UsageError
from steelyard.families import args_of, expand
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import ChallengeReport, JsonError, OnEvent, decode_json

if TYPE_CHECKING:
    from steelyard.storage import Database

_MOST_LINE, _MOST_NAME = 2_000, 200


def challenge(
    database: "Database",
    problem: str,
    given: str | Sequence[JsonValue],
    *,
    reason: str,
    by: str,
    owner: str = "",
    claim: tuple[JsonValue] | None = None,
    healer: Healer | None = None,
    pool: CellPool | None = None,
    on_event: OnEvent | None = None,
) -> ChallengeReport:
    """Challenge a problem's suite and reference solution with an input.

    An input that the specification allows needs no trust. A claimed output is quarantined until an
    independent solution that answers all examples rightly, or an entitled person, backs it. What is
    accepted is stored with all its consequences in one transaction.

    Args:
        database: The database that holds the problem.
        problem: The problem's name.
        given: The arguments of the call, or a text that states them: a JSON list, or an expression
            such as `[[0] * 100000, 5]`. They may be hostile.
        reason: The fault, in the words of who challenges.
        by: The name of who challenges, for people.
        owner: The account that it belongs to; empty for the administrator.
        claim: The output that is claimed to be right, as the only item of a tuple.
        healer: A model that repairs the reference solution if it is shown wrong; None: a stored
            solution takes its place, if one is right.
        pool: Where programs run; None for the pool that the process shares.
        on_event: Called with each step of progress.

    Raises:
        UsageError: if there is no such problem, or what is given cannot be read; nothing is stored.
        BudgetError, ModelError: if the healer cannot be asked; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    _check_words(reason, by)
    args, expression = _read_arguments(given) if isinstance(given, str) else (tuple(given), "")
    matter = Matter(problem, args, expression, reason, by, claim, owner=owner)
    return settle(database, matter, pool or shared_pool(), on_event, healer)


def resolve(
    database: "Database",
    challenge: str,
    *,
    accept: bool,
    by: str,
    reason: str = "",
    output: tuple[JsonValue] | None = None,
    healer: Healer | None = None,
    pool: CellPool | None = None,
    on_event: OnEvent | None = None,
) -> ChallengeReport:
    """Decide a challenge as a person who is entitled to.

    An output that contradicts a stated one makes the challenge `disputed`, and both are kept; the
    next decision is final.

    Args:
        database: The database that holds the challenge.
        challenge: The challenge's digest, or the first characters of it.
        accept: True: the claimed output is right. False: the challenge is rejected.
        by: Who decides.
        reason: Why.
        output: The right output, if it is not the claimed one.
        healer: A model that repairs the reference solution if it is shown wrong; None: a stored
            solution takes its place, if one is right.
        pool: Where programs run; None for the pool that the process shares.
        on_event: Called with each step of progress.

    Raises:
        UsageError: if there is no such challenge, it is closed, or no output is known; nothing is
            stored.
        BudgetError, ModelError: if the healer cannot be asked; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    _check_words(reason or "none", by)
    with database.read() as reader:
        history = reader.challenge(challenge)
        stored = history.challenge
        given = reader.input(stored.input)
    if history.state not in ("open", "quarantined", "disputed"):
        raise UsageError(
            f"challenge {stored.digest[:12]} is {history.state}, which is final; open another one"
        )
    claim = output or ((stored.claim,) if stored.has_claim else None)
    if accept and claim is None:
        raise UsageError(
            f"challenge {stored.digest[:12]} claims no output; state the right one with --output"
        )
    matter = Matter(
        stored.problem,
        args_of(given),
        given.expression,
        stored.reason,
        stored.by,
        claim,
        stored=stored.digest,
        judge=by,
        why=reason,
        final=history.state == "disputed",
        rejects=not accept,
    )
    return settle(database, matter, pool or shared_pool(), on_event, healer)


def _check_words(reason: str, by: str) -> None:
    if not reason.strip() or len(reason) > _MOST_LINE:
        raise UsageError(
            f"the reason has {len(reason):,} characters; write 1 to {_MOST_LINE:,}, and a word"
        )
    if not by.strip() or len(by) > _MOST_NAME:
        raise UsageError(f"the name has {len(by):,} characters; write 1 to {_MOST_NAME}")
    if by == JUDGE:
        raise UsageError(f"{JUDGE} is the name of this program; give your own")


_MOST_CHARS = 4_000_000
_EXPRESSION_HINT = "write a large input as an expression, such as [[0] * 100000, 5]"


def _read_arguments(text: str) -> tuple[tuple[JsonValue, ...], str]:
    """Return the arguments that a text states, and the text if it is an expression.

    Args:
        text: A JSON list of arguments, or an expression in the language of inputs.

    Raises:
        UsageError: if it is neither.
    """
    _check_length(text, "the input")
    try:
        value = decode_json(text, strict=True)
    except JsonError:
        return tuple(expand(text)), text.strip()
    if not isinstance(value, list):
        raise UsageError(
            f"the input must be a list of arguments, got {_start(text)}; write [[1, 2], 3] for "
            "solve([1, 2], 3)"
        )
    return tuple(value), ""


def read_output(text: str) -> JsonValue:
    """Return the output that a JSON text states.

    Raises:
        UsageError: if it is not JSON.
    """
    _check_length(text, "the output")
    try:
        value: JsonValue = decode_json(text, strict=True)
    except JsonError as error:
        raise UsageError(
            f"the output is not JSON ({str(error)[:100]}), got {_start(text)}; write 5, [1, 2] or "
            "'\"text\"'"
        ) from error
    return value


def _check_length(text: str, what: str) -> None:
    if len(text) > _MOST_CHARS:
        raise UsageError(
            f"{what} has {len(text):,} characters and may have {_MOST_CHARS:,}; {_EXPRESSION_HINT}"
        )


def _start(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}...")
