"""How often the static rules are wrong on labelled plans."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from steelyard.schemas import PlanMessage
from steelyard.solving.pruning import Pruner

_PLANS = Path(__file__).parents[3] / "corpus" / "plans"
_NOT_THE_PLANS_OWN = ("label", "split", "why")


def _read() -> list[dict[str, Any]]:
    return [
        {"name": path.stem} | tomllib.loads(path.read_text())
        for path in sorted(_PLANS.glob("*.toml"))
    ]


def _message(plan: dict[str, Any], **changed: object) -> PlanMessage:
    fields = {key: value for key, value in plan.items() if key not in _NOT_THE_PLANS_OWN}
    fields.pop("name")
    envelope = {"task_id": plan["name"], "iteration": 0, "timestamp_utc": "2026-01-01T00:00:00Z"}
    return PlanMessage.model_validate(envelope | fields | changed)


def _wrong(plans: list[dict[str, Any]], pruner: Pruner, **changed: object) -> list[str]:
    return [
        plan["name"]
        for plan in plans
        if bool(pruner.check_plan(_message(plan, **changed))) != (plan["label"] == "hopeless")
    ]


def test_there_are_fifty_of_each_and_forty_are_held_aside() -> None:
    plans = _read()
    kinds = [(plan["label"], plan["split"]) for plan in plans]
    assert len(plans) == 100
    for label in ("good", "hopeless"):
        assert kinds.count((label, "tuning")) == 30
        assert kinds.count((label, "test")) == 20


@pytest.mark.parametrize("without", [{}, {"expected_complexity": None}], ids=["whole", "unstated"])
def test_few_good_plans_are_refused_and_few_hopeless_ones_pass(
    pruner: Pruner, without: dict[str, object]
) -> None:
    """At most 5 % and 10 %, also where the plan does not state its complexity."""
    plans = _read()
    for label, most in (("good", 0.05), ("hopeless", 0.10)):
        chosen = [plan for plan in plans if plan["label"] == label]
        wrong = _wrong(chosen, pruner, **without)
        assert len(wrong) <= most * len(chosen), f"{label}: {wrong}"


def test_each_finding_names_its_rule_its_evidence_and_its_figures(pruner: Pruner) -> None:
    for plan in _read():
        for finding in pruner.check_plan(_message(plan)):
            assert finding.rule
            assert 0 < len(finding.evidence) <= 160
            assert "\n" not in finding.evidence + finding.message
            assert any(char.isdigit() for char in finding.message), finding
