"""Search inputs that kill surviving mutants, without a model."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.schemas import TestCase
from steelyard.strength._bench import Bench
from steelyard.strength._mutants import Mutant

_BATCH = 32


@dataclass(frozen=True)
class KillingInput:
    """Arguments on which mutants fail that survived so far."""

    args: tuple[JsonValue, ...]
    case: TestCase
    """The call, with the solution's outcome as the expected one."""
    kills: tuple[str, ...]
    """The names of these mutants."""


def search_inputs(
    bench: Bench,
    survivors: Sequence[Mutant],
    inputs: Iterable[tuple[JsonValue, ...]],
    call_of: Callable[[tuple[JsonValue, ...]], bytes],
    *,
    most: int,
    on_run: Callable[[int], None] = lambda _: None,
) -> Iterator[KillingInput]:
    """Yield inputs that kill survivors, each of them new kills, until none is left.

    The solution's outcomes are taken as the right ones. Inputs on which the solution fails or takes
    long are left out; they count as tried.

    Args:
        bench: The suite that they survived, with its solution.
        survivors: The mutants.
        inputs: Candidates, in the order in which they are tried; may be endless.
        call_of: Returns the call with these arguments, as the harness reads it.
        most: Largest number of candidates that are tried.
        on_run: Receives the number of candidates on which survivors are about to run.

    Raises:
        InfrastructureError: if the machine failed.
    """
    left = list(survivors)
    candidates = itertools.islice(inputs, most)
    while left and (batch := list(itertools.islice(candidates, _BATCH))):
        calls = [call_of(args) for args in batch]
        cases = bench.recorded(calls)
        if not cases:
            continue
        on_run(len(cases))
        matrix = bench.mutants(left, cases=cases)
        dead: set[str] = set()
        args_of = dict(zip(calls, batch, strict=True))
        for position, case in enumerate(cases):
            kills = tuple(name for name in matrix.kills(position) if name not in dead)
            if kills:
                yield KillingInput(args_of[case.input], case, kills)
            dead.update(kills)
        left = [mutant for mutant in left if mutant.name not in dead]
