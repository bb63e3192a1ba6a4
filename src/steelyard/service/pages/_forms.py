"""The first page, and the forms that start runs: judge, growth, comparison, solving, authoring."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal, Self

from fastapi import Depends, File, Form, Request, Response, UploadFile
from fastapi.responses import RedirectResponse
from pydantic import Field

from steelyard.errors import LanguageError, SteelyardError, TestsError
from steelyard.judging import load_tests
from steelyard.schemas import Limits, ProblemName, SolutionLanguage, TestCase
from steelyard.service._auth import Caller, allow
from steelyard.service._compare import CompareRequest
from steelyard.service._job import Job, JobKind
from steelyard.service._judge_request import JudgeRequest
from steelyard.service._problems import Problem, problem_of
from steelyard.service._profile import ProfileRequest
from steelyard.service._running import started
from steelyard.service._state import Services, services_of
from steelyard.service.jobs import (
    AuthorRequest,
    RunQuery,
    SolveQuery,
    author_payload,
    queue_of,
    runs_on,
    solve_payload,
    tests_in_words,
)
from steelyard.service.pages._problems import languages
from steelyard.service.pages._render import check_csrf, page, text_of_area
from steelyard.service.pages._route import page_router, redirect
from steelyard.service.records import Submission, SubmissionQuery, submissions_on
from steelyard.solving import problem_of_text
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
_Text = Annotated[str, Form()]
_FurtherCases = Annotated[int, Field(ge=0, le=20_000)]


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
    def of_run(cls, job: Job) -> Self:
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
def form(
    kind: Literal["profile", "compare", "solve", "author"],
    request: Request,
    _: Caller = Depends(allow("judge", "author")),
) -> Response:
    """Show the form for a run."""
    return page(request, f"new-{kind}.html", languages=languages())


@router.post("/new/profile", dependencies=[Depends(check_csrf)])
async def new_profile(
    request: Request,
    program: _Text,
    generator: _Text,
    language: Annotated[str, Form(max_length=100)] = "python",
    max_n: Annotated[int, Form(ge=1, le=10**12)] = 100_000,
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Measure how a program grows."""
    body = ProfileRequest(
        program=text_of_area(program),
        generator=text_of_area(generator),
        language=language,
        max_n=max_n,
    )
    body.check(services_of(request).settings.service)
    return await _start(request, caller, "profile", body.model_dump(exclude_unset=True))


@router.post("/new/compare", dependencies=[Depends(check_csrf)])
async def new_compare(
    request: Request,
    original: _Text,
    program: _Text,
    tests: _Text,
    function: Annotated[str, Form(min_length=1, max_length=200)],
    caller: Caller = Depends(allow("judge")),
) -> Response:
    """Compare a rewritten function with its original."""
    body = CompareRequest(
        program=text_of_area(program),
        function=f"original:{function}",
        files={"original.py": text_of_area(original), "test_original.py": text_of_area(tests)},
    )
    body.check(services_of(request).settings.service)
    return await _start(request, caller, "compare", body.model_dump(exclude_unset=True))


@router.post("/new/solve", dependencies=[Depends(check_csrf)])
async def new_solve(
    request: Request,
    text: _Text,
    language: Annotated[SolutionLanguage, Form()] = "cpp",
    max_iter: Annotated[int, Form(ge=1, le=50)] = 3,
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Drive models to a program."""
    query = SolveQuery(language=language, max_iter=max_iter)
    settings = services_of(request).settings
    payload = solve_payload(settings, problem_of_text(text_of_area(text)), query)
    return await _start(request, caller, "solve", payload)


@router.post("/new/author", dependencies=[Depends(check_csrf)])
async def new_author(
    request: Request,
    text: Annotated[str, Form(min_length=1, max_length=20_000)],
    cases: Annotated[int, Form(ge=1, le=1_000)] = 60,
    small_cases: Annotated[_FurtherCases | Literal[""], Form()] = "",
    mutants: Annotated[int, Form(ge=0, le=10_000)] = 200,
    name: Annotated[ProblemName | Literal[""], Form()] = "",
    caller: Caller = Depends(allow("author")),
) -> Response:
    """Author a problem."""
    body = AuthorRequest(
        request=text_of_area(text),
        cases=cases,
        mutants=mutants,
        name=name or None,
        small_cases=None if small_cases == "" else small_cases,
    )
    payload = author_payload(services_of(request).settings, body)
    return await _start(request, caller, "author", payload)


async def _start(
    request: Request, caller: Caller, kind: JobKind, payload: dict[str, Any]
) -> Response:
    job = await started(request, caller, kind, payload)
    return redirect(request, f"/pages/runs/{job.id}")
