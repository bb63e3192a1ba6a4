"""Turn a request in prose into a specification without faults."""

from steelyard.authoring._roles import SPECIFIER, SpecificationReply
from steelyard.authoring.specification import check_specification
from steelyard.constraints import language_of_calls
from steelyard.errors import ReplyError, SpecificationError, UsageError
from steelyard.options import RunOptions
from steelyard.runs import Run
from steelyard.schemas import Record, Specification, json_text

_MOST_CHARS = 100_000
_SHOWN_FAULTS = 5


class Specified(Record):
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


def require_models(options: RunOptions) -> None:
    """Refuse options that ask no model, for a request in prose.

    Raises:
        UsageError: if they do.
    """
    if not options.model_names:
        raise UsageError("a request needs a model; give one, or a specification")


class Specifier:
    """Asks a model for the specification of one request.

    Args:
        run: Asks the model, and keeps the faults of each reply.
        request: The request, in prose.

    Raises:
        UsageError: if the request asks for nothing.
    """

    def __init__(self, run: Run, request: str) -> None:
        self._run = run
        self._request = require_request(request)
        self._known: dict[str, tuple[str, ...]] = {}

    async def write(self) -> Specified:
        """Return the specification of the request.

        Raises:
            UsageError: if the request asks for nothing.
            SpecificationError: if the last reply still has a fault.
            ReplyError, BudgetError, ModelError: as in `Run.ask`.
        """
        self._run.notify("specify")
        reply = await self._run.ask(
            SPECIFIER, _values(again=False), {"request": self._request}, self._fault_of
        )
        if reply.nothing_asked:
            raise UsageError(
                f"the request asks for nothing that a function computes: {reply.nothing_asked}; "
                "describe what goes in and what comes out"
            )
        faults = await self._faults(reply)
        if faults:
            raise SpecificationError(
                f"no reply was a specification without faults; the last one has: {faults[0]}"
            )
        return Specified(specification=reply.specification, questions=reply.questions)

    async def revise(self, earlier: Specification, found: str) -> Specified | None:
        """Return another specification of the request; None if there is none.

        Args:
            earlier: The specification that did not do.
            found: What was found.

        Raises:
            BudgetError, ModelError: as in `Run.ask`.
        """
        self._run.notify("specify", found)
        data = {
            "request": self._request,
            "earlier specification": json_text(earlier, 1, exclude_defaults=True),
            "what was found": found,
        }
        try:
            reply = await self._run.ask(SPECIFIER, _values(again=True), data, self._fault_of)
        except ReplyError as error:
            self._run.note(f"the specification was not revised: {error.reason}")
            return None
        if reply.nothing_asked or await self._faults(reply):
            return None
        return Specified(specification=reply.specification, questions=reply.questions)

    async def _fault_of(self, reply: SpecificationReply) -> str | None:
        faults = () if reply.nothing_asked else await self._faults(reply)
        listed = "\n".join(f"- {each}" for each in faults[:_SHOWN_FAULTS])
        return f"The specification has faults:\n{listed}\n" if faults else None

    async def _faults(self, reply: SpecificationReply) -> tuple[str, ...]:
        spec = reply.specification
        if spec.digest not in self._known:
            self._known[spec.digest] = await self._run.done(
                f"faults_{len(self._known) + 1}",
                tuple[str, ...],
                lambda: check_specification(spec, pool=self._run.pool),
            )
        return self._known[spec.digest]


def _values(*, again: bool) -> dict[str, str | bool]:
    """Return the values of the prompt."""
    return {"again": again, "calls": language_of_calls()}
