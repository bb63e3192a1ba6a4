"""Ask a model to repair a reference solution that a challenge shows wrong."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from steelyard.authoring.calls import shown_call, shown_value
from steelyard.authoring.references import (
    HEALINGS,
    Contradiction,
    Side,
    SolutionWriter,
    Split,
    WrittenSolution,
)
from steelyard.authoring.specification import statement_of
from steelyard.options import in_loop
from steelyard.runs import Run, open_models
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import OnEvent, Specification, Spending

_WHY = "an example, a person or an independent solution states it"


class Healer:
    """A model that repairs reference solutions; `open_healer` opens one.

    Args:
        model: The model's name.
        run: Asks it in the role `healer`.
    """

    def __init__(self, model: str, run: Run) -> None:
        self.model, self.run = model, run
        self._known: dict[tuple[object, ...], WrittenSolution] = {}

    def spent_since(self, before: Spending) -> Spending:
        """Return the spending since it was this."""
        now = self.run.spending
        priced = now.cost_usd is not None and before.cost_usd is not None
        return Spending(
            calls=now.calls - before.calls,
            cached_calls=now.cached_calls - before.cached_calls,
            tokens_in=now.tokens_in - before.tokens_in,
            tokens_out=now.tokens_out - before.tokens_out,
            cost_usd=(now.cost_usd or 0.0) - (before.cost_usd or 0.0) if priced else None,
        )

    async def repaired(
        self,
        writer: SolutionWriter,
        program: WrittenSolution,
        shown: Contradiction,
        rejected: WrittenSolution | None,
        number: int,
    ) -> WrittenSolution:
        """Return a program as the model repairs it; an equal try is made once.

        Args:
            writer: Asks the model about one problem.
            program: The program.
            shown: An input on which it is wrong.
            rejected: The last repair, if it was no better.
            number: The number of the try.

        Raises:
            BudgetError, ModelError: as in `Run.ask`.
            InfrastructureError: if the machine failed.
        """
        truth = shown.truth
        call, answer = shown_call(truth.args), shown_value(truth.outcome.value)
        again = "" if rejected is None else rejected.source
        key = writer.spec.digest, program.source, call, answer, again, number
        if key not in self._known:
            own = Side(shown.outcome, (program.name,)).reading()
            split = Split(args=truth.args, readings=(own,))
            self._known[key] = await writer.heal(
                program, split, truth.outcome.value, _WHY, rejected
            )
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
        run = Run("author", shared_pool())
        run.use(models, max_cost_usd, max_tokens)
        yield Healer(model, run)


@dataclass(frozen=True, slots=True)
class Wrong:
    """The inputs on which a program is wrong."""

    stated: Sequence[Contradiction]
    """Inputs with a known output, small ones first."""
    small: Sequence[Contradiction] = ()
    """The smallest inputs."""

    @property
    def first(self) -> Contradiction | None:
        """The input to show; None if there is none."""
        return next(iter((*self.stated, *self.small)), None)

    @property
    def rank(self) -> tuple[int, int]:
        """The number of inputs of each kind; a smaller rank is better."""
        return len(self.stated), len(self.small)


@dataclass(slots=True)
class Healing:
    """Repairs the solutions of one problem."""

    healer: Healer
    spec: Specification
    pool: CellPool
    on_event: OnEvent | None
    notes: tuple[str, ...] = ()
    """Why repairs were refused."""

    @property
    def model(self) -> str:
        """The model's name."""
        return self.healer.model

    def healed(
        self, program: WrittenSolution, wrong_of: Callable[[WrittenSolution], Wrong]
    ) -> WrittenSolution | None:
        """Return a repaired version that is nowhere wrong; None if there is none.

        The model has three tries. Each starts from the best version so far, and sees the first
        input on which that is still wrong, and the last repair if it was no better.

        Args:
            program: The program.
            wrong_of: Returns the inputs on which a version is wrong.

        Raises:
            BudgetError, ModelError: if the model cannot be asked.
            InfrastructureError: if the machine failed.
        """
        return in_loop(self._healed, "healed")(program, wrong_of)

    async def _healed(
        self, program: WrittenSolution, wrong_of: Callable[[WrittenSolution], Wrong]
    ) -> WrittenSolution | None:
        run = self.healer.run
        run.pool, run.on_event = self.pool, self.on_event
        writer = SolutionWriter(run, self.spec, statement_of(self.spec))
        wrong, rejected = wrong_of(program), None
        for number in range(HEALINGS):
            if wrong.first is None:
                break
            repaired = await self.healer.repaired(writer, program, wrong.first, rejected, number)
            still = wrong if repaired.fault else wrong_of(repaired)
            if still.rank < wrong.rank:
                program, wrong, rejected = repaired, still, None
            else:
                rejected = repaired
        fault = rejected.fault if rejected else ""
        self.notes = (f"the last repair was refused: {fault}",) if fault else ()
        return program if program.healed and wrong.first is None else None
