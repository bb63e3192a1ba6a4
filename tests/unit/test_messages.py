"""The six messages of the solve loop: frozen, strict, in UTC, and the same after JSON."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from steelyard.errors import UsageError
from steelyard.schemas import (
    CodeMessage,
    Message,
    PlanMessage,
    ProblemInput,
    ProfileReport,
    Record,
    RunResult,
    VerdictMessage,
    VerdictReply,
    message_schemas,
    utc_now,
)

LATE = datetime(2026, 7, 24, 22, 41, 11, 250_000, timezone(timedelta(hours=2)))
MESSAGES: dict[str, Record] = {
    "ProblemInput": ProblemInput(
        task_id="CF1285C",
        prompt="Find the smallest maximum.",
        unit_tests=({"input": "6\n", "output": "2 3\n"},),  # type: ignore[arg-type]
        input_bounds={"n": 10**12},
    ),
    "PlanMessage": PlanMessage(
        task_id="CF1285C",
        timestamp_utc=LATE,
        problem_statement="p",
        algorithm="divisors",
        input_bounds={"n": 10**12},
        pseudocode="for d in 1..sqrt(n)",
    ),
    "CodeMessage": CodeMessage(task_id="a", iteration=2, code_cpp="int main() {}\n"),
    "ProfileReport": ProfileReport(
        task_id="a",
        input_sizes=(1, 10),
        runtime_ms=(0.5, 5.0),
        peak_memory_mb=(1.0, 2.0),
        hotspots=("lines 3: 90% of the work, O(n)",),
    ),
    "VerdictMessage": VerdictMessage(
        task_id="a", efficient=False, target_agent="CODER", patch="sort once", perf_gain=0.25
    ),
    "RunResult": RunResult(task_id="a", status="success", stop="efficient"),
}


@pytest.mark.parametrize("name", MESSAGES)
class TestEveryMessage:
    def test_survives_json(self, name: str) -> None:
        message = MESSAGES[name]
        assert type(message).model_validate_json(message.model_dump_json(by_alias=True)) == message

    def test_refuses_unknown_fields(self, name: str) -> None:
        message = MESSAGES[name]
        fields = message.model_dump(by_alias=True) | {"remark": "extra"}
        with pytest.raises(ValidationError, match="remark"):
            type(message).model_validate(fields)

    def test_is_frozen(self, name: str) -> None:
        with pytest.raises(ValidationError, match="frozen"):
            MESSAGES[name].task_id = "other"  # type: ignore[attr-defined]

    def test_says_its_schema_version(self, name: str) -> None:
        fields = MESSAGES[name].model_dump(by_alias=True)
        assert fields["schema_version"] == "1.0.0"
        with pytest.raises(ValidationError, match="schema_version"):
            type(MESSAGES[name]).model_validate(fields | {"schema_version": "2.0.0"})

    def test_its_json_schema_is_exported(self, name: str) -> None:
        schema = message_schemas()[name]
        assert schema["additionalProperties"] is False
        assert set(schema.get("required", [])) <= set(schema["properties"])


def test_moments_are_in_utc() -> None:
    plan = MESSAGES["PlanMessage"]
    assert '"timestamp_utc":"2026-07-24T20:41:11.250Z"' in plan.model_dump_json()
    assert Message().timestamp_utc.tzinfo is UTC


def test_a_moment_without_zone_is_refused() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        Message(timestamp_utc=datetime(2026, 1, 1))


def test_the_moment_now_survives_json() -> None:
    message = Message(timestamp_utc=utc_now())
    assert Message.model_validate_json(message.model_dump_json()) == message


@pytest.mark.parametrize("task_id", ["", "../up", "a/b", ".hidden", "a\n", "x" * 101, "a b"])
def test_a_task_id_is_safe_as_a_folder(task_id: str) -> None:
    with pytest.raises(UsageError, match="task_id"):
        ProblemInput(task_id=task_id, prompt="p")


@pytest.mark.parametrize("limits", [{"runtime_limit": 0}, {"memory_limit": float("inf")}])
def test_limits_are_real_amounts(limits: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="limit"):
        ProblemInput.model_validate({"task_id": "a", "prompt": "p", "constraints": limits})


@pytest.mark.parametrize("name", ["", "a\nb", " n"])
def test_a_bound_has_a_name(name: str) -> None:
    with pytest.raises(UsageError, match="bound"):
        ProblemInput(task_id="a", prompt="p", input_bounds={name: 1})


def test_whoever_refuses_says_who_mends_what() -> None:
    with pytest.raises(ValidationError, match="target_agent"):
        VerdictReply(efficient=False)


def test_telemetry_has_one_entry_a_size() -> None:
    with pytest.raises(ValidationError, match="one entry per size"):
        ProfileReport(input_sizes=(1, 2), runtime_ms=(0.5,), peak_memory_mb=(1.0, 1.0))
