"""SandboxFusion, and its fork ScaleBox.

SandboxFusion: `/run_code`, `/submit`, and a clear refusal of what is not offered. ScaleBox:
`/common_evaluate_batch`, whose submissions have outputs, a function's values, or assertions.

Source: https://github.com/bytedance/SandboxFusion and https://github.com/icip-cas/ScaleBox.
"""

import asyncio
import itertools
import json
from functools import partial
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
    special_judge,
    toolchain_for,
)
from steelyard.service.compat._peers import (
    PeerProgram,
    allow_peer,
    body_invalid,
    build_and_run,
    peer_router,
    read_body,
    valid,
)
from steelyard.settings import ServiceSettings

router = peer_router("sandboxfusion", refuse)
scalebox_router = peer_router("scalebox", refuse)
_DATASET_TYPES = ("CommonOJDataset", "HumanEvalDataset", "MBPPDataset")
_JUDGE_S = 10.0


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
    _check_config(body.config)
    kind = body.config.dataset_type
    if kind not in _DATASET_TYPES:
        raise body_invalid(
            f"no eval class found for dataset {body.dataset[:100]}: give config.provided_data and "
            f"config.dataset_type, one of {', '.join(_DATASET_TYPES)}"
        )
    own = services_of(request).settings.service
    prints = kind == "CommonOJDataset"
    entry = "stdio" if prints else _asserted_entry(body.config.provided_data)
    program = await asyncio.to_thread(_submitted_program, body, own, entry)
    if prints:
        given = valid(_ProvidedCases, body.config.provided_data)
        pairs = [
            (case.input.get("stdin", ""), case.output.get("stdout", "")) for case in given.test
        ]
        _check_cases(len(pairs), own)
        work = partial(
            graded,
            program=program,
            task=printed(pairs),
            infos=list(itertools.starmap(shown, pairs)),
            to_the_end=_to_the_end(body),
        )
        tests = await in_cells(request, caller, work)
    else:
        tests = await _asserted(request, caller, program, body.config.provided_data)
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


def _submitted_program(body: SubmitRequest, settings: ServiceSettings, entry: str) -> PeerProgram:
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
    toolchain = toolchain_for(config.language or "python")
    code = code_of_reply(
        body.completion.encode("utf-8", "surrogatepass"), toolchain.language, entry
    )
    seconds = config.run_timeout or toolchain.row.peers.sandboxfusion_s
    program = PeerProgram(
        toolchain,
        code.encode("utf-8", "surrogatepass"),
        limits=limits_of(settings, seconds=seconds),
        compile_limits=compile_limits(toolchain, config.compile_timeout or 10),
    )
    program.check(settings)
    return program


async def _asserted(
    request: Request, caller: Caller, program: PeerProgram, provided: Any
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
    task = called(_asserted_entry(provided), [{"code": test}])
    work = partial(graded, program=program, task=task, infos=[None], to_the_end=True)
    return await in_cells(request, caller, work)


def _asserted_entry(provided: Any) -> str:
    """Return how assertions enter a program."""
    entry_point = provided.get("entry_point") if isinstance(provided, dict) else None
    return f"asserts:{entry_point}" if entry_point else "asserts"


def _check_config(config: TestConfig) -> None:
    """Refuse what would run a caller's code in this process.

    Raises:
        Problem: 422.
    """
    if config.custom_extract_logic:
        raise body_invalid(
            "custom_extract_logic is not offered; extract the program before you send it"
        )


def _check_cases(number: int, settings: ServiceSettings) -> None:
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


class _Cases(BaseModel):
    """The test cases of a batch: the n-th input with the n-th output."""

    type: str | None = None
    fn_name: str | None = None
    input: list[Any] = []
    output: list[Any] = []
    json_input: bool = False


class _ProvidedBatch(BaseModel):
    """The data of a submission."""

    test_cases: _Cases


@scalebox_router.post("/common_evaluate_batch")
async def common_evaluate_batch(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Evaluate a model's reply by its outputs, its function's values, or assertions."""
    body = await read_body(request, SubmitRequest)
    if not body.config.language:
        raise body_invalid("config.language field must exist, got None")
    _check_config(body.config)
    cases = valid(_ProvidedBatch, body.config.provided_data).test_cases
    own = services_of(request).settings.service
    kind = cases.type or ("function_call" if cases.fn_name else "stdin_stdout")
    entry = "stdio"
    if kind == "assert":
        assert isinstance(body.config.provided_data, dict)
        entry = _asserted_entry(body.config.provided_data["test_cases"])
    elif kind == "function_call":
        entry = _called_entry(cases.fn_name or "", body.completion)
    program = await asyncio.to_thread(_submitted_program, body, own, entry)
    if kind == "assert":
        assert isinstance(body.config.provided_data, dict)
        tests = await _asserted(request, caller, program, body.config.provided_data["test_cases"])
    elif kind in ("stdin_stdout", "function_call"):
        if len(cases.input) != len(cases.output):
            raise body_invalid(
                f"{len(cases.input)} inputs are given for {len(cases.output)} outputs"
            )
        _check_cases(len(cases.input), own)
        evaluate = _judge_printed if kind == "stdin_stdout" else _judge_called
        tests = await evaluate(request, caller, program, body, cases)
    else:
        raise body_invalid(f"unknown type {kind[:40]!r}; use stdin_stdout, function_call or assert")
    return eval_result(body, program.source.decode("utf-8", "surrogatepass"), tests)


async def _judge_printed(
    request: Request, caller: Caller, program: PeerProgram, body: SubmitRequest, cases: _Cases
) -> list[dict[str, Any]]:
    pairs = list(zip(cases.input, cases.output, strict=True))
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise body_invalid("for stdin_stdout each input and each output is a text")
    task, infos = printed(pairs), list(itertools.starmap(shown, pairs))
    extra = body.config.extra
    judge_source = extra.get("special_judge_program")
    judge_tool = toolchain_for(str(extra.get("special_judge_language") or "python"))

    def work(services: Services, stop: Stop) -> list[dict[str, Any]]:
        own = services.settings.service
        special = None
        if isinstance(judge_source, str):
            limits = limits_of(own, seconds=_JUDGE_S)
            special = special_judge(services.pool, judge_tool, judge_source, limits)
        return graded(
            services, stop, program, task, infos, to_the_end=_to_the_end(body), special=special
        )

    return await in_cells(request, caller, work)


async def _judge_called(
    request: Request, caller: Caller, program: PeerProgram, body: SubmitRequest, cases: _Cases
) -> list[dict[str, Any]]:
    if program.toolchain.language != "python":
        raise body_invalid("function_call is offered for Python alone; use stdin_stdout")
    name = cases.fn_name or ""
    entry = _called_entry(name, program.source.decode("utf-8", "surrogatepass"))
    calls = [
        _call(*pair, as_json=cases.json_input)
        for pair in zip(cases.input, cases.output, strict=True)
    ]
    tests = [{"args": args, "expected": expected} for args, expected in calls]
    infos = [
        {"type": "function_call", "fn_name": name, "input": args, "output": [expected]}
        for args, expected in calls
    ]

    work = partial(
        graded,
        program=program,
        task=called(entry, tests),
        infos=infos,
        to_the_end=_to_the_end(body),
    )
    return await in_cells(request, caller, work)


def _called_entry(name: str, text: str) -> str:
    """Return how the peer calls a function: as a method if the text has a class `Solution`."""
    if not name.isidentifier():
        raise body_invalid(f"fn_name must name a function, got {name[:100]!r}")
    return f"class:Solution.{name}" if "class Solution" in text else f"function:{name}"


def _call(given: Any, output: Any, *, as_json: bool) -> tuple[list[Any], Any]:
    """Return the arguments of a call and its expected value, which the peer puts into a list."""
    if as_json and isinstance(given, str):
        try:
            return [json.loads(line) for line in given.split("\n")], json.loads(output)
        except (ValueError, TypeError, RecursionError) as error:
            raise body_invalid(f"with json_input each line of an input is JSON: {error}") from error
    if not isinstance(given, list) or not isinstance(output, list) or len(output) != 1:
        raise body_invalid(
            "for function_call each input is a list of arguments, each output [value]"
        )
    return given, output[0]


def _to_the_end(body: SubmitRequest) -> bool:
    return bool(body.config.extra.get("run_all_cases", False))
