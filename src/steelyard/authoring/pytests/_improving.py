"""Improve a suite round by round, until its evidence is complete."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from steelyard.authoring.pytests._evidence import MINIMA, issues_of, rank_of
from steelyard.authoring.pytests._options import SuiteHead
from steelyard.authoring.pytests._suite import default_name, read_suite, suite_of_text
from steelyard.errors import ReplyError
from steelyard.models import Role, Temperature, code_blocks
from steelyard.runs import FAULTS, Run, ended_by
from steelyard.schemas import (
    PerfectReply,
    ReviewReply,
    SuiteEvidence,
    SuiteReply,
    SuiteReport,
    SuiteRound,
    SuiteStop,
    UpdatedReply,
)

_MOST_SHOWN = 120_000
_MOST_ITEMS = 50


@dataclass(frozen=True, slots=True)
class _Version:
    """A suite with its evidence."""

    file_name: str
    code: str
    evidence: SuiteEvidence


class Improving:
    """One run: a suite is written, measured, reviewed and changed.

    Args:
        head: The module, and what the models are shown of it.
        run: Asks the models, and keeps every step.
        measure: Measures a suite by its text and its file's name.
    """

    def __init__(
        self, head: SuiteHead, run: Run, measure: Callable[[str, str], SuiteEvidence]
    ) -> None:
        self._head, self._run, self._measure = head, run, measure
        self._file_name = default_name(head.module)
        self._data = {"module": head.source[:_MOST_SHOWN]}
        if head.spec:
            self._data["specification"] = head.spec[:_MOST_SHOWN]
        self._values: dict[str, str | int] = {"module": head.module, "file_name": self._file_name}
        self._values |= {str(category): least for category, least in MINIMA.items()}
        self._first: _Version | None = None
        self._best: _Version | None = None
        self._rounds: list[SuiteRound] = []
        self._remark = ""
        """About the last review, for the next one."""

    async def run(self) -> SuiteReport:
        """Run to the end; return a report in any case."""
        try:
            await self._write()
            return self._report(*await self._review_all())
        except FAULTS as error:
            return self._report(ended_by(error)[1], str(error))

    # ----------------------------------------------------------------------------- the first one

    async def _write(self) -> None:
        self._run.turn_to(0)
        self._run.notify("write")
        try:
            text = (await self._run.ask(TESTER, self._values, self._data)).test_code
        except ReplyError:
            found = code_in(self._run.last_reply)
            if found is None:
                raise
            text = found
        self._first = self._best = await self._measured(text)

    async def _measured(self, text: str) -> _Version:
        """Measure a suite, or take its evidence from its artefact."""
        name, code = suite_of_text(text)
        name = name or self._file_name
        self._run.keep_text(name, code)
        self._run.notify("measure", name)
        evidence: SuiteEvidence = await self._run.done(
            "evidence", SuiteEvidence, lambda: self._measure(code, name)
        )
        short = ", ".join(evidence.unmet)
        self._run.notify("found", f"falls short: {short}" if short else "every criterion is met")
        return _Version(name, code, evidence)

    # ----------------------------------------------------------------------------- the reviews

    async def _review_all(self) -> tuple[SuiteStop, str]:
        for number in range(1, self._head.options.max_rounds + 1):
            self._run.turn_to(number)
            await self._review(number)
            assert self._best is not None
            if self._best.evidence.perfect:
                return "perfect", f"every criterion is met after {_reviews(number)}"
        unmet = ", ".join(self._best.evidence.unmet) if self._best else ""
        return (
            "rounds",
            f"after {_reviews(self._head.options.max_rounds)} it falls short of: {unmet}",
        )

    async def _review(self, number: int) -> None:
        best = self._best
        assert best is not None
        self._run.notify("review")
        issues = issues_of(best.evidence)
        data = {
            **self._data,
            "suite": f"{best.file_name}\n{best.code}"[:_MOST_SHOWN],
            "measurements": "\n\n".join(issues) or "Nothing falls short.",
            **({"your last review": self._remark} if self._remark else {}),
        }
        reply, text, why = await self._reply(data)
        changes: dict[str, object] = {}
        if isinstance(reply, PerfectReply):
            self._remark = "You called this suite perfect; the measurements list what it lacks."
        elif text is None:
            self._remark = f"Your last reply could not be read: {why}"
        elif suite_of_text(text)[1].strip() == best.code.strip():
            self._remark = "Your last reply changed nothing."
        else:
            version = await self._measured(text)
            better = rank_of(version.evidence) > rank_of(best.evidence)
            if better:
                self._best = version
            self._remark = "" if better else _worse(version.evidence)
            changes = {"changed": True, "best": better, "evidence": version.evidence}
        self._rounds.append(_described(number, reply, why).model_copy(update=changes))

    async def _reply(
        self, data: Mapping[str, str]
    ) -> tuple[PerfectReply | UpdatedReply | None, str | None, str]:
        """Return a review, the suite in it, and why it could not be read if it could not."""
        try:
            review: ReviewReply = await self._run.ask(REVIEWER, self._values, data)
        except ReplyError as error:
            return None, code_in(self._run.last_reply), error.reason
        if isinstance(review.root, PerfectReply):
            return review.root, None, ""
        name, _ = suite_of_text(review.root.test_code)
        if name is None:
            why = "The first line of test_code is not the name of a test file."
            return None, code_in(review.root.test_code), why
        return review.root, review.root.test_code, ""

    # ----------------------------------------------------------------------------- the end

    def _report(self, stop: SuiteStop, reason: str) -> SuiteReport:
        best = self._best
        return SuiteReport(
            module=self._head.path,
            file_name=best.file_name if best else "",
            code=best.code if best else "",
            evidence=best.evidence if best else SuiteEvidence(fault="there is no suite"),
            first=self._first.evidence if self._first else None,
            rounds=tuple(self._rounds),
            stop=stop,
            reason=reason,
        )


def _described(number: int, reply: PerfectReply | UpdatedReply | None, why: str) -> SuiteRound:
    if isinstance(reply, PerfectReply):
        return SuiteRound(number=number, reply="perfect", message=reply.message)
    if reply is None:
        return SuiteRound(number=number, reply="unreadable", message=why)
    return SuiteRound(
        number=number,
        reply="updated",
        issues_found=reply.issues_found[:_MOST_ITEMS],
        improvements_made=reply.improvements_made[:_MOST_ITEMS],
    )


def _reviews(number: int) -> str:
    return f"{number} review{'' if number == 1 else 's'}"


def _worse(evidence: SuiteEvidence) -> str:
    issues = "\n\n".join(issues_of(evidence))
    return (
        "Your last change was measured and is not better, so the suite in the data is the one "
        f"before it. What was measured of your change:\n\n{issues or 'Nothing falls short.'}"
    )


_PROMPTS = Path(__file__).parent / "prompts"
_THINKING_TOKENS = 24_000
"""Room for a reasoning model's thinking, which counts as a part of its reply."""
_SUITE_TOKENS = 16_000
_MOST_CHARS = 2_000_000
_MOST_BLOCKS, _MOST_FIELDS = 10, 5
TESTER = Role(
    "tester",
    "tester",
    SuiteReply,
    Temperature(0.7),
    _THINKING_TOKENS + _SUITE_TOKENS,
    repairs=1,
    program_field="test_code",
    folder=_PROMPTS,
)
REVIEWER = Role(
    "reviewer",
    "reviewer",
    ReviewReply,
    Temperature(0.0),
    _THINKING_TOKENS + _SUITE_TOKENS,
    repairs=0,
    folder=_PROMPTS,
)
"""An unreadable review goes to the next round with the reason: a round is its repair."""
_FIELD = re.compile(r'"test_code"\s*:\s*(?=")')


def code_in(text: str) -> str | None:
    """Return the suite in a reply that has none of the forms that were asked for; None without one.

    Sought in the field `test_code` of broken JSON, then in fenced blocks, then in the whole text.
    """
    text = text[:_MOST_CHARS].rpartition("</think>")[2]
    starts = [match.end() for match in _FIELD.finditer(text)][-_MOST_FIELDS:]
    fields = [_string_at(text, start) for start in starts]
    blocks = code_blocks(text)[:_MOST_BLOCKS]
    candidates = [
        *(field for field in reversed(fields) if field),
        *sorted(blocks, key=len, reverse=True),
        text,
    ]
    return next((each for each in candidates if _is_suite(each)), None)


def _string_at(text: str, index: int) -> str | None:
    """Return the JSON string that begins at an index; None if it does not end."""
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, index)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _is_suite(code: str) -> bool:
    return bool(read_suite(suite_of_text(code)[1], "").tests)
