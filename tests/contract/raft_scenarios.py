"""Runs of `RAFTTrainer` on a tiny model with random weights; the last line printed is JSON.

A program is a line of Python whose end is a comment, and the completion is the comment: so most
completions of such a model pass.
"""

import contextlib
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    LlamaModel,
    PreTrainedTokenizerFast,
    set_seed,
)

from steelyard import ExecutionVerifier, RAFTTrainer, SteelyardError
from steelyard.training import RAFTConfig
from steelyard.training.raft import check_training
from steelyard.training.raft._language_model import LanguageModel
from steelyard.training.raft._trainer import read_data

WORK = Path(sys.argv[1])
PROMPTS = [
    {
        "id": f"p{number}",
        "prompt": f"say {number}\n",
        "prefix": f"print({number})  # ",
        "tests": [{"input": "", "expected": f"{number}"}],
    }
    for number in range(6)
]
STAGES = ("sampling", "judging", "training", "evaluating")
VERIFIER = ExecutionVerifier(language="python")
BASE: dict[str, Any] = {
    "temperature_end": 0.6,
    "samples_per_prompt": 3,
    "max_new_tokens": 6,
    "sampling_batch_size": 6,
    "extraction": "whole",
    "method": "full",
    "train_epochs": 1,
    "train_batch_size": 4,
    "gradient_accumulation_steps": 1,
    "learning_rate": 1e-3,
    "warmup_steps": 0,
    "held_out": 0.34,
    "keep_per_prompt": 2,
    "lora_r": 4,
}


def make_model(folder: Path, *, seed: int = 0, hidden: int = 32) -> str:
    letters = {token: number for number, token in enumerate(["<pad>", "<end>"])}
    for token in sorted(pre_tokenizers.ByteLevel.alphabet()):
        letters.setdefault(token, len(letters))
    inner = Tokenizer(models.BPE(vocab=letters, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="<end>"
    )
    set_seed(seed)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=2,
            bos_token_id=None,
            eos_token_id=1,
            pad_token_id=0,
            tie_word_embeddings=True,
        )
    )
    model.generation_config.eos_token_id = list(range(1, 100))  # so most completions end in time
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


MODEL = make_model(WORK / "base")


def run(
    name: str, num_cycles: int = 2, *, resume: bool = False, prompts: Any = PROMPTS, **changes: Any
) -> Any:
    config = RAFTConfig.of(**{**BASE, "model": MODEL, "output_dir": WORK / name, **changes})
    return RAFTTrainer(VERIFIER, config).run(prompts, num_cycles, resume=resume)


def kept(name: str) -> list[str]:
    return [(WORK / name / f"cycle_{n}" / "kept.jsonl").read_text() for n in (1, 2)]


@contextlib.contextmanager
def patched(kind: Any, name: str, value: Any) -> Iterator[None]:
    had = getattr(kind, name)
    setattr(kind, name, value)
    try:
        yield
    finally:
        setattr(kind, name, had)


def fault(name: str, **changes: Any) -> dict[str, Any]:
    try:
        run(name, **changes)
    except SteelyardError as error:
        return {"kind": type(error).__name__, "said": str(error), "status": error.exit_status}
    return {"kind": "", "said": "", "status": 0}


def whole() -> Any:
    history = run("whole")
    folder = WORK / "whole"
    return {
        "passed": history.passed,
        "cycles": [each.model_dump(mode="json") for each in history.cycles],
        "files": sorted(each.name for each in folder.iterdir()),
        "models": sorted(each.parent.name for each in folder.glob("cycle_*/model")),
        "trainers": len(list(folder.glob("cycle_*/trainer"))),
        "report": (folder / "report.html").read_text().count("<svg"),
        "again": fault("whole"),
    }


def two_runs_are_equal() -> Any:
    run("twin")
    return kept("twin") == kept("whole")


def killed(stage: str) -> Any:
    """Kill a run at its first event of a stage, go on with it, and compare."""
    name = f"killed-{stage}"
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            run(name, on_event=lambda event: _kill(event, stage))
        os._exit(9)
    status = os.waitpid(child, 0)[1]
    folder = WORK / name
    before = {
        str(each.relative_to(folder)): each.read_bytes() for each in folder.glob("cycle_1/*.jsonl")
    }
    history = run(name, resume=True)
    return {
        "killed": os.WIFSIGNALED(status),
        "had": sorted(before),
        "kept_what_was_there": all(
            (folder / file).read_bytes().startswith(data) for file, data in before.items()
        ),
        "same": kept(name)[0] == kept("whole")[0],
        "passed": history.passed,
    }


def _kill(event: Any, stage: str, cycle: int = 1) -> None:
    if event.iteration == cycle and event.stage.startswith(stage):
        os.kill(os.getpid(), signal.SIGKILL)


def killed_before_the_model_is_open() -> Any:
    """Kill a run when it is about to open its model, resume it, and compare."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            run("killed-early", on_event=lambda event: _kill(event, "loading", 0))
        os._exit(9)
    killed = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    held = sorted(each.name for each in (WORK / "killed-early").iterdir())
    history = run("killed-early", resume=True)
    return {
        "killed": killed,
        "held": held,
        "passed": history.passed,
        "same": kept("killed-early") == kept("whole"),
    }


def killed_between_epochs() -> Any:
    """Kill a training in its second epoch, resume it, and compare."""
    unbroken = run("epochs", num_cycles=1, train_epochs=2)
    steps = len(unbroken.cycles[1].losses)
    second = f"training, step {steps // 2 + 1} of {steps}"
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            run(
                "killed-epochs",
                num_cycles=1,
                train_epochs=2,
                on_event=lambda event: _kill(event, second),
            )
        os._exit(9)
    killed = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    trained: list[str] = []
    history = run(
        "killed-epochs",
        num_cycles=1,
        train_epochs=2,
        resume=True,
        on_event=lambda event: trained.append(event.stage),
    )
    return {
        "killed": killed,
        "first_step": next(each for each in trained if each.startswith("training")),
        "second": second,
        "losses": history.cycles[1].losses,
        "unbroken": unbroken.cycles[1].losses,
    }


def a_curriculum_is_resumed() -> Any:
    """Kill a run with an adaptive curriculum in its second cycle, resume it, and compare."""
    never = [{**each, "tests": [{"input": "", "expected": "no"}]} for each in PROMPTS[:2]]
    # Without a comment most completions are no Python, and an empty one passes.
    often = [{**each, "prefix": str(each["prefix"])[:8]} for each in PROMPTS[3:]]
    given = {
        "prompts": [*never, PROMPTS[2], *often],
        "held_out": None,
        "curriculum": "adaptive",
        "samples_per_prompt": 8,
    }
    run("adaptive", **given)
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            run("killed-adaptive", on_event=lambda event: _kill(event, "cycle 1 is"), **given)
        os._exit(9)
    os.waitpid(child, 0)
    before = (WORK / "killed-adaptive/cycle_2").exists()
    run("killed-adaptive", resume=True, **given)
    return {
        "before": before,
        "same": kept("killed-adaptive") == kept("adaptive"),
        "prompts": [
            sorted({json.loads(line)["prompt"] for line in text.splitlines()})
            for text in (
                (WORK / f"killed-adaptive/cycle_{n}/samples.jsonl").read_text() for n in (1, 2)
            )
        ],
    }


def without_a_pad_token() -> Any:
    history = run("padless", model=stripped("base-padless", "pad_token"), num_cycles=1)
    whole = json.loads((WORK / "whole/cycle_1/cycle.json").read_text())
    return {
        "passed": history.passed,
        "notes": history.cycles[0].notes,
        "losses": history.cycles[1].losses,
        "with_one": whole["losses"],
    }


def stripped(name: str, *tokens: str) -> str:
    """Return a copy of the model whose tokenizer lacks special tokens."""
    folder = WORK / name
    shutil.copytree(MODEL, folder)
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        if (folder / file).exists():
            held = json.loads((folder / file).read_text())
            for token in tokens:
                held.pop(token, None)
            (folder / file).write_text(json.dumps(held))
    return str(folder)


def the_loss_is_on_completions_only() -> Any:
    config = RAFTConfig.of(**{**BASE, "model": MODEL})
    model = LanguageModel(config)
    (prompt, *_), _ = read_data(PROMPTS, VERIFIER, config)
    row = model.row(prompt, "abc")
    marked = [token for token, mark in zip(*row.values(), strict=True) if mark]
    return {
        "prompt": model.tokenizer.decode(row["input_ids"][: -len(marked)]),
        "completion": model.tokenizer.decode(marked),
    }


def stops() -> Any:
    """The letter that ends most completions of this model is left out."""
    config = RAFTConfig.of(**{**BASE, "model": MODEL, "stop": ("#", "x")})
    model = LanguageModel(config)
    (prompt, *_), _ = read_data(PROMPTS, VERIFIER, config)
    many = model.sample([prompt] * 200, 1.5, 0, 40)
    return {
        "held": sum("#" in each.text or "x" in each.text for each in many),
        "ended": sum(each.ended for each in many),
    }


def lora() -> Any:
    history = run("lora", method="lora", num_cycles=1)
    adapter = json.loads((WORK / "lora/cycle_1/model/adapter_config.json").read_text())
    on = run("lora", method="lora", num_cycles=2, resume=True)
    other = make_model(WORK / "other", seed=1)
    adapter_file = WORK / "lora/cycle_2/model/adapter_config.json"
    adapter_file.write_text(adapter_file.read_text().replace(MODEL, other))
    return {
        "base": adapter["base_model_name_or_path"] == MODEL,
        "passed": history.passed and on.passed,
        "other": fault("lora", method="lora", num_cycles=3, resume=True),
        "other_head": fault("lora", method="lora", model=other, resume=True),
        "adapter_as_model": run(
            "onward", method="lora", model=str(WORK / "lora/cycle_1/model"), num_cycles=1
        ).passed,
    }


def memory_runs_out() -> Any:
    """A model that has memory for two rows at once."""
    forward = LlamaModel.forward

    def small(self: Any, input_ids: Any = None, **rest: Any) -> Any:
        if input_ids is not None and input_ids.shape[0] > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(self, input_ids=input_ids, **rest)

    with patched(LlamaModel, "forward", small):
        history = run("small", num_cycles=1)
    cycle = history.cycles[1]
    return {
        "passed": history.passed,
        "batch": cycle.batch_size,
        "notes": [*history.cycles[0].notes, *cycle.notes],
        "losses": len(cycle.losses),
    }


def memory_runs_out_in_training() -> Any:
    """A model whose second step with four rows has no memory, and one that never had them."""
    forward = LlamaModel.forward
    shapes: list[tuple[int, int]] = []

    def small(self: Any, input_ids: Any = None, **rest: Any) -> Any:
        if self.training:
            shapes.append(tuple(input_ids.shape))
            if len(shapes) > 1 and input_ids.shape[0] > 2:
                raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(self, input_ids=input_ids, **rest)

    with patched(LlamaModel, "forward", small):
        broken = run("later", 1)
    unbroken = run("smaller", 1, train_batch_size=2, gradient_accumulation_steps=2)
    return {
        "shapes": shapes,
        "batch": broken.cycles[1].batch_size,
        "losses": broken.cycles[1].losses,
        "unbroken": unbroken.cycles[1].losses,
    }


class _Server(http.server.BaseHTTPRequestHandler):
    """A server of completions, as vLLM's answers: no adapter is loaded twice."""

    asked: ClassVar[list[Any]] = []
    loaded: ClassVar[set[str]] = set()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append([self.path, body])
        answer, status = b"Success", 200
        if self.path.endswith("/load_lora_adapter"):
            status = 400 if body["lora_name"] in self.loaded else 200
            self.loaded.add(body["lora_name"])
        if self.path.endswith("/unload_lora_adapter"):
            status = 200 if body["lora_name"] in self.loaded else 404
            self.loaded.discard(body["lora_name"])
        if self.path.endswith("/completions"):
            choice = {"text": f"c{body['seed'] % 5}\ud800", "finish_reason": "stop"}
            answer = json.dumps({"choices": [choice], "usage": {"completion_tokens": 2}}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        pass


def server() -> Any:
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{service.server_port}/v1"
    try:
        run("server", 1, method="lora", sampler="server", server_url=url)
        history = run("server", 2, method="lora", sampler="server", server_url=url, resume=True)
    finally:
        service.shutdown()
        service.server_close()
    paths = [path for path, _ in _Server.asked]
    loads = [body["lora_name"] for path, body in _Server.asked if "/load" in path]
    first = next(body for path, body in _Server.asked if path.endswith("/completions"))
    model = LanguageModel(RAFTConfig.of(**{**BASE, "model": MODEL}))
    last = next(body for path, body in reversed(_Server.asked) if path.endswith("/completions"))
    return {
        "passed": history.passed,
        "last_model": last["model"],
        "first": model.tokenizer.decode(first["prompt"]),
        "loads": loads,
        "loaded": sorted(_Server.loaded),
        "kept": (WORK / "server/cycle_1/kept.jsonl").read_text(),
        "paths": sorted(set(paths)),
        "gone": fault("gone", method="lora", sampler="server", server_url=url),
        "scheme": fault("file", method="lora", sampler="server", server_url="file:///etc"),
    }


def less_memory() -> Any:
    """Two cycles with all that saves memory: 16 bits, an adapter, activations computed again."""
    widths: list[int] = []
    forward = LlamaModel.forward

    def watched(self: Any, input_ids: Any = None, **rest: Any) -> Any:
        if not self.training:
            widths.append(input_ids.shape[1])
        return forward(self, input_ids=input_ids, **rest)

    with patched(LlamaModel, "forward", watched):
        history = run("less", method="lora", dtype="bfloat16", gradient_checkpointing=True)
    return {"passed": history.passed, "cached": widths.count(1) / len(widths)}


def not_a_number() -> Any:
    """A model that gives no numbers once it has learned for a cycle."""
    forward = LlamaModel.forward

    def diverging(self: Any, *given: Any, **rest: Any) -> Any:
        out = forward(self, *given, **rest)
        if self.training and (WORK / "nan/cycle_1/cycle.json").exists():
            out.last_hidden_state = out.last_hidden_state * torch.nan
        return out

    with patched(LlamaModel, "forward", diverging):
        found = fault("nan")
    models = [each.parent.name for each in (WORK / "nan").glob("cycle_*/model")]
    return found | {"models": models}


def faults() -> Any:
    broken = WORK / "broken"
    broken.mkdir()
    (broken / "config.json").write_text("{")
    endless = stripped("endless", "eos_token", "pad_token")
    impossible = [{**each, "tests": [{"input": "", "expected": "no"}]} for each in PROMPTS]
    found = {
        "no model": fault("a", model=str(WORK / "nowhere")),
        "broken": fault("b", model=str(broken)),
        "endless": fault("c", model=endless),
        "no template": fault("d", chat=True),
        "impossible": fault("e", prompts=impossible),
        "nan": not_a_number(),
        "too long": fault("g", max_length=3),
        "modules": fault("h", method="lora", lora_target_modules=("nowhere",)),
        "half": fault("i", dtype="float16"),
        "no system": fault("j", model=without_a_system_role(), system_prompt="Be brief."),
    }
    samples = (WORK / "e/cycle_1/samples.jsonl").read_bytes()
    found["impossible again"] = fault("e", prompts=impossible, resume=True)
    found["impossible again"]["sampled"] = (
        samples != (WORK / "e/cycle_1/samples.jsonl").read_bytes()
    )
    return found


def without_a_system_role() -> str:
    folder = WORK / "no-system"
    shutil.copytree(MODEL, folder)
    template = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    (folder / "chat_template.jinja").write_text(template)
    return str(folder)


def disk_full() -> Any:
    """The trained model cannot be saved once, then there is room."""
    save = LlamaForCausalLM.save_pretrained

    def full(self: Any, folder: Any, *given: Any, **rest: Any) -> None:
        if Path(folder).name == ".model.part":
            raise RuntimeError("I/O error: No space left on device (os error 28)")
        save(self, folder, *given, **rest)

    with patched(LlamaForCausalLM, "save_pretrained", full):
        first = fault("disk", num_cycles=1)
    stages: list[str] = []
    then = run("disk", 1, resume=True, on_event=lambda event: stages.append(event.stage))
    return {
        "first": first,
        "then": then.passed,
        "losses": len(then.cycles[1].losses),
        "trained": [each for each in stages if each.startswith("training")],
        "trainers": len(list((WORK / "disk").glob("cycle_*/trainer"))),
    }


def checked() -> Any:
    config = RAFTConfig.of(**{**BASE, "model": MODEL})
    report = check_training(PROMPTS, VERIFIER, config)
    return {"report": report.to_dict(), "text": str(report)}


def threshold() -> Any:
    wrong = [
        {**each, "tests": [*each["tests"], {"input": "", "expected": "no"}]} for each in PROMPTS
    ]
    history = run("threshold", prompts=wrong, keep="threshold", num_cycles=1)
    return {"wrong": history.cycles[1].kept_wrong, "notes": history.notes}


def as_documented() -> Any:
    """Train as halo-forge documents it: C++, and the tests of the first prompt for all."""
    rows = [
        {
            "prompt": f"print 25, {number}\n",
            "prefix": 'extern "C" int puts(const char *);\nint main() { puts("25"); } // ',
            "test_cases": [{"input": "5\n", "expected": "25"}],
        }
        for number in range(3)
    ]
    (WORK / "prompts_with_tests.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with (WORK / "prompts_with_tests.jsonl").open() as f:
        data = [json.loads(line) for line in f]
    verifier = ExecutionVerifier(test_cases=data[0].get("test_cases", []))
    config = RAFTConfig.of(
        **{**BASE, "model": MODEL, "output_dir": WORK / "documented", "held_out": None}
    )
    trainer = RAFTTrainer(verifier=verifier, config=config)
    prompts = [{"prompt": row["prompt"], "prefix": row["prefix"]} for row in data]
    history = trainer.run(prompts, num_cycles=2)
    return {"passed": history.passed, "rates": [each.pass_rate for each in history.cycles[1:]]}


def references() -> Any:
    """A run reports what its rows and its samples can teach."""
    rows = [
        {
            "schema_version": "1.0.0",
            "id": f"t{number}",
            "prompt": f"say {number}\n",
            "language": "python",
            "tests": [{"input": "", "expected": "1"}],
            "completion": "continuation",
            "starter_code": "print(1)  # ",
            "solutions": [{"source": f"print({number})"}],
        }
        for number in range(3)
    ]
    history = run("references", 1, prompts=rows, held_out=None)
    return {
        "rewards": history.rewards.to_dict(),
        "text": str(history),
        "notes": history.notes,
        "page": "without variance" in (WORK / "references/report.html").read_text(),
    }


def tensorboard() -> Any:
    run("tracked", 1, report_to=("tensorboard",))
    run("tracked", 2, report_to=("tensorboard",), resume=True)
    events = EventAccumulator(str(WORK / "tracked/tensorboard"))
    events.Reload()
    return {
        "names": events.Tags()["scalars"],
        "steps": [each.step for each in events.Scalars("loss")],
    }


def weights_and_biases() -> Any:
    """The real package without its service: figures go to a file."""
    os.environ["WANDB_MODE"] = "offline"
    history = run("biased", num_cycles=1, report_to=("wandb",))
    files = (WORK / "biased/wandb").glob("offline-run-*/*.wandb")
    return {"passed": history.passed, "bytes": [each.stat().st_size for each in files]}


def interrupted() -> Any:
    """The command is ended while it samples, and resumed as it says."""
    rows = "".join(f"{json.dumps(each)}\n" for each in PROMPTS)
    (WORK / "interrupted.jsonl").write_text(rows)
    raft = {name: value for name, value in BASE.items() if name != "held_out"}
    raft |= {"num_cycles": 1, "samples_per_prompt": 60}
    top = {"model": MODEL, "prompts": "interrupted.jsonl", "held_out": None, "raft": raft}
    file = WORK / "interrupted.yaml"
    file.write_text(json.dumps(top | {"output_dir": "interrupted"}))
    start = (
        f"import site, sys; sys.path[:] = {sys.path!r}; "
        "[site.addsitedir(each) for each in tuple(sys.path) if each.endswith('site-packages')]; "
        "from steelyard.cli import main; "
    )
    command = [sys.executable, "-c", start + "sys.exit(main())"]
    begun = subprocess.Popen([*command, "train", str(file)], stderr=subprocess.PIPE, text=True)
    samples = WORK / "interrupted/cycle_1/samples.jsonl"
    while not samples.exists() and begun.poll() is None:
        time.sleep(0.05)
    begun.terminate()
    said = begun.communicate(timeout=200)[1]
    return {
        "status": begun.returncode,
        "resume": said.splitlines()[-1],
        "wanted": f"resume with steelyard train {file} --resume {WORK / 'interrupted'}",
        "partial": 0 < len(samples.read_text().splitlines()) < 360,
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    found = {
        "whole": whole(),
        "equal": two_runs_are_equal(),
        "killed": {stage: killed(stage) for stage in STAGES},
        "killed_early": killed_before_the_model_is_open(),
        "killed_between_epochs": killed_between_epochs(),
        "curriculum": a_curriculum_is_resumed(),
        "padless": without_a_pad_token(),
        "loss": the_loss_is_on_completions_only(),
        "stops": stops(),
        "lora": lora(),
        "memory": memory_runs_out(),
        "memory_later": memory_runs_out_in_training(),
        "less_memory": less_memory(),
        "server": server(),
        "faults": faults(),
        "disk": disk_full(),
        "check": checked(),
        "threshold": threshold(),
        "documented": as_documented(),
        "references": references(),
        "tensorboard": tensorboard(),
        "wandb": weights_and_biases(),
        "interrupted": interrupted(),
    }
    sys.stdout.write(f"{json.dumps(found)}\n")
