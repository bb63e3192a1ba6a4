"""Make one argument of a call from another, or one item of a list from another item."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from steelyard.families import Dice
from steelyard.inputs._choices import Rota
from steelyard.inputs._ground import DIFFERENT, Ground
from steelyard.inputs._kin import (
    DIFFERENT_FORMS,
    FIXED,
    FORMS,
    LARGE_FORMS,
    PARTS,
    are_kin,
    kin,
    merged,
)
from steelyard.inputs._made import Made, made
from steelyard.inputs._meter import visits
from steelyard.inputs._relations import Related, inner_relations, joint_relations, relations
from steelyard.inputs._tidy import tidied

_ACROSS = 0.8
"""Share of calls in which one argument is computed from another."""
_NUMBERS_ACROSS = 0.5
"""The same share of pairs of numbers, and of numbers in large calls."""
_FROM_TWO = 0.4
"""Share of these calls, if there are three arguments or more, in which two are the source."""
_INSIDE = 0.4
"""Share of the other calls in which an item is computed from another item."""
_AS_IN_EXAMPLES = 0.8
"""Share of pairs in which the argument that is larger in the examples holds the other."""
_TRIES = 8
_SMALL = 2_000
"""Items of arguments up to which a related one is written as it is."""


@dataclass(frozen=True)
class Base:
    """Arguments as they were built, and what each may be in place of that."""

    parts: list[Made]
    grounds: tuple[Ground, ...]
    families: tuple[str, ...]
    relation: str = ""
    target: int | None = None
    """The position of the argument that was computed from another."""

    @property
    def origin(self) -> str:
        """The relation and the families of the arguments, in words."""
        names = ", ".join([*dict.fromkeys(self.families)][:4])
        if self.relation:
            return f"relation {self.relation}{names and ': '}{names}"
        return f"family {names or 'numbers'}"


@dataclass
class Relating:
    """Relates arguments; relations that were used least come first."""

    names: tuple[str, ...]
    usual_sizes: Sequence[int]
    """Items of each argument in all examples."""
    dice: Dice
    rota: Rota
    _used: Counter[tuple[int, str]] = field(default_factory=Counter)

    def related(self, base: Base, wanted: Collection[str]) -> Base:
        """Return arguments, mostly with one computed from another.

        Args:
            base: The arguments.
            wanted: Quantities that must stay, such as `k` and `len(nums)`.
        """
        free = [
            at
            for at, name in enumerate(self.names)
            if name not in wanted and f"len({name})" not in wanted
        ]
        found = None
        if self.dice.chance(_ACROSS):
            if len(base.parts) > 2 and self.dice.chance(_FROM_TWO):
                found = self._from_two(base, free)
            found = found or self._across(base, free)
        if found is None and self.dice.chance(_INSIDE):
            found = self._inside(base, free)
        if found is None:
            return base
        target, value, name = found
        parts = [*base.parts[:target], value, *base.parts[target + 1 :]]
        return replace(base, parts=parts, relation=name, target=target)

    def _across(self, base: Base, free: Sequence[int]) -> tuple[int, Made, str] | None:
        parts, grounds = base.parts, base.grounds
        pairs = [(source, at) for at in free for source in range(len(parts)) if source != at]
        akin = [(one, other) for one, other in pairs if are_kin(grounds[one], grounds[other])]
        for source, at in self.dice.shuffled(pairs):
            if (source, at) in akin:
                found = self._kin(base, source, at, is_mutual=(at, source) in akin)
                if found:
                    return found
                continue
            are_small, is_number = (
                self._are_small(parts[source], parts[at]),
                _is_number(grounds[at]),
            )
            if is_number and (_is_number(grounds[source]) or not are_small):
                if not self.dice.chance(_NUMBERS_ACROSS):
                    continue
            elif not (is_number or are_small):
                continue
            options = relations(parts[source].value, grounds[source], grounds[at], self.dice)
            chosen = self._least_used(options, at, grounds[at])
            if chosen:
                return at, *chosen
        return None

    def _from_two(self, base: Base, free: Sequence[int]) -> tuple[int, Made, str] | None:
        parts, grounds = base.parts, base.grounds
        for at in self.dice.shuffled(free):
            others = self.dice.shuffled([each for each in range(len(parts)) if each != at])
            akin = [each for each in others if are_kin(grounds[each], grounds[at])][:2]
            numbers = [each for each in others if _is_number(grounds[each])][:2]
            if len(akin) > 1:
                one, other = (parts[each] for each in akin)
                value = merged(one, other, parts[at], grounds[at], self.dice)
                if value:
                    return at, value, "interleaved"
            elif len(numbers) > 1 and _is_number(grounds[at]):
                values = [parts[each].value for each in numbers]
                if None not in values and self.dice.chance(_NUMBERS_ACROSS):
                    chosen = self._least_used(
                        joint_relations(values[0], values[1], grounds[at]), at, grounds[at]
                    )
                    if chosen:
                        return at, *chosen
        return None

    def _kin(
        self, base: Base, source: int, at: int, *, is_mutual: bool
    ) -> tuple[int, Made, str] | None:
        parts = base.parts
        forms = FORMS if self._are_small(parts[source], parts[at]) else LARGE_FORMS
        for _ in range(_TRIES):
            form = self.rota.next(forms)
            if is_mutual and self.dice.chance(_AS_IN_EXAMPLES):
                source, at = sorted((source, at), key=self.usual_sizes.__getitem__)
                source, at = (at, source) if form in PARTS else (source, at)
            if base.grounds[at].flags & DIFFERENT:
                form = self.rota.next(DIFFERENT_FORMS)
            found = kin(parts[source], parts[at], base.grounds[at], form, self.dice)
            if found:
                return at, found, form
        return None

    def _are_small(self, *parts: Made) -> bool:
        return sum(visits(part.value) for part in parts) <= _SMALL

    def _inside(self, base: Base, free: Sequence[int]) -> tuple[int, Made, str] | None:
        for at in self.dice.shuffled(free):
            part, ground = base.parts[at], base.grounds[at]
            if not ground.flags & FIXED and self._are_small(part):
                options = inner_relations(part.value, ground, self.dice)
                chosen = self._least_used(options, at, ground)
                if chosen:
                    return at, *chosen
        return None

    def _least_used(self, options: Related, at: int, ground: Ground) -> tuple[Made, str] | None:
        tidy = [(name, tidied(value, ground)) for name, value in options]
        fitting = [(name, value) for name, value in tidy if _fits(value, ground)]
        if not fitting:
            return None
        word = self.dice.pick(("sum", "length", ""))  # what is asked for most of numbers
        fitting = [each for each in fitting if word in each[0]] or fitting
        fewest = min(self._used[at, name] for name, _ in fitting)
        name, value = self.dice.pick(
            [each for each in fitting if self._used[at, each[0]] == fewest]
        )
        self._used[at, name] += 1
        return made(value), name


def _is_number(ground: Ground) -> bool:
    return ground.kind in ("int", "float")


def _fits(value: object, ground: Ground) -> bool:
    if isinstance(value, int | float):
        return value in ground.numbers
    return not ground.is_sized or (
        isinstance(value, list | str | dict) and len(value) in ground.lengths
    )
