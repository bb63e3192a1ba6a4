"""Fine-tune the model on the samples that a cycle kept, by TRL's `SFTTrainer`."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from steelyard.errors import TrainingError, UsageError
from steelyard.runs import disk_faults
from steelyard.schemas import Record
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._language_model import LanguageModel, Row, one_line
from steelyard.training.raft._libraries import library, within_memory


class Learned(Record):
    """The figures of one cycle's training."""

    losses: tuple[float, ...] = ()
    batch_size: int = 0
    """Rows of one forward pass."""
    notes: tuple[str, ...] = ()


def learn(
    model: LanguageModel,
    lessons: Sequence[Row],
    config: RAFTConfig,
    *,
    cycle: int,
    folder: Path,
    on_step: Callable[[int, int, float], None],
) -> Learned:
    """Train the model in place.

    A call that was interrupted continues after the last epoch that its folder holds. If memory runs
    out, the model is opened as it was before, and half as many rows are taken at once, with as many
    rows to a step as before.

    Args:
        model: The model.
        lessons: What it learns, as `LanguageModel.row` returns it.
        config: How.
        cycle: The cycle, from 1, which sets the learning rate and the order of rows.
        folder: For checkpoints within the training. It stays: the model is not saved yet.
        on_step: Called with the step, the number of steps and the loss.

    Raises:
        UsageError: if every lesson is too long.
        TrainingError: if the loss is not a number.
        ArtefactError: if a checkpoint cannot be written.
        InfrastructureError: if memory runs out for a single row.
    """
    rows = [row for row in lessons if len(row["input_ids"]) <= config.max_length]
    if not rows:
        raise UsageError(
            f"all {len(lessons)} kept samples are longer than max_length {config.max_length}; "
            "raise it, and resume"
        )
    long = len(lessons) - len(rows)
    notes = [f"{long} samples longer than max_length are not trained on"] if long else []
    most = min(config.train_batch_size, len(rows))
    with disk_faults(folder):
        losses, size = within_memory(
            partial(_train, model, rows, config, cycle, folder, on_step),
            most,
            model.restore,
            "row; lower max_length, set gradient_checkpointing, or take a smaller model; then "
            "resume",
        )
    if size < most:
        notes.append(f"memory ran out in training; {size} rows are taken at once")
    return Learned(losses=tuple(losses), batch_size=size, notes=tuple(notes))


def _train(
    model: LanguageModel,
    rows: Sequence[Row],
    config: RAFTConfig,
    cycle: int,
    folder: Path,
    on_step: Callable[[int, int, float], None],
    size: int,
) -> list[float]:
    trl, torch = library("trl"), library("torch")
    accumulated, warmup = steps_of(config, len(rows), size)
    seed, dtype = config.fixed_seed() + cycle, next(model.model.parameters()).dtype
    arguments = trl.SFTConfig(
        output_dir=str(folder),
        num_train_epochs=config.train_epochs,
        per_device_train_batch_size=size,
        gradient_accumulation_steps=accumulated,
        learning_rate=config.learning_rate_of(cycle),
        warmup_steps=warmup,
        max_length=config.max_length,
        completion_only_loss=True,
        activation_checkpointing=config.gradient_checkpointing,
        use_cpu=not torch.cuda.is_available(),
        seed=seed,
        data_seed=seed,
        save_strategy="epoch",
        save_total_limit=1,
        logging_steps=1,
        logging_nan_inf_filter=False,  # it would hide a loss that is not a number
        report_to="none",  # the run's own trackers get every step
        disable_tqdm=True,
        dataloader_pin_memory=torch.cuda.is_available(),
        bf16=dtype == torch.bfloat16,  # the numbers that the weights have
        fp16=dtype == torch.float16,
    )
    try:
        trainer = trl.SFTTrainer(
            model=model.model,
            args=arguments,
            train_dataset=library("datasets").Dataset.from_list(list(rows)),
            processing_class=model.tokenizer,
            callbacks=[_watch(cycle, on_step)],
        )
    except ValueError as error:  # such as for weights whose form cannot be trained
        raise UsageError(
            f"the model cannot be trained: {one_line(error)}; take another model"
        ) from error
    trainer.remove_callback(library("transformers").PrinterCallback)
    trainer.train(resume_from_checkpoint=_last_checkpoint(folder))
    # Steps before the checkpoint that an interrupted training continues from are in it, too.
    return [round(each["loss"], 6) for each in trainer.state.log_history if "loss" in each]


def steps_of(config: RAFTConfig, rows: int, size: int) -> tuple[int, int]:
    """Return the number of batches to a step, and of steps in which the learning rate rises.

    These are half of all steps at most: with few samples, the rate would never be reached.

    Args:
        config: How a model learns.
        rows: Rows to learn.
        size: Rows to a batch.
    """
    batches = math.ceil(rows / size)
    wanted = math.ceil(config.train_batch_size * config.gradient_accumulation_steps / size)
    accumulated = min(wanted, batches)
    steps = config.train_epochs * math.ceil(batches / accumulated)
    return accumulated, min(config.warmup_steps, steps // 2)


def _last_checkpoint(folder: Path) -> str | None:
    """Return the last checkpoint that was written whole."""
    found = sorted(
        (each for each in folder.glob("checkpoint-*") if (each / "trainer_state.json").exists()),
        key=lambda each: int(each.name.rpartition("-")[2]),
    )
    return str(found[-1]) if found else None


def _watch(cycle: int, on_step: Callable[[int, int, float], None]) -> Any:
    """Return a callback that reports each step, and ends at a loss that is not finite."""
    transformers = library("transformers")

    class Watch(transformers.TrainerCallback):  # type: ignore[misc, name-defined]
        def on_log(self, _args: Any, state: Any, _control: Any, **rest: Any) -> None:
            loss = (rest.get("logs") or {}).get("loss")
            if loss is None:
                return
            if not math.isfinite(float(loss)):
                raise TrainingError(
                    f"the loss of cycle {cycle} is {loss} at step {state.global_step}; the model "
                    "of the cycle before is kept: lower learning_rate, in another output_dir"
                )
            on_step(state.global_step, state.max_steps, float(loss))

    return Watch()
