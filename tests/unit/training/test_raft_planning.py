"""A plan refuses what a run would refuse, from the files alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard import ExecutionVerifier
from steelyard.errors import UsageError
from steelyard.training import RAFTConfig
from steelyard.training.raft import plan_training, read_config
from steelyard.training.raft._trainer import head_of, read_data

EXAMPLES = Path(__file__).parents[3] / "examples/training"
VERIFIER = ExecutionVerifier(language="python")
PROMPTS = [
    {"prompt": f"Print {number}.", "tests": [{"input": "", "expected": f"{number}"}]}
    for number in range(4)
]


def config(folder: Path, **changes: Any) -> RAFTConfig:
    return RAFTConfig.of(**{"model": "some/model", "output_dir": folder, **changes})


def begun(folder: Path) -> RAFTConfig:
    """Return the options of a run that the folder holds."""
    options = config(folder)
    head = head_of(options, VERIFIER, read_data(PROMPTS, VERIFIER, options))
    (folder / "run.json").write_text(json.dumps(head))
    return options


def test_a_folder_with_a_run_is_resumed_or_refused(tmp_path: Path) -> None:
    options = begun(tmp_path)
    assert plan_training(PROMPTS, VERIFIER, options, resume=True).prompts == 3
    with pytest.raises(UsageError, match="holds a run; resume it with --resume"):
        plan_training(PROMPTS, VERIFIER, options)


def test_a_run_with_other_options_is_named(tmp_path: Path) -> None:
    begun(tmp_path)
    with pytest.raises(UsageError, match=r"temperature is 0\.8 there and 0\.5 here"):
        plan_training(PROMPTS, VERIFIER, config(tmp_path, temperature=0.5), resume=True)


def test_a_plan_writes_nothing(tmp_path: Path) -> None:
    plan_training(PROMPTS, VERIFIER, config(tmp_path / "run"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="holds no run to resume"):
        plan_training(PROMPTS, VERIFIER, config(tmp_path / "run"), resume=True)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(UsageError, match="file is not a folder; choose another output_dir"):
            plan_training(PROMPTS, VERIFIER, config(path))


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 6),
        ({"samples_per_prompt": 1}, 3),
        ({"keep": "threshold"}, 12),
        ({"keep": "threshold", "keep_top_percent": 0.01}, 1),
        ({"curriculum": "progressive", "curriculum_start": 0.3}, 2),
    ],
)
def test_more_samples_than_a_cycle_can_keep_are_not_asked_for(
    tmp_path: Path, options: dict[str, Any], most: int
) -> None:
    enough = config(tmp_path, min_samples_per_cycle=most, **options)
    assert plan_training(PROMPTS, VERIFIER, enough).most_kept_per_cycle >= most
    with pytest.raises(UsageError, match=f"and cycle 1 keeps {most} at most"):
        plan_training(
            PROMPTS, VERIFIER, config(tmp_path, min_samples_per_cycle=most + 1, **options)
        )


def test_a_plan_counts_the_cycle_with_most_prompts(tmp_path: Path) -> None:
    plan = plan_training(PROMPTS, VERIFIER, config(tmp_path, curriculum="progressive"))
    assert (plan.samples_per_cycle, plan.most_kept_per_cycle) == (24, 6)
    assert plan.notes == ("by curriculum progressive, cycles have 1 to 3 prompts",)


def test_a_verifier_that_runs_no_test_is_refused(tmp_path: Path) -> None:
    compiles = ExecutionVerifier(language="python", compile_only=True)
    with pytest.raises(UsageError, match="compile_only, so no program passes a test"):
        plan_training(PROMPTS, compiles, config(tmp_path))


@pytest.mark.parametrize("name", ["phrases/train.yaml", "smollm2/train.yaml", "qwen-7b.yaml"])
def test_the_examples_configurations_are_read_whole(tmp_path: Path, name: str) -> None:
    file = EXAMPLES / name
    text = "".join(
        f'{{"prompt": "Print {n}.", "tests": [{{"input": "", "expected": "{n}"}}]}}\n'
        for n in range(569)
    )
    (tmp_path / "prompts.jsonl").write_text(text)
    read = read_config(file, output_dir=tmp_path, held_out=0.1, model="some/model")
    plan = plan_training(tmp_path / "prompts.jsonl", VERIFIER, read.config)
    assert (plan.prompts, plan.held_out) == (512, 57)
    assert plan.samples_per_cycle == 512 * read.config.samples_per_prompt
    assert read.config.num_cycles == (2 if "smollm2" in name else 6)


def test_a_path_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        plan_training(PROMPTS, VERIFIER, config(tmp_path, model=str(tmp_path / "nowhere")))
