"""The page that judges a program: its form, which starts a run."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Annotated, Any, Self

from fastapi import Depends, File, Form, Request, Response, UploadFile

from steelyard.errors import LanguageError, SteelyardError, TestsError
from steelyard.judging import load_tests
from steelyard.schemas import Limits, TestCase
from steelyard.service._async import started
from steelyard.service._auth import Caller, allow
from steelyard.service._judge_request import JudgeRequest
from steelyard.service._problems import Problem, problem_of
from steelyard.service._state import services_of
from steelyard.service.jobs import queue_of
from steelyard.service.pages._csrf import check_csrf
from steelyard.service.pages._problems import languages
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router, redirect
from steelyard.toolchains import language_of

router = page_router()
_SHORT_WAIT_S = 2.0
"""What is judged within this time needs no live page."""
_LOOK_S = 0.1
_LEAST_ROWS = 2
_LISTS = (".json", ".jsonl")
_PAIRS = (".in", ".ans", ".out")
_File = UploadFile | None


@dataclass(frozen=True)
class JudgeForm:
    """Texts and files of the form."""

    program: str = ""
    language: str = "python"
    tests: tuple[tuple[str, str], ...] = ()
    """Inputs with their expected outputs."""
    is_example: bool = False
    program_fault: str = ""
    tests_fault: str = ""
    fault: str = ""
    """A fault of neither."""

    @classmethod
    def example(cls) -> Self:
        """Return an example that passes one test and fails one."""
        return cls(
            program="a, b = map(int, input().split())\nprint(a + b)\n",
            tests=(("1 2\n", "3\n"), ("20\n22\n", "42\n")),
            is_example=True,
        )

    @property
    def has_fault(self) -> bool:
        """True if it cannot be sent as it is."""
        return bool(self.program_fault or self.tests_fault or self.fault)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The tests, and empty rows up to the least number."""
        return self.tests + (("", ""),) * (_LEAST_ROWS - len(self.tests))

    def shown(self) -> dict[str, Any]:
        """Return what the template shows."""
        return {"form": self, "languages": languages(), "limits": Limits()}


@router.get("/new/judge")
def form(request: Request, _: Caller = Depends(allow("judge"))) -> Response:
    """Show the form without the example."""
    return page(request, "new-judge.html", **JudgeForm().shown())


@router.post("/new/judge", dependencies=[Depends(check_csrf)])
async def judge(
    request: Request,
    program: Annotated[str, Form()] = "",
    language: Annotated[str, Form(max_length=100)] = "python",
    input: Annotated[list[str], Form()] = [],  # noqa: A002, B006  (the field's name)
    expected: Annotated[list[str], Form()] = [],  # noqa: B006
    program_file: Annotated[_File, File()] = None,
    tests_file: Annotated[list[UploadFile], File()] = [],  # noqa: B006
    more: Annotated[str, Form()] = "",
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Start to judge a program, or show the form again with its faults or one more test."""
    rows = zip(map(_lines, input), map(_lines, expected), strict=False)
    given = JudgeForm(_lines(program), language, tuple(rows))
    if program_file is not None and program_file.filename:
        given = _with_program(given, program_file.filename, await program_file.read())
    if more:
        longer = replace(given, tests=(*given.rows, ("", "")))
        return page(request, "new-judge.html", **longer.shown())
    tests: list[dict[str, Any] | str] = [
        {"input": asked, "expected": answer} for asked, answer in given.tests if asked or answer
    ]
    files = [(each.filename, await each.read()) for each in tests_file if each.filename]
    if files:
        try:
            tests = await asyncio.to_thread(_tests_of, files)
        except TestsError as error:
            given = replace(given, tests_fault=str(error))
    elif not tests:
        given = replace(given, tests_fault="give an input with its expected output")
    if not given.program.strip() and not given.program_fault:
        given = replace(given, program_fault="write a program, or choose a file")
    body = JudgeRequest(program=given.program, language=given.language, tests=tests)
    status = 422
    if not given.has_fault:
        try:
            body.check(services_of(request).settings.service)
            job = await started(request, caller, "judge", body)
        except (Problem, SteelyardError) as error:
            problem = error if isinstance(error, Problem) else problem_of(error)
            given, status = replace(given, fault=problem.detail), problem.status_code
        else:
            await _ended(request, job.id)
            return redirect(request, f"/pages/runs/{job.id}")
    return page(request, "new-judge.html", status=status, **given.shown())


async def _ended(request: Request, job_id: str) -> None:
    """Wait until a run has ended, for a short time."""
    until = time.monotonic() + _SHORT_WAIT_S
    while time.monotonic() < until:
        job = await asyncio.to_thread(queue_of(request).find, job_id)
        if job is None or job.has_ended:
            return
        await asyncio.sleep(_LOOK_S)


def _with_program(given: JudgeForm, name: str, content: bytes) -> JudgeForm:
    try:
        found = language_of(Path(PurePath(name).name))
        return replace(given, program=_lines(content.decode("utf-8-sig")), language=found)
    except UnicodeDecodeError:
        return replace(given, program_fault="the file is not text; save it as UTF-8")
    except LanguageError as error:
        return replace(given, program_fault=str(error))


def _tests_of(files: Sequence[tuple[str | None, bytes]]) -> list[dict[str, Any] | str]:
    """Return the tests in files that somebody sent.

    Raises:
        TestsError: if they hold none.
    """
    with tempfile.TemporaryDirectory(prefix="steelyard-tests-") as folder:
        root = Path(folder)
        paths = [root / PurePath(name or "").name for name, _ in files]
        lists = [path for path in paths if path.suffix.lower() in _LISTS]
        if len(lists) > 1 or (lists and len(files) > 1):
            raise TestsError("choose one file of tests, or pairs of NAME.in and NAME.out")
        for path, (_, content) in zip(paths, files, strict=True):
            if not path.name.isprintable() or path.suffix.lower() not in (*_LISTS, *_PAIRS):
                raise TestsError("a file of tests is .json or .jsonl, or a pair .in and .out")
            path.write_bytes(content)
        try:
            suite = load_tests(lists[0] if lists else root)
        except TestsError as error:
            named = str(error).replace(f"{root}/", "").replace(str(root), "the files")
            raise TestsError(named) from error
    return [_plain(case) for case in suite.cases]


def _plain(case: TestCase) -> dict[str, Any]:
    try:
        return {
            **case.model_dump(include={"name", "category", "timeout"}, exclude_defaults=True),
            "input": case.input.decode(),
            "expected": case.expected.decode(),
        }
    except UnicodeDecodeError as error:
        raise TestsError(f"test {case.name} is not text; save it as UTF-8") from error


def _lines(text: str) -> str:
    """Return the text of a text area as it was written: browsers send CR LF for each line."""
    return text.replace("\r\n", "\n")
