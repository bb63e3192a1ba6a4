"""Ask a model to repair a reference solution that a challenge shows wrong."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.authoring.references import HEALINGS, Program, Split, Writer, reading_of
from steelyard.authoring.specification import statement_of
from steelyard.challenges._voices import Contradiction
from steelyard.journal import Asker, Journal, Steps, open_budget, open_models
from steelyard.options import in_loop
from steelyard.sandbox import CellPool
from steelyard.schemas import OnEvent, Specification, Spending

__all__ = ["Healer", "Healing", "open_healer"]

_WHY = "an example, a person or an independent solution states it"


class Healer:
    """A model that repairs reference solutions; `open_healer` opens one.

    Args:
        model: The model's name.
        asker: Asks it in the role `healer`.
    """

    def __init__(self, model: str, asker: Asker) -> None:
        self.model, self.asker = model, asker
        self._known: dict[tuple[object, ...], Program] = {}

    @property
    def spending(self) -> Spending:
        """The spending so far."""
        return self.asker.spending

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts about the replies that a report mentions."""
        return self.asker.notes

    def spent_since(self, before: Spending) -> Spending:
        """Return the spending since it was this."""
        now = self.spending
        priced = now.cost_usd is not None and before.cost_usd is not None
        return Spending(
            calls=now.calls - before.calls,
            cached_calls=now.cached_calls - before.cached_calls,
            tokens_in=now.tokens_in - before.tokens_in,
            tokens_out=now.tokens_out - before.tokens_out,
            cost_usd=(now.cost_usd or 0.0) - (before.cost_usd or 0.0) if priced else None,
        )

    async def repaired(
        self, writer: Writer, program: Program, shown: Contradiction, rejected: str, number: int
    ) -> Program:
        """Return a program as the model repairs it; an equal question is asked once.

        Args:
            writer: Asks the model about one problem.
            program: The program.
            shown: An input on which it is wrong.
            rejected: A repair that was no better; empty if there is none.
            number: The number of the try.

        Raises:
            BudgetError, ModelError: as in `Asker.ask`.
            InfrastructureError: if the machine failed.
        """
        right = shown.right.value
        call, answer = shown_call(shown.args), shown_value(right)
        key = writer.spec.digest, program.source, call, answer, rejected, number
        if key not in self._known:
            split = Split(args=shown.args, readings=(reading_of(shown.outcome, program.name),))
            self._known[key] = await writer.heal(program, split, right, _WHY, rejected)
        return self._known[key]


@contextmanager
def open_healer(
    model: str,
    *,
    max_cost_usd: float | None = None,
    max_tokens: int | None = None,
    caching: bool = True,
) -> Iterator[Healer]:
    """Open a model that repairs reference solutions.

    Args:
        model: The model's name, such as `openai:MODEL` or `scripted:FILE`.
        max_cost_usd: Hard limit of its cost, in US dollars.
        max_tokens: Hard limit of its tokens.
        caching: Keep replies, and reuse them: what was interrupted is not paid for twice.

    Raises:
        UsageError: if the name, a key or a script is wrong, or a price is unknown.
    """
    with ExitStack() as stack:
        models = open_models({"healer": model}, (), stack, caching=caching)
        budget = open_budget(max_cost_usd, max_tokens, models)
        yield Healer(model, Asker(models, Journal(None, "challenge"), budget, 0, {}))


@dataclass(frozen=True, slots=True)
class Healing:
    """Repairs the solutions of one problem."""

    healer: Healer
    spec: Specification
    pool: CellPool
    on_event: OnEvent | None

    @property
    def model(self) -> str:
        """The model's name."""
        return self.healer.model

    def healed(
        self, program: Program, contradicted: Callable[[Program], Sequence[Contradiction]]
    ) -> Program | None:
        """Return a repaired version that contradicts nothing; None if there is none.

        The model has three tries. Each starts from the best version so far, and sees the first
        input on which that is still wrong, and the last repair if it was no better.

        Args:
            program: The program.
            contradicted: Returns the inputs on which a version is wrong.

        Raises:
            BudgetError, ModelError: if the model cannot be asked.
            InfrastructureError: if the machine failed.
        """
        return in_loop(self._healed, "healed")(program, contradicted)

    async def _healed(
        self, program: Program, contradicted: Callable[[Program], Sequence[Contradiction]]
    ) -> Program | None:
        steps = Steps(Journal(None, "challenge"), self.on_event or _ignore, "author")
        asker, statement = self.healer.asker, statement_of(self.spec)
        writer = Writer(asker, steps, self.spec, statement, self.pool)
        left, rejected = contradicted(program), ""
        for number in range(HEALINGS):
            if not left:
                break
            repaired = await self.healer.repaired(writer, program, left[0], rejected, number)
            still = left if repaired.fault else contradicted(repaired)
            if repaired.fault or len(still) > len(left):
                rejected = repaired.source
            else:
                program, left, rejected = repaired, still, ""
        return program if program.healed and not left else None


def _ignore(_event: object) -> None:
    """Take an event that nobody asked for."""
