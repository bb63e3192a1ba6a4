"""The program in a model's reply: what is taken, and what is left as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.errors import LanguageError, UsageError
from steelyard.judging import code_of_reply

REPLIES = Path(__file__).parents[2] / "corpus" / "replies"


def replies() -> Iterator[tuple[str, str, str, str | None, str]]:
    """Yield name, reply, language, entry, and the program that a careful reader takes from it."""
    for file in sorted(REPLIES.glob("*.txt")):
        for part in file.read_text(encoding="utf-8").split("%%% reply: ")[1:]:
            head, _, rest = part.partition("\n")
            reply, _, program = rest.partition("%%% program\n")
            name, language, *entry = head.split(" | ")
            yield f"{file.stem}: {name}", reply, language, *(entry or [None]), program.strip("\n")


def test_the_program_in_a_reply(subtests: pytest.Subtests) -> None:
    """Also when it is taken twice, and with line breaks of Windows."""
    for name, reply, language, entry, program in replies():
        with subtests.test(name):
            taken = code_of_reply(reply, language, entry)
            assert taken.strip("\n") == program
            assert code_of_reply(taken, language, entry).strip("\n") == program
            taken = code_of_reply(reply.replace("\n", "\r\n"), language, entry)
            assert taken.replace("\r\n", "\n").strip("\n") == program


def test_a_byte_order_mark_hides_no_fence() -> None:
    assert code_of_reply("\ufeff```python\nprint(1)\n```", "python") == "print(1)\n"
    assert code_of_reply("\ufeffprint(1)", "python") == "\ufeffprint(1)"


@pytest.mark.parametrize("tag", ["THINK", "Think", "THINKING", "thinking"])
def test_the_case_of_a_reasoning_tag_does_not_matter(tag: str) -> None:
    fenced = "```python\nprint(1)\n```"
    draft = "```python\nprint(0)\n```"
    for reply in (
        f"<{tag}>\n{draft}\n</{tag}>\n{fenced}",
        f"Well.\n<{tag}>{draft}</{tag.lower()}>\n{fenced}",
        f"{draft}\n</{tag}>\n{fenced}",
        f"<{tag}>no block</{tag}>\nprint(1)\n",
    ):
        assert code_of_reply(reply, "python") == "print(1)\n", reply


@pytest.mark.parametrize("label", ["markdown", "md", "Markdown"])
@pytest.mark.parametrize("fence", ["```", "````", "~~~~"])
def test_a_whole_answer_in_a_block_is_read_as_an_answer(label: str, fence: str) -> None:
    answer = "Here it is:\n\n```python\nprint(1)\n```\n\nIt prints 1."
    assert code_of_reply(f"{fence}{label}\n{answer}\n{fence}", "python") == "print(1)\n"
    draft = "```python\nprint(0)\n```"
    assert code_of_reply(f"{draft}\n{fence}{label}\n{answer}\n{fence}", "python") == "print(1)\n"
    deep = "".join(f"{'`' * n}md\n" for n in range(2_000, 3, -1)) + answer
    assert code_of_reply(deep, "python")


def test_bytes_keep_what_is_not_utf8() -> None:
    taken = code_of_reply(b"```python\nprint('\xff')\n```", "python")
    assert taken.encode("utf-8", "surrogateescape") == b"print('\xff')\n"


def test_without_a_language_any_known_label_fits() -> None:
    reply = "```sh\nmake\n```\n```java\nclass A {}\n```\n```text\nx\n```"
    assert code_of_reply(reply) == "class A {}\n"


def test_a_name_of_no_language_is_refused() -> None:
    with pytest.raises(LanguageError, match="cobol"):
        code_of_reply("```cobol\n```", "cobol")
    with pytest.raises(UsageError, match="must be str or bytes, got None"):
        code_of_reply(None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown entry 'main'; use stdio"):
        code_of_reply("x", "python", "main")


def test_an_end_token_is_removed_at_the_end_alone() -> None:
    for token in ("<|im_end|>", "<|eot_id|>", "</s>", "<\uff5cend\u2581of\u2581sentence\uff5c>"):
        assert code_of_reply(f"print(1)\n{token}\n {token}", "python") == "print(1)\n"
        inside = f"print('{token}')"
        assert code_of_reply(inside, "python") == inside
        assert code_of_reply(f"{inside}{token}", "python") == inside
    vector = "#include <vector>\n"
    assert code_of_reply(vector, "cpp") == vector


def test_without_an_entry_a_block_that_stands_by_itself_is_the_program() -> None:
    program, use = "class A:\n    def f(self): return 1\n", "print(A().f())\n"
    reply = f"```python\n{program}```\n```python\n{use}```"
    assert code_of_reply(reply, "python") == code_of_reply(reply) == program
    script = "print(int(input()) + 1)\n"
    reply = f"```python\n{script}```\n```python\n>>> 1 + 1\n2\n```"
    assert code_of_reply(reply, "python") == code_of_reply(reply) == script


def test_a_hostile_reply_is_read_in_one_pass() -> None:
    """A second pass for each mark would take hours here, and the suite ends a test long before."""
    units = [
        "`",
        "~",
        "```\n",
        "```python\n",
        '```python\n"""\n```\n',
        '"',
        '\\"',
        " ",
        "\n \t",
        "<think>",
        "</think>\n",
        "<think></think>",
        '```cpp\nR"a(',
        "/*",
        ": ```",
        "a.b[",
        "a = ",
        "<answer>",
        "</answer>\n",
        "<answer>x</answer>\n",
        "<|im_end|>",
        "</s> ",
        "- ",
        "1+",
        "x.",
        "```\nx = y\n```\n",
        "```python\ndef f(): pass\n```\n",
        "if x:\n  pass\nel",
    ]
    for unit in units:
        for language in ("python", "cpp"):
            text = "```\n" + unit * (300_000 // len(unit))
            assert len(code_of_reply(text, language)) <= len(text)
