"""Turn drafts of inputs into valid ones that are new: check and repair, within a budget."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import JsonValue

from steelyard.constraints import Validator, Work, bounds_of, shape_of
from steelyard.errors import SpecificationError
from steelyard.families import Dice, parts_of
from steelyard.inputs._links import links_of
from steelyard.inputs._made import Made, made
from steelyard.inputs._meter import MOST_WORK, Meter, visits
from steelyard.inputs._repair import repaired
from steelyard.inputs._sieve import with_valid_rows
from steelyard.inputs._sizes import Sizes
from steelyard.inputs.nodes import Node, usual_of
from steelyard.schemas import CaseCategory, CompactInput, Specification
from steelyard.values import digest_of


@dataclass
class Draft:
    """Arguments that may break constraints, and where they come from."""

    parts: list[Made]
    category: CaseCategory
    origin: str
    leave: int | None = None
    """The position of the argument that makes the draft what it is: repair leaves it."""
    may_change: bool = True
    """False if it is of no use unless it is valid as it is."""

    @property
    def args(self) -> list[Any]:
        """The arguments."""
        return [part.value for part in self.parts]


@dataclass(frozen=True)
class Input:
    """Valid arguments that no other input has."""

    parts: tuple[Made, ...]
    category: CaseCategory
    origin: str
    digest: str
    items: int
    """Items and characters of the arguments."""

    @property
    def args(self) -> tuple[Any, ...]:
        """The arguments."""
        return tuple(part.value for part in self.parts)

    def expression(self) -> str:
        """Return the arguments in the language of inputs."""
        return f"[{', '.join(part.write() for part in self.parts)}]"


@dataclass
class Tally:
    """Counts of what became of drafts."""

    built: int = 0
    valid: int = 0
    """Valid as they were built."""
    led: int = 0
    """Made valid by repair."""


@dataclass
class Workshop:
    """The constraints, the budget and the random choices for one specification's inputs."""

    spec: Specification
    seed: int
    work: int = MOST_WORK
    """Units of work that may be spent."""
    counter: Work = field(default_factory=Work)
    """Counts them; workshops that have one budget share it."""
    seen: set[str] = field(default_factory=set)
    tallies: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """By the first word of an origin: `family`, `bound`, `relation`, `mutant`."""

    def __post_init__(self) -> None:
        """Read the constraints.

        Raises:
            SpecificationError: if a type or a constraint cannot be read.
        """
        self.validator = replace(Validator.of(self.spec), work=self.counter)
        shapes = shape_of(self.validator)
        self.sizes = Sizes(shapes, usual_of(self.spec, shapes))
        self.links = links_of(self.validator, shapes)
        self.bounds = bounds_of(self.validator)
        self.unreached = dict.fromkeys(range(len(self.bounds)))
        self.dice = Dice(self.seed, "inputs")
        self.meter = Meter(self.validator, self.work)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(self.validator.types)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The values that each argument may have."""
        return self.sizes.nodes

    def parts_of(self, given: CompactInput) -> list[tuple[JsonValue, str]]:
        """Return each argument of an input, with its part of the expression.

        Raises:
            SpecificationError: if the input cannot be read, or has too few or too many arguments.
        """
        pairs = parts_of(given)
        if len(pairs) != len(self.names):
            raise SpecificationError(
                f"an input has {len(pairs)} arguments; the specification has {len(self.names)}"
            )
        return pairs

    def is_valid(self, args: Sequence[Any]) -> bool:
        """Check arguments, and count the work."""
        self.meter.charge(self.meter.cost(args))
        return self.validator.is_valid(args)

    def finish(self, draft: Draft) -> Input | None:
        """Return a valid and new input close to a draft, or None."""
        if self.meter.cost(draft.args) > self.meter.allowance:
            return None
        parts, origin = draft.parts, draft.origin
        tally = self.tallies[origin.partition(" ")[0]]
        tally.built += 1
        if self.is_valid(draft.args):
            tally.valid += 1
        elif not draft.may_change:
            return None
        elif better := self.sieved(draft):
            tally.led += 1
            parts, origin = better.parts, better.origin
        else:
            found = self.led_to(draft.args, self.validator, draft.leave)
            if found is None and draft.leave is not None:
                found = self.led_to(draft.args, self.validator)
            if found is None:
                return None
            tally.led += 1
            pairs = zip(parts, found, strict=True)
            parts = [part if _is_same(part.value, value) else made(value) for part, value in pairs]
            origin = f"{origin}, repaired"
        return self.new(Draft(parts, draft.category, origin))

    def sieved(self, draft: Draft) -> Draft | None:
        """Return a valid draft without the rows that break a constraint, None if it is not."""
        parts = with_valid_rows(draft.parts, self.validator, self.dice)
        if parts is None or not self.is_valid([part.value for part in parts]):
            return None
        return Draft(parts, draft.category, f"{draft.origin}, sieved")

    def new(self, draft: Draft) -> Input | None:
        """Return a valid draft as an input, None if it is not new."""
        args = draft.args
        digest = digest_of(args)
        if digest in self.seen:
            return None
        self.seen.add(digest)
        for index in list(self.unreached):
            if self.bounds[index].reached_by(args):
                del self.unreached[index]
        return Input(tuple(draft.parts), draft.category, draft.origin, digest, visits(args))

    def led_to(
        self, args: Sequence[Any], validator: Validator, leave: int | None = None
    ) -> list[Any] | None:
        """Return arguments close to these that a validator of the same parameters accepts, or None.

        The argument at the position `leave` stays as it is.
        """
        return repaired(args, self.nodes, validator, self.meter, self.dice, leave=leave)


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values are equal and of the same types: 1.0 is not an int."""
    return one is other or (one == other and repr(one) == repr(other))
