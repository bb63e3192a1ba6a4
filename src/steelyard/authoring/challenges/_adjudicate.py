"""Decide what a challenge shows: which output is right, and what backs it."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.authoring.calls import Answers, CallOutcome, shown_value
from steelyard.authoring.references import Ballot, Side, Truth
from steelyard.schemas import ChallengeState


@dataclass(frozen=True, slots=True)
class Claim:
    """An output that somebody claims to be right."""

    outcome: CallOutcome
    by: str
    entitled: bool = False
    """True if this person decides about outputs."""
    final: bool = False
    """True if this person has seen the contradiction, and decides it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The state of a challenge, and the output that follows."""

    state: ChallengeState
    reason: str
    right: CallOutcome | None = None
    """The expected output; None if it is not known, or disputed."""
    truth: str = ""
    """Who stated the output; empty if solutions computed it."""


def decide(
    answers: Answers, ballot: Ballot, claim: Claim | None, truths: Sequence[Truth], tried: int
) -> Decision:
    """Return the state of a challenge whose input is valid.

    An input needs no trust. A claimed output is quarantined until a stated truth, a solution that
    answers all examples rightly, or an entitled person backs it. Truths that contradict each other
    are disputed.

    Args:
        answers: Compares answers.
        ballot: The answers of the solutions that contradict no truth.
        claim: The claimed output, if there is one.
        truths: Outputs that are stated for this input already.
        tried: Number of examples and other truths that these solutions answer rightly.
    """
    if claim is not None:
        against = [each for each in truths if not answers.alike(each.outcome, claim.outcome)]
        if against and not claim.final:
            other = f"{against[0].by} states {shown_value(against[0].outcome.value)}"
            if claim.entitled:
                return Decision("disputed", f"{claim.by} and {against[0].by} contradict: {other}")
            return Decision("quarantined", f"{other}; an entitled person may back the claim")
    stated = claim if claim is not None and claim.entitled else next(iter(truths), None)
    if stated is not None:
        return Decision("accepted", f"{stated.by} states it", stated.outcome, stated.by)
    return _of_input(ballot) if claim is None else _of_claim(answers, ballot, claim, tried)


def _of_input(ballot: Ballot) -> Decision:
    winner = ballot.winner
    if winner is not None:
        return Decision("accepted", _backing(winner), winner.outcome)
    if any(side.outcome.answered for side in ballot.sides):
        return Decision("disputed", f"solutions contradict each other: {_sides(ballot)}")
    why = _sides(ballot) or "; ".join(f"{name}: {text}" for name, text in ballot.abstained)
    return Decision(
        "quarantined",
        f"no solution answers it ({why or 'none is stored'}); an entitled person may state "
        "the output",
    )


def _of_claim(answers: Answers, ballot: Ballot, claim: Claim, tried: int) -> Decision:
    answered = [side for side in ballot.sides if side.outcome.answered]
    backing = [side for side in answered if answers.alike(side.outcome, claim.outcome)]
    most = max((len(side.names) for side in answered if side not in backing), default=0)
    if tried and backing and len(backing[0].names) >= most:
        return Decision("accepted", _backing(backing[0]), claim.outcome)
    found = _sides(ballot) or "no solution answers it"
    if not tried:
        found = "the problem has no examples that would show which solutions are right"
    return Decision(
        "quarantined",
        f"no independent solution backs the claim ({found}); an entitled person may back it",
    )


def _backing(side: Side) -> str:
    agree = "gives" if len(side.names) == 1 else "give"
    return f"{' and '.join(side.names)} {agree} {shown_value(side.outcome.value)}"


def _sides(ballot: Ballot) -> str:
    return "; ".join(
        f"{' and '.join(side.names)}: "
        + (shown_value(side.outcome.value) if side.outcome.answered else side.outcome.message)
        for side in ballot.sides
    )
