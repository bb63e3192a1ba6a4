"""`judge(...)`: one program against its tests, in one call."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from steelyard.judging._outcome import Checker
from steelyard.judging._rewards import Reward
from steelyard.judging._verifier import ExecutionVerifier
from steelyard.judging.loading import TestSource
from steelyard.sandbox import CellPool
from steelyard.schemas import Entry, Limits, Policy, VerifyResult
from steelyard.toolchains import read_source

__all__ = ["ajudge", "judge"]


def judge(
    program: str | bytes | Path,
    tests: TestSource,
    *,
    language: str | None = None,
    entry: str | Entry = "stdio",
    match: str = "exact",
    checker: Checker | None = None,
    limits: Limits | None = None,
    reward: Reward | None = None,
    preload: Sequence[str] = (),
    policy: str | Policy | None = None,
    pool: CellPool | None = None,
    **options: Any,
) -> VerifyResult:
    """Judges one program against its tests.

    Args:
        program: Its source text, or the path of a file with it.
        tests: As `load_tests` takes them, for the entry.
        language: A name from the language table. A file's ending tells it; else it is Python.
        entry: `stdio`, or for Python `function:NAME`, `class:NAME.METHOD`, `asserts` or
            `asserts:NAME`.
        match: How outputs or values are compared.
        checker: Decides in place of `match`.
        limits: For each case; their `cpu_ms` counts here.
        reward: Takes the place of the reward ladder.
        preload: For Python, modules to have loaded beforehand, such as `numpy`.
        policy: For Python, what its text must keep to before it runs, such as `no-imports`.
        pool: Where it runs; the pool that all of the process shares where it is None.
        **options: Further arguments of `ExecutionVerifier`.

    Raises:
        UsageError: where the call is wrong; nothing is scored then.
        InfrastructureError: where the machine failed; nothing is scored then.
    """
    source, language = read_source(program, language)
    limits = limits or Limits()
    verifier = ExecutionVerifier(
        language=language,
        entry=entry,
        match_mode=match,
        checker=checker,
        limits=limits,
        run_timeout=options.pop("run_timeout", limits.cpu_ms / 1000),
        reward=reward,
        preload=preload,
        policy=policy,
        pool=pool,
        **options,
    )
    return verifier.verify(source, test_cases=tests)


async def ajudge(program: str | bytes | Path, tests: TestSource, **options: Any) -> VerifyResult:
    """`judge` without blocking the event loop; it takes the same arguments."""
    return await asyncio.to_thread(partial(judge, program, tests, **options))
