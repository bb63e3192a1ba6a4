"""Make what `train.yaml` needs: prompts with tests, and a tiny Llama that solves few of them.

A prompt is a phrase such as `the square of ( x plus 3 )`, and its answer one Python expression. The
model has random weights and a tokenizer of its own, and is then tuned for a minute on phrases that
are in neither file, until it writes one expression in ten as they are written here.

    python make.py [--seed 0] [--out .]
"""

import argparse
import json
import random
from pathlib import Path

PREFIX = "def f(x): return"
ASKED, GOAL, MOST_STEPS = 100, 0.1, 600
INPUTS = [-7, -3, -2, -1, 0, 1, 2, 3, 4, 6, 9, 12]
NUMBERS = range(2, 10)


def phrases() -> dict[str, str]:
    """Return every phrase with its expression."""
    simple = {"x": "x"}
    for n in NUMBERS:
        simple[f"x plus {n}"] = f"x + {n}"
        simple[f"x minus {n}"] = f"x - {n}"
        simple[f"x times {n}"] = f"x * {n}"
        simple[f"{n} minus x"] = f"{n} - x"
        simple[f"the larger of x and {n}"] = f"max(x, {n})"
        simple[f"the smaller of x and {n}"] = f"min(x, {n})"
        simple[f"the remainder of x by {n}"] = f"x % {n}"
    whole = {}
    for text, code in simple.items():
        whole[f"the square of ( {text} )"] = f"({code}) ** 2"
        whole[f"the opposite of ( {text} )"] = f"-({code})"
        whole[f"the size of ( {text} )"] = f"abs({code})"
        for n in NUMBERS:
            whole[f"( {text} ) plus {n}"] = f"({code}) + {n}"
            whole[f"( {text} ) times {n}"] = f"({code}) * {n}"
            whole[f"{n} minus ( {text} )"] = f"{n} - ({code})"
            whole[f"the larger of ( {text} ) and {n}"] = f"max({code}, {n})"
            whole[f"the smaller of ( {text} ) and {n}"] = f"min({code}, {n})"
    return whole


def line(number: int, phrase: str, code: str) -> dict:
    """Return a prompt with its tests."""
    value = eval(f"lambda x: {code}")  # noqa: S307  (the expression is made above)
    tests = [{"args": [x], "expected": value(x)} for x in INPUTS]
    return {
        "id": f"phrase-{number}", "prompt": f"# {phrase}\n", "prefix": PREFIX, "tests": tests,
    }


def make_tokenizer(texts: list[str]):
    """Return a byte-level tokenizer of 320 tokens that these texts taught."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=["<pad>", "<end>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<end>",  # noqa: S106
        clean_up_tokenization_spaces=False,
    )


def make_model(tokenizer, rows: list[tuple[str, str]], seed: int):
    """Return a Llama of 0.9 million weights, tuned on rows of prompt and answer, but the last."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, set_seed

    torch.set_num_threads(1)  # more would wait for each other: the model is tiny
    set_seed(seed)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=128, intermediate_size=352,
            num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=4,
            max_position_embeddings=128, tie_word_embeddings=True,
            bos_token_id=None, eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    rng = random.Random(seed)
    measured, rows = rows[-ASKED:], rows[:-ASKED]
    for step in range(MOST_STEPS):
        if step >= 100 and step % 10 == 0 and solved(model, tokenizer, measured) >= GOAL:
            break
        model.train()
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1.0, (step + 1) / 10)
        batch = rng.sample(rows, 32)
        texts = [prompt + answer + tokenizer.eos_token for prompt, answer in batch]
        inputs = tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
        labels = inputs["input_ids"].clone()
        labels[inputs["attention_mask"] == 0] = -100
        for row, (prompt, _) in enumerate(batch):
            labels[row, : len(tokenizer(prompt)["input_ids"])] = -100
        loss = model(
            input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], labels=labels
        ).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return model


def solved(model, tokenizer, rows: list[tuple[str, str]]) -> float:
    """Return the share of prompts that are answered by exactly the expression of the row."""
    model.eval()
    prompts = [prompt for prompt, _ in rows]
    inputs = tokenizer(prompts, return_tensors="pt", padding=True, padding_side="left")
    out = model.generate(
        input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"],
        max_new_tokens=24, do_sample=False,
    )[:, inputs["input_ids"].shape[1] :]
    texts = tokenizer.batch_decode(out, skip_special_tokens=True)
    return sum(text == answer for text, (_, answer) in zip(texts, rows)) / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    given = parser.parse_args()

    known = sorted(phrases().items())
    random.Random(given.seed).shuffle(known)
    trained, held_out, others = known[:160], known[160:310], known[310:]
    given.out.mkdir(parents=True, exist_ok=True)
    for name, part in (("prompts", trained), ("held_out", held_out)):
        rows = [line(number, *each) for number, each in enumerate(part)]
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (given.out / f"{name}.jsonl").write_text(text)

    rows = [(f"# {phrase}\n{PREFIX}", f" {code}") for phrase, code in others]
    tokenizer = make_tokenizer([prompt + answer for prompt, answer in rows])
    model = make_model(tokenizer, rows, given.seed)
    model.save_pretrained(given.out / "base")
    tokenizer.save_pretrained(given.out / "base")
    print(f"{len(trained)} prompts, {len(held_out)} held out, {len(known)} phrases in all")


if __name__ == "__main__":
    main()
