"""Convert a run's story to JSON."""

from typing import Any

from steelyard.schemas import Record, plain_json
from steelyard.solving._story import Story, Turn


def story_json(story: Story) -> dict[str, Any]:
    """Return a run as `json.dumps` takes it.

    Returns:
        `run` (the problem and the options), `turns` (each with `plans`, `code`, `tests`, `profile`,
        `verdict` and how many `exchanges` it took) and `result`, or null if it has none yet.
    """
    return {
        "run": plain_json(story.head),
        "turns": [_turn(turn) for turn in story.turns],
        "result": _plain(story.result),
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "plans": [
            {"plan": plain_json(plan), "pruned": [plain_json(each) for each in pruned]}
            for plan, pruned in turn.plans
        ],
        "code": _plain(turn.code),
        "tests": _plain(turn.tests),
        "profile": _plain(turn.profile),
        "verdict": _plain(turn.verdict),
        "exchanges": len(turn.exchanges),
    }


def _plain(record: Record | None) -> dict[str, Any] | None:
    return None if record is None else plain_json(record)
