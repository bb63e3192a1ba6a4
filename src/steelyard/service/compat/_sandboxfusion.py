"""SandboxFusion: `/run_code`, `/submit`, and a clear refusal of what is not offered."""

import asyncio
import itertools
from typing import Any

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from steelyard.errors import TestsError
from steelyard.judging import code_of_reply
from steelyard.service._auth import Caller
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.compat._fusion import (
    COMPILED,
    RunCodeRequest,
    SubmitRequest,
    TestConfig,
    called,
    compile_limits,
    eval_result,
    graded,
    limits_of,
    printed,
    program_of,
    refuse,
    run_code_response,
    shown,
    toolchain_for,
)
from steelyard.service.compat._peers import (
    Program,
    allow_peer,
    body_invalid,
    build_and_run,
    peer_router,
    read_body,
    valid,
)
from steelyard.settings import ServiceSettings

router = peer_router("sandboxfusion", refuse)
_DATASET_TYPES = ("CommonOJDataset", "HumanEvalDataset", "MBPPDataset")


class _Stdio(BaseModel):
    """A case of a `CommonOJDataset`."""

    input: dict[str, str]
    output: dict[str, str]


class _ProvidedCases(BaseModel):
    """The data of a problem with standard input and output."""

    test: list[_Stdio] = Field(fail_fast=True)


@router.post("/run_code")
async def run_code(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Run a program once."""
    body = await read_body(request, RunCodeRequest)
    program = await asyncio.to_thread(program_of, body, services_of(request).settings.service)

    def work(services: Services, _: Stop) -> dict[str, Any]:
        return run_code_response(build_and_run(services.pool, program))

    return JSONResponse(await in_cells(request, caller, work))


@router.post("/submit")
async def submit(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Evaluate a model's reply with the tests that the request holds."""
    body = await read_body(request, SubmitRequest)
    check_config(body.config)
    kind = body.config.dataset_type
    if kind not in _DATASET_TYPES:
        raise body_invalid(
            f"no eval class found for dataset {body.dataset[:100]}: give config.provided_data and "
            f"config.dataset_type, one of {', '.join(_DATASET_TYPES)}"
        )
    own = services_of(request).settings.service
    prints = kind == "CommonOJDataset"
    entry = "stdio" if prints else asserted_entry(body.config.provided_data)
    program = await asyncio.to_thread(submitted_program, body, own, entry)
    if prints:
        given = valid(_ProvidedCases, body.config.provided_data)
        pairs = [
            (case.input.get("stdin", ""), case.output.get("stdout", "")) for case in given.test
        ]
        check_cases(len(pairs), own)
        task, infos = printed(pairs), list(itertools.starmap(shown, pairs))

        def work(services: Services, stop: Stop) -> list[dict[str, Any]]:
            to_the_end = bool(body.config.extra.get("run_all_cases", False))
            return graded(services, stop, program, task, infos, to_the_end=to_the_end)

        tests = await in_cells(request, caller, work)
    else:
        tests = await asserted(request, caller, program, body.config.provided_data)
    return eval_result(body, program.source.decode("utf-8", "surrogatepass"), tests)


@router.get("/v1/ping")
async def ping() -> Response:
    """Answer."""
    return JSONResponse("pong")


@router.get("/list_datasets")
async def list_datasets() -> Response:
    """Return no data set: submissions bring their tests."""
    return JSONResponse([])


@router.post("/run_jupyter")
@router.post("/list_ids")
@router.post("/get_prompts")
@router.post("/get_prompt_by_id")
@router.post("/get_metrics")
@router.post("/get_metrics_function")
async def not_offered(request: Request, _: Caller = Depends(allow_peer)) -> Response:
    """Refuse what is not offered, in words."""
    what = request.url.path.rpartition("/")[2]
    return JSONResponse(
        {"detail": f"{what} is not offered here; use /run_code, or /submit with provided_data"}, 501
    )


def submitted_program(body: SubmitRequest, settings: ServiceSettings, entry: str) -> Program:
    """Return the program in a model's reply, with the limits of its submission.

    Args:
        body: The submission.
        settings: Of the service.
        entry: How the program is entered.

    Raises:
        Problem: if the service does not run it.
        UsageError: if the entry is not valid.
        LanguageError: if the language is not offered.
    """
    config = body.config
    language = config.language or "python"
    toolchain = toolchain_for(language)
    code = code_of_reply(
        body.completion.encode("utf-8", "surrogatepass"), toolchain.language, entry
    )
    seconds = config.run_timeout or (10 if language in COMPILED else 20)
    program = Program(
        toolchain,
        code.encode("utf-8", "surrogatepass"),
        limits=limits_of(settings, seconds=seconds),
        compile_limits=compile_limits(toolchain, config.compile_timeout or 10),
    )
    program.check(settings)
    return program


async def asserted(
    request: Request, caller: Caller, program: Program, provided: Any
) -> list[dict[str, Any]]:
    """Return the one test of a Python function by assertions, which run apart from it.

    Raises:
        Problem: if the assertions are missing.
        TestsError: if they have a fault.
    """
    data = provided if isinstance(provided, dict) else {}
    listed = [text for text in data.get("test_list") or () if isinstance(text, str)]
    test = data.get("test") or "\n".join(listed)
    if program.toolchain.language != "python" or not isinstance(test, str) or not test.strip():
        raise body_invalid(
            "assertions are offered for Python: give test and entry_point, or test_list"
        )
    entry = asserted_entry(provided)

    def work(services: Services, stop: Stop) -> list[dict[str, Any]]:
        task = called(entry, [{"code": test}])
        return graded(services, stop, program, task, [None], to_the_end=True)

    return await in_cells(request, caller, work)


def asserted_entry(provided: Any) -> str:
    """Return how assertions enter a program."""
    entry_point = provided.get("entry_point") if isinstance(provided, dict) else None
    return f"asserts:{entry_point}" if entry_point else "asserts"


def check_config(config: TestConfig) -> None:
    """Refuse what would run a caller's code in this process.

    Raises:
        Problem: 422.
    """
    if config.custom_extract_logic:
        raise body_invalid(
            "custom_extract_logic is not offered; extract the program before you send it"
        )


def check_cases(number: int, settings: ServiceSettings) -> None:
    """Refuse no case, which would accept everything, and too many.

    Raises:
        TestsError: if there is none.
        Problem: 422 if there are too many.
    """
    if not number:
        raise TestsError("there are no test cases, so nothing would be proved; give some")
    if number > settings.max_tests:
        raise body_invalid(
            f"{number:,} test cases are given, and {settings.max_tests:,} are allowed"
        )
