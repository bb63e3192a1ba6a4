"""Count the answers of independent solutions to one input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.authoring.calls import Answers, Outcome
from steelyard.schemas import Reading, Record

_ABSTAIN = ("slow", "memory", "output", "skipped")
"""What met a limit has no opinion. An exception on a valid input is one: the solution is wrong."""


@dataclass(frozen=True, slots=True)
class Side:
    """The solutions that gave one answer."""

    outcome: Outcome
    names: tuple[str, ...]


class Split(Record):
    """An input on which solutions differ."""

    args: tuple[JsonValue, ...]
    readings: tuple[Reading, ...]
    """Answers before failures, then most solutions first."""

    @property
    def winner(self) -> Reading | None:
        """The answer with more solutions than any other; None if there is none."""
        answered = [each for each in self.readings if each.how == "answer"]
        tied = len(answered) > 1 and len(answered[0].solutions) == len(answered[1].solutions)
        return answered[0] if answered and not tied else None

    @property
    def losers(self) -> tuple[str, ...]:
        """The solutions that contradict the winner."""
        winner = self.winner
        return tuple(
            name
            for each in self.readings
            if winner and each is not winner
            for name in each.solutions
        )


@dataclass(frozen=True, slots=True)
class Ballot:
    """All answers to one input."""

    sides: tuple[Side, ...]
    """Answers before failures, then most solutions first."""
    abstained: tuple[tuple[str, str], ...]
    """Solutions without an opinion, each with the reason."""

    @property
    def agreed(self) -> bool:
        """True if there is one answer, and nothing contradicts it."""
        return len(self.sides) == 1 and self.sides[0].outcome.answered

    @property
    def voices(self) -> int:
        """The number of solutions with an opinion."""
        return sum(len(side.names) for side in self.sides)

    @property
    def winner(self) -> Side | None:
        """The answer with more solutions than any other; None if there is none."""
        answered = [each for each in self.sides if each.outcome.answered]
        tied = len(answered) > 1 and len(answered[0].names) == len(answered[1].names)
        return answered[0] if answered and not tied else None

    def split(self, args: Sequence[JsonValue]) -> Split:
        """Return the answers as they are shown to people and models."""
        readings = tuple(reading_of(side.outcome, *side.names) for side in self.sides)
        return Split(args=tuple(args), readings=readings)


def reading_of(outcome: Outcome, *names: str) -> Reading:
    """Return the end of a call as it is shown to people and models, with who gave it."""
    how = outcome.how if outcome.answered else f"{outcome.how}: {outcome.message}"
    return Reading(answer=outcome.value, how=how, solutions=names)


def count(answers: Answers, outcomes: Mapping[str, Outcome]) -> Ballot:
    """Return the answers to one input, equal ones together.

    Args:
        answers: Compares answers.
        outcomes: What each solution did, by its name.
    """
    sides: list[tuple[Outcome, list[str]]] = []
    abstained = []
    for name, outcome in outcomes.items():
        if outcome.how in _ABSTAIN:
            abstained.append((name, outcome.message))
            continue
        same = (each for each in sides if _same(answers, each[0], outcome))
        found = next(same, None)
        if found is None:
            sides.append((outcome, [name]))
        else:
            found[1].append(name)
    sides.sort(key=lambda each: (not each[0].answered, -len(each[1])))
    return Ballot(tuple(Side(each, tuple(names)) for each, names in sides), tuple(abstained))


def _same(answers: Answers, one: Outcome, other: Outcome) -> bool:
    if one.answered and other.answered:
        return answers.alike(one, other)
    return not one.answered and not other.answered and one.message == other.message
