"""ScaleBox: `/common_evaluate_batch`.

Source: https://github.com/icip-cas/ScaleBox.
"""

import asyncio
import itertools
import json
from typing import Any

from fastapi import Depends, Request, Response
from pydantic import BaseModel

from steelyard.service._auth import Caller
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.compat._fusion import (
    SubmitRequest,
    called,
    eval_result,
    graded,
    limits_of,
    printed,
    refuse,
    shown,
    special_judge,
    toolchain_for,
)
from steelyard.service.compat._peers import (
    Program,
    allow_peer,
    body_invalid,
    peer_router,
    read_body,
    valid,
)
from steelyard.service.compat._sandboxfusion import (
    asserted,
    asserted_entry,
    check_cases,
    check_config,
    submitted_program,
)

router = peer_router("scalebox", refuse)
_JUDGE_S = 10.0


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


@router.post("/common_evaluate_batch")
async def common_evaluate_batch(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Evaluate a model's reply by its outputs, its function's values, or assertions."""
    body = await read_body(request, SubmitRequest)
    if not body.config.language:
        raise body_invalid("config.language field must exist, got None")
    check_config(body.config)
    if body.config.language in ("javascript", "js"):
        body.config.language = "nodejs"
    cases = valid(_ProvidedBatch, body.config.provided_data).test_cases
    own = services_of(request).settings.service
    kind = cases.type or ("function_call" if cases.fn_name else "stdin_stdout")
    entry = "stdio"
    if kind == "assert":
        assert isinstance(body.config.provided_data, dict)
        entry = asserted_entry(body.config.provided_data["test_cases"])
    elif kind == "function_call":
        entry = _called_entry(cases.fn_name or "", body.completion)
    program = await asyncio.to_thread(submitted_program, body, own, entry)
    if kind == "assert":
        assert isinstance(body.config.provided_data, dict)
        tests = await asserted(request, caller, program, body.config.provided_data["test_cases"])
    elif kind in ("stdin_stdout", "function_call"):
        if len(cases.input) != len(cases.output):
            raise body_invalid(
                f"{len(cases.input)} inputs are given for {len(cases.output)} outputs"
            )
        check_cases(len(cases.input), own)
        evaluate = _printed if kind == "stdin_stdout" else _called
        tests = await evaluate(request, caller, program, body, cases)
    else:
        raise body_invalid(f"unknown type {kind[:40]!r}; use stdin_stdout, function_call or assert")
    return eval_result(body, program.source.decode("utf-8", "surrogatepass"), tests)


async def _printed(
    request: Request, caller: Caller, program: Program, body: SubmitRequest, cases: _Cases
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


async def _called(
    request: Request, caller: Caller, program: Program, body: SubmitRequest, cases: _Cases
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

    def work(services: Services, stop: Stop) -> list[dict[str, Any]]:
        task = called(entry, tests)
        return graded(services, stop, program, task, infos, to_the_end=_to_the_end(body))

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
