"""The tools that agents call: each sends one request to a route of the service.

The request is sent in this process. So a tool has the tokens, limits, gates and errors of its
route, and no second logic.
"""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field
from starlette.types import ASGIApp, Message

from steelyard.equivalence import AcceptMode
from steelyard.judging import MatchMode
from steelyard.service._auth import IN_PROCESS
from steelyard.service.mcp._answers import (
    Authored,
    Compared,
    ExtractedTests,
    Judged,
    Profiled,
    Solved,
    StrengthMeasured,
    authored,
    clipped,
    compared,
    extracted,
    judged,
    profiled,
    solved,
    strength_measured,
)

_Program = Annotated[str, Field(description="The program's whole source text.")]
_Language = Annotated[
    str | None,
    Field(description="python, cpp, c, java, javascript, rust or go; null guesses Python."),
]
_Entry = Annotated[
    str,
    Field(
        description="How the program is entered: `stdio` (it reads standard input and prints), or "
        "for Python `function:NAME` or `class:Solution.METHOD`, called with the arguments of each "
        "test."
    ),
]
_Tests = Annotated[
    list[dict[str, Any]],
    Field(
        description='Test cases. For stdio {"input": TEXT, "expected": TEXT}; for a function or '
        'method {"args": [...], "expected": VALUE}.',
        min_length=1,
        max_length=2_000,
    ),
]
_Milliseconds = Annotated[int, Field(ge=1, le=60_000, description="CPU time of one run, in ms.")]
_Mebibytes = Annotated[int, Field(ge=16, le=65_536, description="Memory of one run, in MiB.")]
_Cost = Annotated[
    float, Field(ge=0, description="Hard limit on what language models may cost, in US dollars.")
]
_PASSED_ON = frozenset({"authorization", "host", "origin", "x-request-id"})


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of a route."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """The value of its JSON."""
        return json.loads(self.body)


class RouteClient:
    """Requests on behalf of one caller.

    Args:
        app: The service's application.
        headers: The caller's own, from which its token is taken; None for this machine's user, who
            speaks over standard input.
    """

    def __init__(self, app: ASGIApp, headers: Mapping[str, str] | None) -> None:
        self._app, self._local = app, headers is None
        given = {name.lower(): value for name, value in (headers or {}).items()}
        self._headers = {name: given[name] for name in _PASSED_ON & given.keys()}

    async def request(
        self, method: str, path: str, body: object = None, *, prefer: str = ""
    ) -> Reply:
        """Send a request, and return its response. If it is cancelled, so is its work."""
        parts: list[bytes] = []

        async def keep(part: bytes) -> None:
            parts.append(part)

        status = await self._send(method, path, body, prefer, keep)
        return Reply(status, b"".join(parts))

    async def events(self, path: str) -> AsyncIterator[dict[str, Any]]:
        """Yield the data of server-sent events as they come."""
        parts: asyncio.Queue[bytes | None] = asyncio.Queue(1_000)

        async def run() -> None:
            try:
                await self._send("GET", path, None, "", parts.put)
            finally:
                await parts.put(None)

        task = asyncio.create_task(run())
        left = b""
        try:
            while (part := await parts.get()) is not None:
                *whole, left = (left + part).split(b"\n\n")
                for event in whole:
                    for line in event.split(b"\n"):
                        if line.startswith(b"data:"):
                            yield json.loads(line[5:])
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _send(
        self,
        method: str,
        path: str,
        body: object,
        prefer: str,
        on_part: Callable[[bytes], Awaitable[None]],
    ) -> int:
        path, _, query = path.partition("?")
        content = b"" if body is None else json.dumps(body).encode()
        headers = {
            "host": "localhost",
            "content-type": "application/json",
            "content-length": str(len(content)),
            **self._headers,
        }
        if prefer:
            headers["prefer"] = prefer
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "client": ("127.0.0.1", 0),
            "server": ("localhost", 0),
            "headers": [(key.encode(), value.encode("latin-1")) for key, value in headers.items()],
            IN_PROCESS: self._local,
        }
        status, sent, gone = 500, False, asyncio.Event()

        async def receive() -> Message:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": content, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message.get("body"):
                await on_part(message["body"])

        try:
            await self._app(scope, receive, send)
        finally:
            gone.set()
        return status


class Tools:
    """The tools of one service.

    Args:
        app: The service's application.
        local: True if this machine's user calls over standard input, and needs no token.
    """

    def __init__(self, app: ASGIApp, *, local: bool) -> None:
        self._app, self._local = app, local

    async def judge(
        self,
        ctx: Context[Any, Any],
        program: _Program,
        tests: _Tests,
        language: _Language = None,
        entry: _Entry = "stdio",
        match_mode: Annotated[MatchMode, Field(description="How outputs are compared.")] = "exact",
        time_limit_ms: _Milliseconds = 5_000,
        memory_limit_mib: _Mebibytes = 512,
    ) -> Judged:
        """Compile a program, run it in a sandbox against tests, and return verdicts with figures.

        Use it whenever you have written a program and know some inputs with their outputs. Fix the
        program by the first failures: each has a verdict, a message and the outputs. If `passed`
        is true, every test passed. A program is never executed outside of the sandbox.
        """
        body = {
            "program": program,
            "tests": tests,
            "language": language,
            "entry": entry,
            "match_mode": match_mode,
            "limits": {"cpu_ms": time_limit_ms, "memory_mib": memory_limit_mib},
        }
        reply = await self._routes(ctx).request("POST", "/v1/judge", body)
        return judged(_value(reply))

    async def profile(
        self,
        ctx: Context[Any, Any],
        program: _Program,
        generator: Annotated[
            str,
            Field(
                description="A Python module that defines `generate(n, seed)`: the input of size n,"
                " as text for stdio, or as a list of arguments for a function."
            ),
        ],
        max_n: Annotated[int, Field(ge=1, le=10**9, description="The largest size of interest.")],
        language: _Language = None,
        entry: _Entry = "stdio",
        budget_s: Annotated[
            float, Field(gt=0, le=60, description="Seconds to measure; more gives surer classes.")
        ] = 8.0,
        time_limit_ms: _Milliseconds | None = None,
    ) -> Profiled:
        """Measure how a program's time and memory grow with its input, and predict the largest.

        Use it to check if a program is fast enough for large inputs, or which complexity it has.
        It takes about `budget_s` seconds. `unsure` means that the figures do not decide: raise
        `budget_s` or `max_n`.
        """
        body = {
            "program": program,
            "generator": generator,
            "max_n": max_n,
            "language": language,
            "entry": entry,
            "budget_s": budget_s,
            "limits": None if time_limit_ms is None else {"cpu_ms": time_limit_ms},
        }
        return profiled(await self._followed(ctx, "/v1/profile", body))

    async def compare(
        self,
        ctx: Context[Any, Any],
        program: Annotated[
            str, Field(description="The rewritten function's source, its module, or a diff.")
        ],
        function: Annotated[
            str, Field(description="The original function, as `package.module:qualified.name`.")
        ],
        files: Annotated[
            dict[str, str],
            Field(
                description="The project's files by path, with the original and its tests.",
                min_length=1,
                max_length=500,
            ),
        ],
        accept: Annotated[
            AcceptMode,
            Field(description="The speed that it must have; it must behave the same anyway."),
        ] = "faster",
    ) -> Compared:
        """Compare a rewritten Python function with its original: same behaviour, really faster?

        Use it before you propose an optimisation. The project's tests and generated calls run with
        both versions. It takes from seconds to minutes. If it is rejected, `reasons` and
        `differences` show what to fix.
        """
        body = {"program": program, "function": function, "files": files, "accept": accept}
        return compared(await self._followed(ctx, "/v1/compare", body))

    async def strength(
        self,
        ctx: Context[Any, Any],
        tests: _Tests,
        solution: Annotated[str, Field(description="A right Python program; it passes the tests.")],
        entry: _Entry = "class:Solution.solve",
        wrong: Annotated[
            list[str], Field(description="Wrong programs that the tests should reject.")
        ] = [],  # noqa: B006  (Pydantic copies it)
        slow: Annotated[
            list[str], Field(description="Right programs that are too slow for the limits.")
        ] = [],  # noqa: B006
        mutants: Annotated[
            int, Field(ge=0, le=500, description="Most changed copies of the solution to try.")
        ] = 100,
    ) -> StrengthMeasured:
        """Measure how strong a test suite is: which wrong programs do its tests let pass?

        Use it after you have written tests. Each survivor is a wrong program that no test rejects;
        add its `killing_input` as a case. It takes from seconds to minutes.
        """
        body = {
            "tests": tests,
            "solution": solution,
            "entry": entry,
            "wrong": wrong,
            "slow": slow,
            "mutants": mutants,
        }
        return strength_measured(await self._followed(ctx, "/v1/strength", body))

    async def extract_tests(
        self,
        ctx: Context[Any, Any],
        prompt: Annotated[
            str, Field(description="The problem statement.", min_length=1, max_length=200_000)
        ],
    ) -> ExtractedTests:
        """Extract the examples that a problem statement shows, as tests for the tool `judge`.

        It reads the statement only, and runs nothing. Doubtful text is in `passed_over`.
        """
        reply = await self._routes(ctx).request("POST", "/v1/extract-tests", {"prompt": prompt})
        return extracted(_value(reply))

    async def author(
        self,
        ctx: Context[Any, Any],
        request: Annotated[
            str, Field(description="What is asked for, in prose.", min_length=1, max_length=20_000)
        ],
        max_cost_usd: _Cost | None = None,
        cases: Annotated[
            int,
            Field(
                ge=1,
                le=1_000,
                description="Cases from the specification; solutions choose about as many more.",
            ),
        ] = 60,
        small_cases: Annotated[
            int | None,
            Field(
                ge=0,
                le=20_000,
                description="Further cases, most of them small; null: 13 for each of `cases`.",
            ),
        ] = None,
        mutants: Annotated[
            int,
            Field(ge=0, le=10_000, description="Wrong variants that the suite is tried on."),
        ] = 200,
        solution: Annotated[
            list[str], Field(description="Right solutions that you have, as Python source.")
        ] = [],  # noqa: B006
        name: Annotated[
            str | None,
            Field(description="Name to store the problem under; null stores none.", max_length=100),
        ] = None,
    ) -> Authored:
        """Turn a vague request into a specification, a test suite of proved strength and solutions.

        It asks language models, which costs money and minutes. `questions` list what the request
        leaves open; answer them in the next request.
        """
        body: dict[str, Any] = {
            "request": request,
            "solution": solution,
            "name": name,
            "cases": cases,
            "small_cases": small_cases,
            "mutants": mutants,
        }
        if max_cost_usd is not None:
            body["max_cost_usd"] = max_cost_usd
        return authored(await self._followed(ctx, "/v1/author", body))

    async def solve(
        self,
        ctx: Context[Any, Any],
        prompt: Annotated[
            str, Field(description="The problem statement.", min_length=1, max_length=200_000)
        ],
        tests: Annotated[
            list[dict[str, str]],
            Field(description='Examples, each {"input": TEXT, "output": TEXT}.', max_length=2_000),
        ] = [],  # noqa: B006
        language: Annotated[str, Field(description="cpp or python")] = "cpp",
        time_limit_ms: Annotated[float, Field(gt=0, le=60_000)] = 2_000,
        memory_limit_mib: Annotated[float, Field(gt=0, le=65_536)] = 512,
        max_n: Annotated[
            int | None, Field(ge=1, description="The largest size n that the statement permits.")
        ] = None,
        max_cost_usd: _Cost | None = None,
    ) -> Solved:
        """Have language models write an efficient program for a problem, tested and profiled.

        It costs money and minutes. Prefer to write the program yourself and use `judge` and
        `profile`; use this for hard problems or to get an independent solution.
        """
        body = {
            "task_id": f"mcp-{uuid.uuid4().hex[:12]}",
            "prompt": prompt,
            "unit_tests": tests,
            "constraints": {"runtime_limit": time_limit_ms, "memory_limit": memory_limit_mib},
            "input_bounds": {} if max_n is None else {"n": max_n},
        }
        query = {"language": language}
        if max_cost_usd is not None:
            query["max_cost_usd"] = str(max_cost_usd)
        return solved(await self._followed(ctx, f"/v1/solve?{urlencode(query)}", body))

    def _routes(self, ctx: Context[Any, Any]) -> RouteClient:
        return RouteClient(self._app, None if self._local else ctx.headers or {})

    async def _followed(self, ctx: Context[Any, Any], path: str, body: dict[str, Any]) -> Any:
        """Start a run, report its progress, and return its result. If cancelled, cancel the run.

        Raises:
            ToolError: if it cannot be started, or fails.
        """
        routes = self._routes(ctx)
        reply = await routes.request("POST", path, body, prefer="respond-async")
        run = f"/v1/runs/{_value(reply)['id']}"
        ended = False
        try:
            number = 0
            async for event in routes.events(f"{run}/events"):
                if "stage" not in event:
                    continue
                number += 1
                text = " ".join(filter(None, (str(event["stage"]), str(event.get("message", "")))))
                await ctx.report_progress(number, None, clipped(text))
            whole = _value(await routes.request("GET", run))
            ended = whole["state"] not in ("queued", "running")
        finally:
            if not ended:
                with anyio.CancelScope(shield=True):
                    await asyncio.shield(routes.request("DELETE", run))
        if whole.get("problem"):
            raise ToolError(_problem_text(whole["problem"]))
        if whole["state"] != "done":
            raise ToolError(f"the run was {whole['state']}; call the tool again")
        return whole["result"]


def _value(reply: Reply) -> Any:
    """Return the JSON of a response.

    Raises:
        ToolError: with the problem's words, if it is one.
    """
    value = reply.json
    if reply.status >= 400:
        raise ToolError(_problem_text(value))
    return value


def _problem_text(problem: dict[str, Any]) -> str:
    return f"{problem['code']}: {clipped(problem['detail'])}"
