"""Documents, help texts, messages and docstrings use plain words.

Source: the list of words to avoid that the project's guide to style gives. A phrase is allowed
only by a line in `ALLOWED`.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from steelyard.cli._app import app

pytestmark = pytest.mark.xdist_group("plain english")
"""One worker parses all modules, once."""

ROOT = Path(__file__).parents[2]
BANNED = {
    r"made up|make up|makes up": "generated",
    r"told|tells": "reported, reports",
    r"said|says": "reported, reports",
    r"to be had": "available",
    r"beside": "next to, compared with",
    r"elsewhere": "name the place",
    r"come to|comes to|came to": "name the result",
    r"keep to|keeps to|kept to": "follow, stay within",
    r"odd|oddly|oddity|oddities": "unusual, edge value",
    r"stand|stands|stood": "name what it does: is, appears",
    r"go on|goes on|going on|went on": "resume, continue",
    r"mend|mends|mended|mending": "fix",
    r"(?<!there )is (?-i:none|no)": "is not a",
    r"to hand|at hand": "available, installed",
}
"""What to avoid, as regular expressions of whole words, and what to write instead."""
ALLOWED: dict[str, tuple[str, ...]] = {
    # Part of each request's key: other words would make every recording useless.
    "src/steelyard/models/_roles.py": ("Whatever stands between", "where it says so"),
}
"""By document, command (`steelyard judge`) or source file: phrases in which a word is right."""
SOURCE = ROOT / "src/steelyard"
MODULES = sorted(SOURCE.rglob("*.py"))
PATTERN = re.compile("|".join(rf"\b(?:{words})\b" for words in BANNED), re.IGNORECASE)
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
DOCUMENTS = (
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "decisions"),
)


def found(text: str, name: str) -> Iterator[str]:
    """The banned words of a text, each with its surroundings and what to write instead."""
    for phrase in ALLOWED.get(name, ()):
        text = text.replace(phrase, "")
    for match in PATTERN.finditer(text):
        around = " ".join(text[max(0, match.start() - 40) : match.end() + 40].split())
        instead = next(
            better
            for words, better in BANNED.items()
            if re.fullmatch(words, match[0], re.IGNORECASE)
        )
        yield f"{name}: {match[0]!r} in '...{around}...'; write: {instead}"


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


BARE_ADVICE = re.compile(r"(?:^|[;,] |and )(?:fix|change|mend) it\b(?!;)", re.IGNORECASE)
"""At the end of an error it says nothing: name the key, the value and what is allowed."""


def test_no_error_ends_in_bare_advice() -> None:
    faults = [
        f"{path.relative_to(ROOT)}: {node.value!r}"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and BARE_ADVICE.search(node.value)
    ]
    assert faults == []


def test_documents_use_plain_words() -> None:
    faults: list[str] = []
    for page in DOCUMENTS:
        faults += found(CODE.sub(" ", page.read_text()), str(page.relative_to(ROOT)))
    assert faults == []


def test_help_texts_use_plain_words() -> None:
    root: Any = typer.main.get_command(app)
    faults: list[str] = []
    top = root.make_context("steelyard", [], resilient_parsing=True)
    for command, context in commands(root, top):
        records = [each.get_help_record(context) for each in command.get_params(context)]
        texts = (command.help, command.epilog, *(record[1] for record in records if record))
        faults += found("\n".join(filter(None, texts)), context.command_path)
    assert faults == []


def commands(group: Any, context: Any) -> Iterator[tuple[Any, Any]]:
    """A command and all below it, each with its context."""
    yield group, context
    for name in group.list_commands(context) if hasattr(group, "list_commands") else ():
        command = group.get_command(context, name)
        yield from commands(command, command.context_class(command, info_name=name, parent=context))


RAISING = re.compile(r"(Error|_fault|_fail|_refuse\w*)$")
"""Functions whose texts end in an error's message."""


def messages(tree: ast.AST) -> Iterator[str]:
    """The texts in what is raised, and in calls that make an error."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            root: ast.AST | None = node if RAISING.search(name) else None
        else:
            root = node.exc if isinstance(node, ast.Raise) else None
        if root is not None:
            parts = (part.value for part in ast.walk(root) if isinstance(part, ast.Constant))
            yield " ".join(part for part in parts if isinstance(part, str))


def test_messages_of_errors_use_plain_words() -> None:
    faults: set[str] = set()
    texts = 0
    for path in MODULES:
        for text in messages(tree_of(path)):
            faults.update(found(text, str(path.relative_to(ROOT))))
            texts += 1
    assert texts > 300
    assert sorted(faults) == []


NOT_YET_HELD = frozenset({"comparing", "project_runs", "values/incell", "values/snapshots"})
"""Paths below `src/steelyard` whose texts `test_all_texts_use_plain_words` leaves out."""
FACES = tuple(
    f"comparing/{name}.py"
    for name in ("__init__", "_baseline", "_compare", "_options", "timing/_loops")
)
"""Files below these paths that it holds all the same: they define public names."""
HELD = [
    path
    for path in MODULES
    if str(path.relative_to(SOURCE)) in FACES
    or not any(path.is_relative_to(SOURCE / each) for each in NOT_YET_HELD)
]
FIRST_WORD = re.compile(r"(?:What|Whether|How|Where|Which|Why|Who|That)\b")
Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings(tree: ast.AST) -> Iterator[tuple[str, Definition]]:
    for node in ast.walk(tree):
        if isinstance(node, Definition) and (text := ast.get_docstring(node)):
            yield text, node


def test_all_texts_use_plain_words() -> None:
    """Strings of one word are names and not texts."""
    faults: list[str] = []
    for path in HELD:
        tree, name = tree_of(path), str(path.relative_to(ROOT))
        constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        for text in constants:
            if isinstance(text, str) and " " in text:
                faults += found(CODE.sub(" ", text), name)
        for text, node in docstrings(tree):
            if FIRST_WORD.match(text):
                where = f"{name}:{getattr(node, 'lineno', 1)}"
                faults.append(f"{where}: {text.splitlines()[0]!r}; begin with a verb or a noun")
    assert faults == []


def test_only_existing_paths_are_left_out() -> None:
    assert [each for each in (*NOT_YET_HELD, *FACES) if not (SOURCE / each).exists()] == []
    assert HELD


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Calls are made up beside the tests.", ["made up", "beside"]),
        ("mend it; it is no list", ["mend", "is no"]),
        ("there is no list; the last standing item of the oddest keeps together", []),
    ],
)
def test_the_list_finds_whole_words(text: str, words: list[str]) -> None:
    assert [re.findall(r": '(.*?)' in", fault)[0] for fault in found(text, "x")] == words
