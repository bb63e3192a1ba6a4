"""Which prompts a cycle samples."""

from pathlib import Path

import pytest

from steelyard.errors import UsageError
from steelyard.training.raft import RAFTConfig
from steelyard.training.raft._figures import stats_after
from steelyard.training.raft._selection import (
    PromptStats,
    choose_prompts,
    read_stats,
    stats_json,
)
from tests.unit.training.raft_samples import prompt, sample

DIFFICULTIES = {"a": 6, "b": 1, "c": 4, "d": 2, "e": 5, "f": 3}
PROMPTS = tuple(prompt(name, difficulty) for name, difficulty in DIFFICULTIES.items())


def chosen(cycle: int, stats: dict[str, PromptStats] | None = None, **fields: object) -> str:
    config = RAFTConfig.of(num_cycles=3, **fields)
    return "".join(each.id for each in choose_prompts(PROMPTS, config, cycle, stats or {}))


def test_without_one_every_cycle_has_all_prompts() -> None:
    assert chosen(1) == chosen(3) == "abcdef"


def test_by_difficulty_each_cycle_has_a_harder_part() -> None:
    assert [chosen(cycle, curriculum="difficulty") for cycle in (1, 2, 3)] == ["bd", "cf", "ae"]


def test_a_progressive_one_begins_with_the_easiest_and_adds() -> None:
    given = {"curriculum_start": 0.3, "curriculum_increment": 0.4}
    parts = [chosen(cycle, None, curriculum="progressive", **given) for cycle in (1, 2, 3)]
    assert parts == ["bd", "bcdef", "abcdef"]


def test_an_adaptive_one_leaves_out_what_always_or_never_passes() -> None:
    stats = {
        "a": PromptStats(8, 8),
        "b": PromptStats(0, 8),
        "c": PromptStats(4, 8),
        "d": PromptStats(3, 8),
        "e": PromptStats(8, 8),
        "f": PromptStats(6, 8),
    }
    assert chosen(1, stats, curriculum="adaptive") == "abcdef"
    assert chosen(2, stats, curriculum="adaptive") == "cdf"


def test_a_historical_one_learns_from_an_earlier_run(tmp_path: Path) -> None:
    stats = stats_after({}, [sample("a", n) for n in range(8)])
    stats = stats_after(stats, [sample("b", n, passed=n < 4) for n in range(8)])
    file = tmp_path / "prompt_stats.json"
    file.write_text(stats_json(stats))
    given = {"curriculum": "historical", "curriculum_stats": file, "curriculum_share": 0.8}
    assert "a" not in chosen(1, read_stats(file), **given)
    assert read_stats(file) == {"a": (8, 8), "b": (4, 8)}


def test_a_historical_one_needs_statistics() -> None:
    with pytest.raises(UsageError, match="needs curriculum_stats"):
        RAFTConfig.of(curriculum="historical")


@pytest.mark.parametrize("text", [None, "[", '{"a": "b"}'])
def test_statistics_that_cannot_be_read_are_one_line(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "prompt_stats.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UsageError, match=r"give prompt_stats\.json of an earlier run$"):
        read_stats(file)
