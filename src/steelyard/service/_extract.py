"""Extract the tests that a prompt shows: `POST /v1/extract-tests`."""

import asyncio
from typing import Annotated

from fastapi import Depends
from pydantic import BaseModel, ConfigDict, Field

from steelyard.judging import extract_tests
from steelyard.service._auth import Caller, allow
from steelyard.service._body import new_router

router = new_router("/v1", tag="judge")


class ExtractRequest(BaseModel):
    """A problem statement."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={"examples": [{"prompt": "Square a number.\nInput: 5\nOutput: 25\n"}]},
    )

    prompt: Annotated[str, Field(max_length=1_000_000)]


class ExtractedCase(BaseModel, frozen=True):
    """One test of the statement, as `/v1/judge` takes it."""

    name: str
    input: str
    expected: str


class Extracted(BaseModel, frozen=True):
    """The tests of a statement."""

    tests: tuple[ExtractedCase, ...]
    shapes: tuple[str, ...]
    """The shapes that were found, such as `inline` or `doctest`."""
    passed_over: tuple[str, ...]
    """Texts that look like tests but were skipped, with line and reason."""


@router.post("/extract-tests")
async def extract(
    body: ExtractRequest,
    _: Caller = Depends(allow("judge")),
) -> Extracted:
    """Extract the tests that a problem statement shows in one of the usual shapes."""
    found = await asyncio.to_thread(extract_tests, body.prompt)
    return Extracted(
        tests=tuple(
            ExtractedCase(
                name=case.name, input=case.input.decode(), expected=case.expected.decode()
            )
            for case in found.suite.cases
        ),
        shapes=found.shapes,
        passed_over=found.passed_over,
    )
