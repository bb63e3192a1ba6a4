"""Plans as tests need them, and a pruner with the packaged rules."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from steelyard.schemas import Constraints, PlanMessage
from steelyard.solving.pruning import Pruner

Check = Callable[..., set[str]]


@pytest.fixture(scope="session")
def pruner() -> Pruner:
    return Pruner()


@pytest.fixture
def rules_broken(pruner: Pruner) -> Check:
    """The names of the rules that a plan breaks."""

    def check(
        pseudocode: str | None = None,
        *,
        algorithm: str = "As below.",
        stated: str | None = None,
        ms: float = 2_000,
        mib: float = 256,
        statement: str = "A problem.",
        **bounds: int,
    ) -> set[str]:
        plan = PlanMessage(
            task_id="t",
            iteration=0,
            timestamp_utc=datetime.now(UTC),
            problem_statement=statement,
            algorithm=algorithm,
            input_bounds=bounds or {"n": 100_000},
            constraints=Constraints(runtime_limit=ms, memory_limit=mib),
            pseudocode=pseudocode,
            expected_complexity=stated,
        )
        return {finding.rule for finding in pruner.check_plan(plan)}

    return check
