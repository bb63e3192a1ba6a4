"""Options of a run, and the file that holds them."""

import importlib.util
import re
from pathlib import Path

import pytest

from steelyard._installation import install_command, packages_command
from steelyard.errors import UsageError
from steelyard.schemas import TestSuite
from steelyard.training import RAFTConfig
from steelyard.training.raft import read_config
from steelyard.training.raft._libraries import check_libraries

WHOLE = """
model: some/model
prompts: prompts.jsonl
held_out: held_out.jsonl
verifier: {type: execution, entry: "function:f", test_cases: [{args: [1], expected: 2}]}
raft: {num_cycles: 3, temperature: 0.9, temperature_end: 0.5}
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "train.yaml"
    file.write_text(text)
    return file


def test_a_file_becomes_options_a_verifier_and_paths_beside_it(tmp_path: Path) -> None:
    config, verifier, prompts = read_config(written(tmp_path, WHOLE))
    assert (config.model, config.num_cycles) == ("some/model", 3)
    assert (config.held_out, prompts) == (tmp_path / "held_out.jsonl", tmp_path / "prompts.jsonl")
    assert isinstance(verifier.suite, TestSuite)
    assert verifier.entry.kind == "function"


def test_a_reward_policy_has_a_name(tmp_path: Path) -> None:
    text = "model: m\nprompts: p\nverifier: {language: python, reward: binary}"
    verifier = read_config(written(tmp_path, text)).verifier
    tests = [{"input": "", "expected": "1"}, {"input": "", "expected": "2"}]
    assert verifier.verify("print(1)", test_cases=tests).reward == 0.0


def test_the_command_s_cycles_reach_the_schedule(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, WHOLE), num_cycles=5).config
    temperatures = [round(config.temperature_of(cycle), 6) for cycle in range(1, 6)]
    assert temperatures == [0.9, 0.8, 0.7, 0.6, 0.5]


def test_paths_and_the_default_folder_are_beside_the_file(tmp_path: Path) -> None:
    text = "model: m\nprompts: p\nverifier: {language: c, binary_cache_dir: cache}"
    config, verifier, _ = read_config(written(tmp_path, text))
    assert config.output_dir == tmp_path / "raft"
    verifier.verify("int main() {}", test_cases=[{"input": "", "expected": ""}])
    assert (tmp_path / "cache").is_dir()
    assert RAFTConfig(model=tmp_path).model == str(tmp_path)  # type: ignore[arg-type]


def test_a_seed_that_is_drawn_is_known_and_stays() -> None:
    config = RAFTConfig(seed=None)
    assert config.fixed_seed() == config.seed == config.fixed_seed()
    assert config.shaping()["seed"] == config.seed


def test_a_list_of_one_may_be_a_text(tmp_path: Path) -> None:
    raft = "{report_to: wandb, stop: END, lora_target_modules: q_proj}"
    config = read_config(written(tmp_path, f"model: m\nprompts: p\nraft: {raft}")).config
    assert (config.report_to, config.stop) == (("wandb",), ("END",))
    assert config.lora_target_modules == ("q_proj",)
    assert RAFTConfig.of(lora_target_modules="all-linear").lora_target_modules is None


def test_shared_and_merged_objects_repeat_no_key(tmp_path: Path) -> None:
    text = "model: m\nprompts: p\nraft: {<<: &b {seed: 1, num_cycles: 2}, seed: 5}\n"
    config = read_config(written(tmp_path, text)).config
    assert (config.seed, config.num_cycles) == (5, 2)


def test_a_cycle_beyond_the_schedule_keeps_its_end() -> None:
    config = RAFTConfig(num_cycles=3, temperature=0.9, temperature_end=0.5)
    assert config.temperature_of(9) == 0.5


def test_a_model_beside_the_file_is_that_folder(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    file = written(tmp_path, "model: base\nprompts: p.jsonl\nheld_out: null\n")
    config = read_config(file).config
    assert config.model == str(tmp_path / "base")
    assert config.held_out is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model: [", "is not YAML"),
        ("- model", "must hold keys"),
        ("prompts: p.jsonl", "model is missing"),
        ("model: m", "prompts is missing"),
        ("model: m\nprompts: p\nrft: {}", "unknown key 'rft'; the nearest is 'raft'"),
        (
            "model: m\nprompts: p\nraft: {samples_per_promt: 4}",
            "raft has an unknown key 'samples_per_promt'; the nearest is 'samples_per_prompt'",
        ),
        (
            "model: {name: m}\nprompts: p",
            "model is missing or no text",
        ),
        (
            "model: m\nprompts: p\nverifier: {match_modes: exact}",
            "verifier has an unknown key 'match_modes'; the nearest is 'match_mode'",
        ),
        ("model: m\nprompts: p\nverifier: {type: compile}", "the only one is execution"),
        (
            "model: m\nprompts: p\nverifier: {match_mode: fuzzy}",
            "verifier: match_mode: .*got 'fuzzy'",
        ),
        (
            "model: m\nprompts: p\nverifier: {reward: best}",
            "verifier: unknown reward policy 'best'",
        ),
        ("model: m\nprompts: p\nraft: {num_cycles: 0}", "num_cycles: .*got 0"),
        ("model: m\nprompts: p\nraft: {keep: best}", "keep: .*got 'best'"),
        ("model: m\nprompts: p\nraft: {sampler: server, method: full}", "needs method lora"),
        ("a: &a [*a, *a]\nmodel: m", "unknown key 'a'"),
        ("model: m\nprompts: p\nmodel: n", 'train.yaml:3: the key "model" appears twice'),
        ("model: m\nprompts: p\nraft:\n  seed: 1\n  seed: 2", 'train.yaml:5: the key "seed"'),
        (
            "model: m\nprompts: p\nverifier: {limits: {cpu_ms: 0}}",
            "train.yaml: verifier: cpu_ms: .* got 0",
        ),
        (
            "model: m\nprompts: p\nraft: {server_url: 'file:///x'}",
            "server_url must begin with http",
        ),
        ("model: 2026-13-45", "is not YAML: month must be"),
        ("model: m\nprompts: p\nraft: {seed: -1}", "seed: .*got -1"),
        ("model: m\nprompts: p\nraft: {min_lr: 0.1}", "min_lr is 0.1, above learning_rate 5e-05"),
        ("model: m\nprompts: p\nraft: {report_to: 3}", "train.yaml: report_to: .* a list, got 3"),
        ("model: m\nprompts: p\nraft: {report_to: comet}", "report_to.*'tensorboard' or 'wandb'"),
    ],
)
def test_a_fault_in_a_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        read_config(written(tmp_path, text))
    assert "\n" not in str(raised.value)


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(UsageError, match="has over 16 MiB"):
        read_config(Path("/dev/zero"))


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_config(tmp_path / "train.yaml")


@pytest.mark.parametrize(
    ("present", "said"),
    [
        ({"wandb"}, f"torch is not installed; run: {install_command('train')}"),
        ({"torch"}, f"wandb is not installed; run: {packages_command('wandb')}"),
    ],
)
def test_a_missing_library_is_named_before_a_model_is_loaded(
    monkeypatch: pytest.MonkeyPatch, present: set[str], said: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name in present or None)
    with pytest.raises(UsageError, match=re.escape(said)):
        check_libraries(("wandb",))
