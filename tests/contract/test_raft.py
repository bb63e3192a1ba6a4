"""`RAFTTrainer` with the real libraries, on a tiny model; the original's defects are tests here."""

from pathlib import Path
from typing import Any

import pytest

from tests.peer_clients import run_client

pytestmark = [pytest.mark.exhaustive, pytest.mark.xdist_group("raft")]

PATHS = ("completions", "load_lora_adapter", "unload_lora_adapter")
SCENARIOS = Path(__file__).with_name("raft_scenarios.py")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("raft")
    script = SCENARIOS.read_text()
    return run_client("trl", script, str(folder), library=True, installer="trainers", most_s=850)


def test_a_run_keeps_every_cycle_s_figures_and_models(runs: Any) -> None:
    whole = runs["whole"]
    assert whole["passed"]
    assert [each["cycle"] for each in whole["cycles"]] == [0, 1, 2]
    assert {"history.json", "prompt_stats.json", "report.html", "run.json"} <= set(whole["files"])
    assert whole["models"] == ["cycle_1", "cycle_2"]
    assert whole["trainers"] == 0
    assert whole["report"] == 2


def test_only_programs_that_pass_are_learned_from(runs: Any) -> None:
    for cycle in runs["whole"]["cycles"][1:]:
        assert 0 < cycle["kept"] <= min(cycle["passed"], 2 * cycle["prompts"])
        assert cycle["kept_wrong"] == 0


def test_held_out_prompts_are_measured_before_and_after_each_cycle(runs: Any) -> None:
    assert [each["held_out"]["prompts"] for each in runs["whole"]["cycles"]] == [2, 2, 2]
    assert all(each["prompts"] == 4 for each in runs["whole"]["cycles"][1:])


def test_the_learning_rate_falls_by_cycle(runs: Any) -> None:
    rates = [each["learning_rate"] for each in runs["whole"]["cycles"][1:]]
    assert rates == pytest.approx([1e-3, 0.85e-3])


def test_the_cycles_of_the_call_reach_the_temperature(runs: Any) -> None:
    assert [each["temperature"] for each in runs["whole"]["cycles"][1:]] == pytest.approx(
        [0.8, 0.6]
    )


def test_signals_of_gaming_are_in_the_history(runs: Any) -> None:
    first, *others = (each["signals"] for each in runs["whole"]["cycles"])
    assert first is None
    assert [each["completions"] for each in others] == [12, 12]


def test_a_second_run_of_one_seed_keeps_the_same_samples(runs: Any) -> None:
    assert runs["equal"]


def test_a_folder_with_a_run_is_not_written_over(runs: Any) -> None:
    assert "resume it with --resume" in runs["whole"]["again"]["said"]


@pytest.mark.parametrize("stage", ["sampling", "judging", "training", "evaluating"])
def test_a_killed_run_goes_on_where_it_was(runs: Any, stage: str) -> None:
    found = runs["killed"][stage]
    assert found["killed"]
    assert found["had"]
    assert found["kept_what_was_there"]
    assert found["same"]
    assert found["passed"]


def test_a_run_that_was_killed_before_its_model_was_open_is_resumed(runs: Any) -> None:
    held = [".lock", "run.json"]
    assert runs["killed_early"] == {"killed": True, "held": held, "passed": True, "same": True}


def test_a_training_that_was_killed_keeps_the_losses_of_its_first_epoch(runs: Any) -> None:
    found = runs["killed_between_epochs"]
    assert found["killed"]
    assert found["first_step"].startswith(found["second"])
    assert found["losses"] == pytest.approx(found["unbroken"], rel=1e-4)


def test_an_adaptive_curriculum_goes_on_with_what_it_knew(runs: Any) -> None:
    found = runs["curriculum"]
    assert not found["before"]
    assert [len(each) for each in found["prompts"]] == [6, 3]
    assert found["same"]


def test_the_end_token_pads_if_the_tokenizer_has_no_pad_token(runs: Any) -> None:
    found = runs["padless"]
    assert found["passed"]
    assert found["notes"] == ["the tokenizer has no pad token; its end token pads"]
    assert found["losses"] == found["with_one"]


def test_a_command_that_is_ended_says_how_to_resume(runs: Any) -> None:
    found = runs["interrupted"]
    assert found["status"] == 143
    assert found["resume"] == found["wanted"]
    assert found["partial"]


def test_the_loss_is_taken_on_completions_alone(runs: Any) -> None:
    assert runs["loss"] == {"prompt": "say 0\nprint(0)  # ", "completion": "abc<end>"}


def test_a_completion_ends_at_a_stop(runs: Any) -> None:
    assert runs["stops"]["held"] == 0
    assert runs["stops"]["ended"] > 190


def test_an_adapter_is_trained_saved_and_taken_up_again(runs: Any) -> None:
    assert runs["lora"]["base"]
    assert runs["lora"]["passed"]
    assert runs["lora"]["adapter_as_model"]


def test_an_adapter_of_another_model_is_refused(runs: Any) -> None:
    assert "is an adapter of" in runs["lora"]["other"]["said"]
    assert "holds another run: model is" in runs["lora"]["other_head"]["said"]


def test_less_is_done_at_once_if_memory_runs_out(runs: Any) -> None:
    found = runs["memory"]
    assert found["passed"]
    assert found["batch"] == 2
    assert any("completions are sampled at once" in note for note in found["notes"])
    assert any("2 rows are taken at once" in note for note in found["notes"])


def test_training_begins_afresh_if_memory_runs_out_in_it(runs: Any) -> None:
    found = runs["memory_later"]
    assert found["batch"] == 2
    assert found["losses"] == pytest.approx(found["unbroken"], rel=1e-4)


def test_rows_are_no_longer_than_the_longest_of_their_batch(runs: Any) -> None:
    assert runs["memory_later"]["shapes"]
    assert all(width < 40 for _, width in runs["memory_later"]["shapes"])


def test_options_that_save_memory_keep_the_cache_of_sampling(runs: Any) -> None:
    assert runs["less_memory"]["passed"]
    assert runs["less_memory"]["cached"] > 0.5


def test_a_server_samples_and_loads_each_cycle_s_adapter(runs: Any) -> None:
    found = runs["server"]
    assert found["passed"]
    assert found["paths"] == [f"/v1/{each}" for each in PATHS]
    assert found["first"] in [f"say {n}\nprint({n})  # " for n in range(6)]
    first, resumed, second = found["loads"]
    assert first == resumed
    assert (first.endswith("-cycle_1"), second.endswith("-cycle_2")) == (True, True)
    assert found["last_model"] == second
    assert found["loaded"] == [second]
    assert '"c' in found["kept"]


@pytest.mark.parametrize(
    ("name", "kind", "said", "status"),
    [
        ("no model", "UsageError", "there is no folder", 2),
        ("broken", "UsageError", "cannot be opened as a causal language model", 2),
        ("endless", "UsageError", "has no end token", 2),
        ("no template", "UsageError", "has no chat template; set chat to false", 2),
        ("impossible", "TrainingError", "cycle 1 keeps 0 of 12 samples", 1),
        ("nan", "TrainingError", "the loss of cycle 2 is nan", 1),
        ("too long", "UsageError", "the longest prompt has", 2),
        ("modules", "UsageError", "lora_target_modules", 2),
        ("half", "UsageError", "float16, which only a GPU trains; set dtype: float32", 2),
        ("no system", "UsageError", "cannot render a prompt: no system; change system_prompt", 2),
        ("impossible again", "TrainingError", "cycle 1 keeps 0 of 12 samples", 1),
    ],
)
def test_a_fault_is_one_line(runs: Any, name: str, kind: str, said: str, status: int) -> None:
    found = runs["faults"][name]
    assert (found["kind"], found["status"]) == (kind, status)
    assert said in found["said"]
    assert "\n" not in found["said"]


def test_the_last_good_model_stays_if_the_loss_is_no_number(runs: Any) -> None:
    assert runs["faults"]["nan"]["models"] == ["cycle_1"]


def test_a_resumed_run_asks_for_as_many_samples_and_samples_no_more(runs: Any) -> None:
    assert runs["faults"]["impossible again"]["sampled"] is False


def test_servers_that_are_gone_are_named(runs: Any) -> None:
    assert "start the server, then resume" in runs["server"]["gone"]["said"]
    assert "server_url must begin with http" in runs["server"]["scheme"]["said"]


def test_a_full_disk_is_one_line_and_the_run_goes_on(runs: Any) -> None:
    assert runs["disk"]["first"]["kind"] == "ArtefactError"
    assert "free disk space, then resume" in runs["disk"]["first"]["said"]
    assert runs["disk"]["then"]
    assert (runs["disk"]["trained"], runs["disk"]["trainers"]) == ([], 0)
    assert runs["disk"]["losses"] > 0


def test_a_check_samples_and_judges_without_learning(runs: Any) -> None:
    report = runs["check"]["report"]
    assert report["passed"]
    assert report["tried"] == 12
    assert "would be kept" in runs["check"]["text"]
    rewards = report["rewards"]
    assert (rewards["rows"], rewards["references"], rewards["completions"]) == (6, 0, 12)
    assert (rewards["groups"], rewards["unjudged"], rewards["flaky"]) == (4, 0, [])


def test_a_run_reports_the_health_of_its_rewards(runs: Any) -> None:
    rewards = runs["references"]["rewards"]
    assert (rewards["rows"], rewards["references"]) == (3, 3)
    assert rewards["failing"] == ["t0", "t2"]
    assert (rewards["completions"], rewards["groups"]) == (9, 3)
    assert "the reference of 2 of 3 (t0, t2) fails" in runs["references"]["text"]
    assert runs["references"]["notes"][0].startswith("t0: compiled; 0 of 1 tests passed")
    assert runs["references"]["page"]


def test_the_documented_block_trains(runs: Any) -> None:
    assert runs["documented"]["passed"]
    assert all(rate > 0.5 for rate in runs["documented"]["rates"])


def test_the_original_s_rule_keeps_wrong_programs_and_says_so(runs: Any) -> None:
    assert runs["threshold"]["wrong"] > 0
    assert "keeps programs that are wrong" in runs["threshold"]["notes"][0]


def test_tensorboard_gets_losses_and_the_figures_of_cycles(runs: Any) -> None:
    found = runs["tensorboard"]
    assert found["steps"] == list(range(1, 1 + len(found["steps"])))
    assert len(found["steps"]) >= 4
    assert {"cycle/pass_rate", "cycle/held_out_pass_at_1", "gaming/repeated"} <= set(found["names"])


def test_weights_and_biases_gets_a_run(runs: Any) -> None:
    found = runs["wandb"]
    assert found["passed"]
    assert len(found["bytes"]) == 1
    assert found["bytes"][0] > 0
