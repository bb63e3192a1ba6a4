"""Send a reply that fails back to the model, with the first failing case: conversations of turns.

A case of the category `visible` is shown whole: its input, and what the program did. Of any other
case the model learns the verdict alone. Its message can quote the expected output, or an input that
the program printed, and a model that sees these can answer by heart.
"""

import json
from dataclasses import dataclass

from steelyard.errors import InfrastructureError, UsageError
from steelyard.judging import VISIBLE, RowReader, RowTests
from steelyard.reports import counted
from steelyard.schemas import CaseResult, CompileResult, TestSuite, Verdict, values
from steelyard.training._score_completions import Reward, Scored

_OUTCOMES = {
    Verdict.WA: "wrong answer",
    Verdict.TLE: "time limit exceeded",
    Verdict.MLE: "memory limit exceeded",
    Verdict.OLE: "output limit exceeded",
    Verdict.RTE: "run-time error",
}
_ADVICE = "Correct the program and reply with all of it."
_MOST_CHARS = 2_000
_MOST_ERRORS = 5


def feedback(scored: Scored, suite: TestSuite, *, show_hidden: bool = False) -> str | None:
    """Return the message for the model after a reply; None if the reply passed or has no verdict.

    Args:
        scored: The reply's judgement.
        suite: The tests that it was judged by.
        show_hidden: Show the inputs and messages of cases of any category, as of `visible` ones.
    """
    result = scored.result
    if result is None or result.passed:
        return None
    if not result.compile.ok:
        return f"{_compile_errors(result.compile, scored.reason)}\n\n{_ADVICE}"
    failing = [number for number, case in enumerate(result.cases) if case.verdict in _OUTCOMES]
    if not failing:
        return f"{scored.reason}\n\n{_ADVICE}"
    shown = [at for at in failing if show_hidden or result.cases[at].category == VISIBLE]
    number = [*shown, *failing][0]
    case = result.cases[number]
    tests = counted(len(result.cases), "test")
    outcome = _OUTCOMES[case.verdict]
    parts = [f"The program fails {len(failing)} of {tests}. Test {number + 1}: {outcome}."]
    if shown:
        parts += _evidence(case, suite, number)
    return "\n\n".join([*parts, _ADVICE])


def _compile_errors(compiled: CompileResult, reason: str) -> str:
    errors = "\n".join(str(error) for error in compiled.errors[:_MOST_ERRORS])
    if reason.startswith("no code: ") or not errors:
        return f"{reason[:1].upper()}{reason[1:]}."
    return f"The program does not compile:\n{_bounded(errors)}"


def _evidence(case: CaseResult, suite: TestSuite, number: int) -> list[str]:
    """Return a case's input and message, each bounded."""
    held = suite.cases[number].input.decode("utf-8", "backslashreplace")
    name = "Input"
    if suite.entry_kind == "asserts":
        name, held = "Assertions", json.loads(held)["code"]
    elif suite.entry_kind != "stdio":
        arguments, named, _ = values.decode(held)
        texts = [*map(repr, arguments), *(f"{key}={each!r}" for key, each in (named or {}).items())]
        name, held = "Arguments", ", ".join(texts)
    parts = [f"{name}:\n{_bounded(held)}"]
    return [*parts, _bounded(case.message)] if case.message else parts


def _bounded(text: str) -> str:
    text = text.rstrip()
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}..."


@dataclass(frozen=True)
class Turns:
    """Judges the replies of conversations, each about one row.

    Raises:
        UsageError: if `most` is not a number above 0.
    """

    reward: Reward
    most: int = 1
    """Replies of the model in one conversation."""
    show_hidden: bool = False
    """As for `feedback`."""

    def __post_init__(self) -> None:
        if type(self.most) is not int or self.most < 1:
            raise UsageError(f"turns must be a number above 0, got {self.most!r}")

    def score(self, reply: str, row: RowTests) -> Scored:
        """Judge one reply.

        Raises:
            InfrastructureError: if there is no verdict.
        """
        return with_verdict(self.reward.score([reply], [row])[0])

    async def ascore(self, reply: str, row: RowTests) -> Scored:
        """Judge one reply without blocking the event loop; else as `score`."""
        return with_verdict((await self.reward.ascore([reply], [row]))[0])

    def answer(self, scored: Scored, row: RowTests, turn: int) -> str | None:
        """Return the next message for the model; None if the conversation ends.

        Args:
            scored: The judgement of the reply.
            row: The row.
            turn: The number of replies so far.
        """
        if turn >= self.most:
            return None
        suite = RowReader(self.reward.options).read(row).suite
        return feedback(scored, suite, show_hidden=self.show_hidden)

    async def after(self, reply: str, row: RowTests, turn: int) -> str | None:
        """Judge a reply if another may follow, and return the next message as `answer`."""
        if turn >= self.most:
            return None
        return self.answer(await self.ascore(reply, row), row, turn)


def with_verdict(scored: Scored) -> Scored:
    """Return a judgement that is one.

    Raises:
        InfrastructureError: if there is no verdict.
    """
    if scored.reward is None:
        raise InfrastructureError(scored.reason)
    return scored
