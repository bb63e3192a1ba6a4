"""Choose the program among the blocks of a reply, by the evidence that a block is the program.

1. A block that defines what the entry names, as syntax, beats one that does not.
2. A block that needs a name which only another block defines is an example of its use.
3. For standard input, a whole program reads and prints; in a language with `main` it has that.
4. Comments, sessions of an interpreter, shell lines and sample data do neither.
5. Of equal blocks, those in `<answer>` come first, then those whose label fits, then the last.

Nothing is compiled or run. Python is parsed; other languages are read by their words, without
strings and comments. All takes time linear in the reply.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from steelyard._python_trees import python_tree
from steelyard.errors import LanguageError
from steelyard.judging.replies._blocks import (
    BLANK_LINES,
    FencedBlock,
    UnendedError,
    marks_outside,
    read_reply,
    without_end_tokens,
    without_escapes,
)
from steelyard.judging.replies._taken import Taken
from steelyard.schemas import Entry
from steelyard.toolchains import language_called, language_table

_BOM = "\ufeff"
_STARTS_AS_REPLY = re.compile(r"\s*(?:```|~~~|<(?i:think|answer>))")
_MOST_CHARS = 1 << 16
"""Of a block that is parsed: a tree takes up to 1.8 KiB for each word. A longer one is searched."""
_READS = frozenset({"input", "sys.stdin", "os.read", "os.fdopen", "fileinput.input"})
_PRINTS = frozenset({"print", "sys.stdout", "os.write"})
_OWN_INPUT = "a text in place of sys.stdin"
_STANDARD_INPUT = (0, "/dev/stdin")
"""What a program may open to read its input; other files are its own business."""
_BUILTINS = frozenset(dir(builtins)) | {"__file__"}
_SOLUTION = "Solution"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)
_READ = re.compile(r"\binput[ \t]*\(|\bsys\.stdin\b")
_UNREAD = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_MAIN = re.compile(r"\bmain\s*\(")
_INPUT = re.compile(
    r"\b(?:cin|scanf|getline|getchar\w*|f?gets|fread|mmap|read\w*|[Ss]tdin|Scanner|Scan\w*)\b"
    r"|\bSystem\.in\b"
)
_BODY = re.compile(r"\b(\w+)\s*\([^;{}()]*\)\s*(?:const\s*)?\{")
_BOUND = re.compile(r"\b(\w+)\s*=|#\s*define\s+(\w+)")
_CALL = re.compile(
    r"(?:^|[;{}(,=!<+\-/%?:|]|\b(?:return|else)\s)[ \t]*(\w+)(?=\s*\()", re.MULTILINE
)
"""A call, and no declaration: a type is before neither."""
_OUTPUT = re.compile(r"\b(?:console|stdout|write\w*|print\w*)\b")


def chosen(source: bytes, language: str | None, entry: Entry | None) -> Taken | None:
    """Return the program in a reply, or None if the text is a program as it is.

    Raises:
        LanguageError: if the language is unknown.
    """
    name = language and _named(language)
    text = source.decode("utf-8", "surrogateescape").removeprefix(_BOM)
    reply = without_end_tokens(text)
    unended = None if reply is text else Taken(_encoded(reply), "an end token was removed")
    if any(_is_program(reply, each) for each in ([name] if name else ["python", "cpp"])):
        return unended
    content = read_reply(reply, name or "python")
    if content.blocks:
        return _taken(content.blocks, name, entry)
    if content.answer:
        rest = reply[content.answer :]
        blank = BLANK_LINES.match(rest)
        rest = rest[blank.end() if blank else 0 :]
        return Taken(_encoded(rest), "the reply's reasoning was removed", wrapped=True)
    return unended


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _named(language: str) -> str:
    name = language_called(language)
    if name is None:
        raise LanguageError(f"unknown language {language!r}; run `steelyard languages` for a list")
    return name


def _is_program(text: str, language: str) -> bool:
    """Tell whether each fence in a text is in a string or a comment, as never in prose."""
    if _STARTS_AS_REPLY.match(text):
        return False
    try:
        return next(marks_outside(text, without_escapes(text), 0, language), None) is None
    except UnendedError:
        return False


def _taken(blocks: list[FencedBlock], language: str | None, entry: Entry | None) -> Taken:
    """Return the block with most evidence; of equal ones the last."""
    full = [index for index, block in enumerate(blocks) if block.text.strip()]
    best = full[-1] if full else len(blocks) - 1
    if len(full) > 1:
        found = evidence_of([blocks[index] for index in full], language, entry)
        ranks = {
            index: (evidence, blocks[index].answers, _fit(blocks[index], language), index)
            for index, evidence in zip(full, found, strict=True)
        }
        best = max(full, key=ranks.__getitem__)
    block = blocks[best]
    label = f"`{block.label}` " if block.label else ""
    note = (
        f"judged fenced {label}block {best + 1} of {len(blocks)} of the reply"
        if block.fenced
        else "judged the text in `<answer>` of the reply"
    )
    return Taken(_encoded(block.text), note, block.language or "", block.fenced, wrapped=True)


def _fit(block: FencedBlock, language: str | None) -> int:
    """Return the rank of a block: its label fits, it has no label, or neither."""
    if block.language and language in (None, block.language):
        return 3
    if language and block.language in language_table().row(language).mislabelled:
        return 2
    return 0 if block.label else 1


Evidence = tuple[int, int]
"""Ranks of a block: as the definition of what the entry names, and as a program."""


class _Program(IntEnum):
    """Ranks of a block as a program."""

    NOT = 0
    EXAMPLE = 1
    """It works with names of other blocks alone."""
    PARTLY = 2
    """It parses, and reads or prints."""
    BROKEN_READER = 3
    """It does not parse, and reads: what others print may be a trace of it."""
    WHOLE = 4


class _Defines(IntEnum):
    """Ranks of a block as the definition of what the entry names."""

    NOT = 0
    STUB = 1
    """Without a body, without the method, imported, or any other value than a lambda."""
    BROKEN = 2
    REALLY = 3


@dataclass(frozen=True, slots=True)
class _BlockNames:
    """The names by which the blocks of a reply hang together."""

    offers: frozenset[str] = frozenset()
    """Names that other blocks may need."""
    needs: frozenset[str] = frozenset()
    """Names that it uses, and neither binds nor imports from the standard library."""


@dataclass(frozen=True, slots=True)
class _Python(_BlockNames):
    """Facts of a Python block."""

    defines: _Defines = _Defines.NOT
    parses: bool = False
    reads: bool = False
    prints: bool = False
    has_definition: bool = False


def evidence_of(
    blocks: Sequence[FencedBlock], language: str | None, entry: Entry | None
) -> list[Evidence]:
    """Return the evidence for each block that it is the program.

    Args:
        blocks: The blocks; hostile.
        language: The program's language; None is that of each block's label, else Python.
        entry: How the program is entered; None if that is not known.
    """
    found: list[Evidence] = [(0, 0)] * len(blocks)
    facts: dict[int, _BlockNames] = {}
    for index, block in enumerate(blocks):
        spoken = language_table().row(language or block.language or "python")
        is_foreign = block.language not in (None, spoken.name, *spoken.mislabelled)
        if spoken.name == "python":
            read = _python(block.text, entry)
            if read.parses or not is_foreign:
                facts[index] = read
        elif not is_foreign:
            text = _UNREAD.sub(" ", block.text)
            found[index] = (0, _by_words(text, has_main=spoken.has_main))
            if spoken.has_main:
                facts[index] = _compiled_names(text)
    offered = frozenset[str]().union(*(each.offers for each in facts.values()))
    for index, each in facts.items():
        is_alone = not each.needs & offered
        if isinstance(each, _Python):
            found[index] = _weight(each, entry, is_alone=is_alone)
        elif not is_alone:
            found[index] = (0, min(found[index][1], _Program.EXAMPLE))
    return found


def _weight(facts: _Python, entry: Entry | None, *, is_alone: bool) -> Evidence:
    if facts.defines:
        return facts.defines, int(is_alone)
    kind = entry.kind if entry else None
    if not facts.parses:
        is_reader = facts.reads and kind == "stdio"
        return _Defines.NOT, _Program.BROKEN_READER if is_reader else _Program.NOT
    talks = facts.reads or facts.prints
    defines = facts.has_definition
    is_program = talks if kind == "stdio" else defines or (kind is None and talks)
    if not is_program:
        return _Defines.NOT, _Program.NOT
    if not is_alone:
        return _Defines.NOT, _Program.EXAMPLE
    is_whole = (facts.reads and facts.prints) or kind not in (None, "stdio")
    return _Defines.NOT, _Program.WHOLE if is_whole else _Program.PARTLY


def _by_words(text: str, *, has_main: bool) -> _Program:
    """Return the evidence in a text without comments, of a language that is not parsed here."""
    reads, prints = _INPUT.search(text) is not None, _OUTPUT.search(text) is not None
    if has_main:
        if _MAIN.search(text):
            return _Program.WHOLE if reads else _Program.PARTLY
        talks = False
    else:
        talks = reads or prints
    if talks:
        return _Program.WHOLE if reads and prints else _Program.PARTLY
    return _Program.NOT


def _compiled_names(text: str) -> _BlockNames:
    """Return the functions that a text has, and those that it calls and has not."""
    own = frozenset(_BODY.findall(text))
    bound = {name for pair in _BOUND.findall(text) for name in pair}
    return _BlockNames(own - {"main"}, frozenset(_CALL.findall(text)) - own - bound)


def _python(text: str, entry: Entry | None) -> _Python:
    name, _, method = (entry.name if entry else "").partition(".")
    try:
        if len(text) > _MOST_CHARS:
            return _searched(text, name)
        tree = python_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _searched(text, name)
    statements = list(_statements(tree))
    channels = frozenset(_channels(tree))
    return _Python(
        defines=_defines_entry(statements, name, method) if name else _Defines.NOT,
        offers=frozenset(_offers(statements)),
        parses=True,
        needs=_needs(tree),
        reads=not channels.isdisjoint(_READS) and _OWN_INPUT not in channels,
        prints=not channels.isdisjoint(_PRINTS),
        has_definition=any(isinstance(each, _DEFINITIONS) for each in statements),
    )


def _searched(text: str, name: str) -> _Python:
    """Return the facts of a text that does not parse, by its words."""
    offers = frozenset(_DEFINITION.findall(text))
    return _Python(
        offers,
        defines=_Defines.BROKEN if name in offers else _Defines.NOT,
        reads=_READ.search(text) is not None,
    )


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the statements of a module and of its branches and loops, not those of functions."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _DEFINITIONS):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                todo += getattr(node, field, ())


def _assigned(node: ast.AST) -> Iterator[str]:
    """Yield the names that an assignment binds."""
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for each in ast.walk(target):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    yield each.id


def _offers(statements: Sequence[ast.AST]) -> Iterator[str]:
    for node in statements:
        if isinstance(node, _DEFINITIONS):
            yield node.name
        yield from _assigned(node)


def _defines_entry(statements: Sequence[ast.AST], name: str, method: str) -> _Defines:
    """Return the rank for an entry, where a function is taken for a method of `Solution`."""
    found = _defines(statements, name, method)
    if not found and name == _SOLUTION:
        return _defines(statements, method, "")
    if not found and not method:
        return _defines(statements, _SOLUTION, name)
    return found


def _defines(statements: Sequence[ast.AST], name: str, method: str) -> _Defines:
    """Return the rank of statements as the definition of a function, or of a class's method."""
    found = _Defines.NOT
    for node in statements:
        if isinstance(node, ast.ClassDef) and node.name == name and method:
            own = _defines(node.body, method, "")
            least = _Defines.REALLY if node.bases else _Defines.STUB
            found = max(found, own or least)
        elif isinstance(node, _DEFINITIONS) and node.name == name:
            found = max(found, _Defines.STUB if _is_stub(node) else _Defines.REALLY)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if any((alias.asname or alias.name) == name for alias in node.names):
                found = max(found, _Defines.STUB)
        elif name in _assigned(node):
            is_function = isinstance(getattr(node, "value", None), ast.Lambda)
            found = max(found, _Defines.REALLY if is_function else _Defines.STUB)
    return found


def _is_stub(node: ast.AST) -> bool:
    """Tell whether a body holds nothing but a docstring, `pass`, `...` or a `raise`."""
    return all(
        isinstance(each, ast.Pass | ast.Raise)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in getattr(node, "body", ())
    )


def _channels(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module uses, those of modules as `sys.stdin`, and `_OWN_INPUT`."""
    modules = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                yield name
            case ast.Attribute(value=ast.Name(id=base), attr=name):
                yield f"{modules.get(base, base)}.{name}"
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Call(func=ast.Name(id="open"), args=[ast.Constant(value=file), *_]) if (
                file in _STANDARD_INPUT
            ):
                yield "sys.stdin"
            case ast.Assign(
                targets=[ast.Attribute(attr="stdin")],
                value=ast.Call(func=ast.Name(id="StringIO") | ast.Attribute(attr="StringIO")),
            ):
                yield _OWN_INPUT


def _needs(tree: ast.Module) -> frozenset[str]:
    """Return the names that a module uses, and neither binds nor imports from the library."""
    bound: set[str] = set(_BUILTINS)
    loaded: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (loaded if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                if alias.name == "*":  # it may bind any name
                    return frozenset()
                origin = (module or alias.name).partition(".")[0]
                target = bound if origin in sys.stdlib_module_names else loaded
                target.add(alias.asname or alias.name.partition(".")[0])
        elif not isinstance(node, ast.alias | ast.keyword):
            for field in ("name", "arg", "rest"):
                if isinstance(name := getattr(node, field, None), str):
                    bound.add(name)
    return frozenset(loaded - bound)
