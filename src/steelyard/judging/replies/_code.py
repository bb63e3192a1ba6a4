"""Take the program out of a model's reply, and make one of a completion."""

import ast
import re

from steelyard._arguments import checks_arguments
from steelyard._python_trees import python_tree
from steelyard.judging._entries import as_entry
from steelyard.judging.replies._taken import Taken
from steelyard.schemas import Entry, Task
from steelyard.toolchains import source_bytes

_SIGNS = re.compile(rb"```|~~~|</?(?i:think|answer>)")
_LONGEST_TAIL = 200
"""Bytes at the end that may hold an end token and white space."""
_ANSWER = re.compile(r"\[ANSWER\](.*?)(?:\[/ANSWER\]|\Z)", re.DOTALL)
_INDENT = "    "
_TAKES_ARGUMENTS = "def _given(*args, **named):\n    return args, named\n\n\n"


@checks_arguments
def code_of_reply(
    text: str | bytes, language: str | None = None, entry: str | Entry | None = None
) -> str:
    """Return the program that a model's reply holds.

    Reasoning is removed: `<think>` to `</think>`, in capitals too, or to the end of the text if it
    never closes; so are end tokens such as `<|im_end|>` at the end. Blocks in a block of Markdown
    count as blocks of the reply, and so does the text of `<answer>` to `</answer>` without a fence.
    A block that never closes ends with the text. A text without a block is the program as it is,
    and so is a program whose strings or comments hold fences.

    The program is the block with most evidence: it defines what the entry names, it needs no name
    that only another block defines, it parses, it reads or prints. Then come blocks in `<answer>`,
    blocks whose label fits the language, blocks without a label, and of equal ones the last.

    Args:
        text: The reply, or a program. Bytes are read as UTF-8.
        language: A name or alias from the language table. If it is None, a label of any language
            in the table fits.
        entry: How the program is entered, as for `judge`; None if that is not known.

    Returns:
        The program, empty if the reply holds none. Bytes that are not UTF-8 become surrogate
        escapes.

    Raises:
        LanguageError: if the language is unknown.
        UsageError: if the entry is unknown.
    """
    entry = None if entry is None else as_entry(entry)
    return take_code(source_bytes(text), language, entry).code.decode("utf-8", "surrogateescape")


def take_code(source: bytes, language: str | None, entry: Entry | None = None) -> Taken:
    """Return the program in a text, byte for byte, with a note on its position.

    Raises:
        LanguageError: if the language is unknown.
    """
    if not _SIGNS.search(source) and not source[-_LONGEST_TAIL:].rstrip().endswith(b">"):
        return Taken(source)
    from steelyard.judging.replies._choice import chosen  # few are replies  # noqa: PLC0415

    return chosen(source, language, entry) or Taken(source)


def program_of(task: Task, text: str) -> str:
    """Return the program that a completion of a task makes.

    1. A whole program is itself; the judge takes it out of its reply.
    2. A continuation follows what it continues. If it is a reply, its code may be the whole
       function in place of the rest, or the rest without its indentation. Without code there is
       no program.
    3. An expression, and the arguments of a call, become what the function `answer` returns.
    4. The task's ending follows each of them.

    Args:
        task: The task.
        text: The completion, which may be hostile.
    """
    program = _without_ending(task, text)
    return f"{program}\n{task.ending}" if task.ending and program else program


def _without_ending(task: Task, text: str) -> str:
    if task.completion == "program":
        return text
    if task.completion != "continuation":
        return _answering(text, arguments=task.completion == "arguments")
    before = task.starter_code or task.prompt
    entry = as_entry(task.entry)
    language = task.language or "python"
    taken = take_code(source_bytes(text), language, entry)
    code = taken.code.decode("utf-8", "surrogateescape")
    if not code.strip():
        return ""
    if language != "python":
        return _continued(before, code, closed=not task.ending.lstrip().startswith("}"))
    readings = [before + code]
    if taken.wrapped or not code.startswith((" ", "\t", "\n")):
        indented = "".join(f"{_INDENT}{line}" for line in code.splitlines(keepends=True))
        begun = before.rstrip()
        # The last two: the whole code lost its indentation, or its first line did (`strip`).
        readings += [f"{begun}\n\n\n{code}", code, f"{begun}\n{indented}"]
        readings.append(f"{begun}\n{_INDENT}{code}")
    return next((each for each in readings if _is_whole(each, entry.name)), readings[0])


def _continued(before: str, code: str, *, closed: bool) -> str:
    """Return what a function's head and the rest make, in a language of braces.

    Args:
        before: It ends with the head, on a line of its own.
        code: The rest, or the whole function after what it needs.
        closed: The brace that closes the function is part of the code.
    """
    above, _, head = before.rstrip().rpartition("\n")
    name, opened, _ = head.strip().partition("(")
    own, begins, rest = code.partition(f"{name}{opened}") if opened else (code, "", "")
    if begins:
        before, code = f"{above}\n{own}{begins}", rest
    return before + (code if closed else code.partition("\n}")[0])


def _is_whole(text: str, name: str) -> bool:
    """Tell whether a text is Python that defines a function."""
    try:
        body = python_tree(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if any(isinstance(node, ast.Return) for node in body):
        return False
    return not name or any(getattr(node, "name", "") == name for node in body)


def _answering(text: str, *, arguments: bool) -> str:
    """Return a program whose function `answer` returns what a completion states."""
    marked = _ANSWER.search(text)
    taken = take_code(source_bytes(marked[1] if marked else text), "python")
    answer = taken.code.decode("utf-8", "surrogateescape").strip()
    answer = _compared(answer, arguments=arguments) or answer
    if arguments:
        return f"{_TAKES_ARGUMENTS}answer = lambda: _given(\n{answer}\n)\n"
    return f"answer = lambda: (\n{answer}\n)\n"


def _compared(text: str, *, arguments: bool) -> str:
    """Return the value, or the arguments of the call, in `f(...) == value`; empty otherwise."""
    try:
        tree = python_tree(text.removeprefix("assert").strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    match tree.body:
        case [ast.Expr(ast.Compare(ast.Call() as call, [ast.Eq()], [value]))]:
            given = [*call.args, *call.keywords]
            return ", ".join(map(ast.unparse, given)) if arguments else ast.unparse(value)
        case [ast.Expr(ast.Call(func=ast.Name()) as call)] if arguments:
            return ", ".join(map(ast.unparse, [*call.args, *call.keywords]))
    return ""
