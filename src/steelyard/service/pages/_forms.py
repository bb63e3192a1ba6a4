"""The first page, and the forms that start runs: judge, growth, comparison, solving, authoring."""

import asyncio
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Annotated, Any, Self

from fastapi import Depends, File, Request, Response, UploadFile
from fastapi import Form as FormData
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from steelyard.errors import LanguageError, SteelyardError, TestsError
from steelyard.job import JobForm
from steelyard.jobs import JOBS, job
from steelyard.judging import load_tests, tests_in_words
from steelyard.schemas import Limits, TestCase
from steelyard.service._auth import Caller, allow, require_scope
from steelyard.service._error_responses import Problem, invalid, problem_of
from steelyard.service._job import QueuedJob
from steelyard.service._job_routes import bounded, payload_of, stated
from steelyard.service._running import started
from steelyard.service._state import Services, services_of
from steelyard.service.jobs import (
    RunQuery,
    queue_of,
    runs_on,
)
from steelyard.service.pages._problems import languages
from steelyard.service.pages._render import check_csrf, page, text_of_area
from steelyard.service.pages._route import page_router, redirect
from steelyard.service.records import Submission, SubmissionQuery, submissions_on
from steelyard.toolchains import language_of

home_router = page_router("")
router = page_router()
_LATEST = 8
_SHORT_WAIT_S = 2.0
"""What is judged within this time needs no live page."""
_LOOK_S = 0.1
_LEAST_ROWS = 2
_LISTS = (".json", ".jsonl")
_PAIRS = (".in", ".ans", ".out")
_File = UploadFile | None


@dataclass(frozen=True)
class _LatestWork:
    """A run or a submission, in one line."""

    path: str
    kind: str
    subject: str
    status: str
    passed: bool | None
    created_utc: datetime

    @classmethod
    def of_run(cls, job: QueuedJob) -> Self:
        """Return the line of a run."""
        passed = job.passed if job.has_outcome else None
        subject = job.subject or job.kind
        return cls(f"runs/{job.id}", job.kind, subject, job.status, passed, job.created_utc)

    @classmethod
    def of_submission(cls, own: Submission) -> Self:
        """Return the line of a submission."""
        sent = own.submission
        passed = None if own.suite_version is None else own.passed
        status = "not judged"
        if passed is not None:
            status = tests_in_words(own.tests - own.tests_passed, own.tests)
        path = f"submissions/{own.digest}"
        return cls(path, "submission", sent.problem, status, passed, sent.created_utc)


@home_router.get("/")
async def home(request: Request, caller: Caller = Depends(allow("judge", "author"))) -> Response:
    """Show the first page."""
    runs = await runs_on(request, caller, RunQuery(limit=_LATEST))
    latest = [*map(_LatestWork.of_run, runs.items)]
    shown: dict[str, Any] = {}
    if caller.scopes & {"judge", "admin"}:
        latest += await asyncio.to_thread(_submissions, services_of(request), caller)
        shown = JudgeForm.example().shown()
    latest.sort(key=lambda each: each.created_utc, reverse=True)
    return page(request, "home.html", latest=latest[:_LATEST], **shown)


@home_router.get("/pages")
@home_router.get("/pages/")
def start() -> Response:
    """Send a browser to the first page."""
    return RedirectResponse("/", 303)


def _submissions(services: Services, caller: Caller) -> Sequence[_LatestWork]:
    with services.database.read() as reader:
        found = submissions_on(reader, caller, SubmissionQuery(limit=_LATEST))
    return [*map(_LatestWork.of_submission, found.items)]


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
def judge_form(request: Request, _: Caller = Depends(allow("judge"))) -> Response:
    """Show the form without the example."""
    return page(request, "new-judge.html", **JudgeForm().shown())


@router.post("/new/judge", dependencies=[Depends(check_csrf)])
async def judge(
    request: Request,
    program: Annotated[str, FormData()] = "",
    language: Annotated[str, FormData(max_length=100)] = "python",
    input: Annotated[list[str], FormData()] = [],  # noqa: A002, B006  (the field's name)
    expected: Annotated[list[str], FormData()] = [],  # noqa: B006
    program_file: Annotated[_File, File()] = None,
    tests_file: Annotated[list[UploadFile], File()] = [],  # noqa: B006
    more: Annotated[str, FormData()] = "",
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Start to judge a program, or show the form again with its faults or one more test."""
    rows = zip(map(text_of_area, input), map(text_of_area, expected), strict=False)
    given = JudgeForm(text_of_area(program), language, tuple(rows))
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
    body = {"program": given.program, "language": given.language, "tests": tests}
    status = 422
    if not given.has_fault:
        own = job("judge")
        try:
            payload = payload_of(own, bounded(own, body, services_of(request).settings))
            run = await started(request, caller, "judge", payload)
        except (Problem, SteelyardError) as error:
            problem = error if isinstance(error, Problem) else problem_of(error)
            given, status = replace(given, fault=problem.detail), problem.status_code
        else:
            await _ended(request, run.id)
            return redirect(request, f"/pages/runs/{run.id}")
    return page(request, "new-judge.html", status=status, **given.shown())


async def _ended(request: Request, job_id: str) -> None:
    """Wait until a run has ended, for a short time."""
    until = time.monotonic() + _SHORT_WAIT_S
    while time.monotonic() < until:
        run = await asyncio.to_thread(queue_of(request).find, job_id)
        if run is None or run.has_ended:
            return
        await asyncio.sleep(_LOOK_S)


def _with_program(given: JudgeForm, name: str, content: bytes) -> JudgeForm:
    try:
        found = language_of(Path(PurePath(name).name))
        return replace(given, program=text_of_area(content.decode("utf-8-sig")), language=found)
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


@router.get("/new/{kind}")
def form(kind: str, request: Request, _: Caller = Depends(allow("judge", "author"))) -> Response:
    """Show the form for a run."""
    return _form_page(request, _form_of(kind), kind)


@router.post("/new/{kind}", dependencies=[Depends(check_csrf)])
async def begin(
    kind: str, request: Request, caller: Caller = Depends(allow("judge", "author"))
) -> Response:
    """Begin a run, or show the form again with its fault."""
    shown, own = _form_of(kind), job(kind)
    require_scope(caller, own.scope)
    texts = {
        name: text_of_area(value)
        for name, value in (await request.form()).items()
        if isinstance(value, str) and value and name in {each.name for each in shown.fields}
    }
    try:
        given = stated(own.body.model_validate(shown.read(texts)))
        settings = services_of(request).settings
        payload = payload_of(own, bounded(own, given, settings))
        run = await started(request, caller, kind, payload)
    except KeyError as error:
        return _form_page(request, shown, kind, texts, f"{error.args[0]} is missing")
    except ValidationError as error:
        return _form_page(request, shown, kind, texts, invalid(error.errors(), "").detail)
    except (Problem, SteelyardError) as error:
        problem = error if isinstance(error, Problem) else problem_of(error)
        return _form_page(request, shown, kind, texts, problem.detail, problem.status_code)
    return redirect(request, f"/pages/runs/{run.id}")


def _form_of(kind: str) -> JobForm:
    found = job(kind).form if kind in JOBS else None
    if found is None:
        raise Problem(
            404, "not-found", "There is no page at this address", f"no form is for {kind[:40]!r}"
        )
    return found


def _form_page(
    request: Request,
    shown: JobForm,
    kind: str,
    given: Mapping[str, str] = MappingProxyType({}),
    fault: str = "",
    status: int = 200,
) -> Response:
    status = 422 if fault and status == 200 else status
    return page(
        request,
        "new-run.html",
        status=status,
        form=shown,
        kind=kind,
        given=given,
        fault=fault,
        languages=languages(),
    )
