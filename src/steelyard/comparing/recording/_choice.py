"""Choose the tests that can reach a function, by the names in the project's files.

1. Those of files that name the function, a method together with its class.
2. Those that name the function or its class alone, or what mentions either in the project's code.
3. Those that name what mentions that.
4. If there are none: every 16th file of tests, then every 4th. What each test calls, such as a
   hook of a plug-in, none of them names.
5. All tests.

Of a file of tests these are the functions and classes that have such a name in their text, or the
name of what has one there, such as a fixture or a list of parameters.

What mentions a name is the function or class around the mention. In a statement of a module, it is
each word of the line: `{"upper": do_upper}` makes `upper` a name of `do_upper`.
"""

import ast
import builtins
import keyword
import re
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import PurePosixPath

from steelyard.project_runs import Project, Subject
from steelyard.project_runs.incell.options import test_patterns

_FEW_TESTS = 40
"""Choosing among so few test functions saves nothing."""
_SAMPLES = (16, 4)
_TEXTS = (".py", ".rst", ".md", ".txt")
_WORD = re.compile(r"[^\W\d]\w*")
_BLOCK = re.compile(r"^([ \t]*)(?:async +def|def|class) +(\w+)")
_IMPORT = re.compile(r"^\s*(?:from|import)\b")
_TEST = re.compile(r"^[ \t]*(?:async +)?def +test", re.MULTILINE)
_PYTHONS_OWN = {*keyword.kwlist, *dir(builtins)}
_RENAMED = re.compile(r"(\w+) +as +(\w+)")


class TestChoice:
    """The project's tests, and ever more of them for one function.

    Args:
        project: Its files.
        subject: The function.
        others: Names of other functions that the tests shall reach too.
    """

    __test__ = False

    def __init__(self, project: Project, subject: Subject, others: Collection[str] = ()) -> None:
        self._code = dict(project.texts((".py",)))
        texts = project.texts(_TEXTS)
        self._words = {path: frozenset(_WORD.findall(text)) for path, text in texts}
        patterns = test_patterns(str(subject.root))
        self._files = {path for path in self._code if _matches(path, patterns)}
        owners = [part for part in subject.qualname.split(".") if not _is_special(part)]
        self._full = owners[-2:] or [subject.module.rpartition(".")[2]]
        self._others = {word for name in others for word in _WORD.findall(name.split(".")[-1])}
        self._sizes = {path: len(_TEST.findall(self._code[path])) for path in self._files}
        self.total = sum(self._sizes.values())

    def __iter__(self) -> Iterator[list[str]]:
        """Yield ever larger choices of files and of what is in files; all tests are the empty one.

        It comes last.
        """
        chosen: list[str] = []
        for groups in self._names() if self.total > _FEW_TESTS else ():
            wider = self._naming(groups)
            if chosen and self.count(wider) > self.count(chosen):
                yield chosen
            chosen = wider if self.count(wider) else chosen
        if chosen and self.count(chosen) < self.total:
            yield chosen
        samples = (sorted(self._files)[::step] for step in _SAMPLES if not chosen)
        yield from (sample for sample in samples if self.count(sample) > _FEW_TESTS)
        yield []

    def count(self, chosen: Collection[str]) -> int:
        """Return how many test functions a choice has, roughly."""
        return sum(self._sizes.get(name, 0) for name in chosen) if chosen else self.total

    def _names(self) -> Iterator[list[set[str]]]:
        """Yield groups of names: a file is chosen if it has one of each group."""
        if not self._others:
            yield [{name} for name in self._full]
        names = {*self._full, *self._others}
        for _ in range(2):
            names |= self._mentioning(names)
            yield [names]

    def _naming(self, groups: list[set[str]]) -> list[str]:
        """Return the files that have one name of each group, of those of tests only what has."""
        found: list[str] = []
        for path, words in self._words.items():
            if any(words.isdisjoint(each) for each in groups):
                continue
            tests = _tests_naming(self._code[path], groups[-1]) if path in self._files else {}
            sizes = {f"{path}::{name}": count for name, count in tests.items()}
            self._sizes |= sizes
            found += sizes or [path]
        return found

    def _mentioning(self, names: set[str]) -> set[str]:
        """Return the names of what mentions one of the names in the project's own code."""
        found: set[str] = set()
        for path in self._code.keys() - self._files:
            if not self._words[path].isdisjoint(names):
                found |= _around(self._code[path].splitlines(), names)
        return {name for name in found if len(name) > 1}


def _tests_naming(text: str, names: set[str]) -> dict[str, int]:
    """Return the tests and classes of a file that have one of the names, or of what has one there.

    Returns:
        Each with the number of test functions in it.
    """
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    lines, known = text.splitlines(), set(names)
    left = [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom)]
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {each.asname for each in node.names if each.asname and each.name in names}
    texts = {node: _text_of(node, lines) for node in left}
    words = {node: frozenset(_WORD.findall(text)) for node, text in texts.items()}
    found: dict[str, int] = {}
    while reached := [node for node in left if not words[node].isdisjoint(known)]:
        left = [node for node in left if node not in reached]
        for node in reached:
            known |= _defined_by(node)
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found[node.name] = len(_TEST.findall(texts[node]))
    return {name: count for name, count in found.items() if count}


def _text_of(node: ast.stmt, lines: list[str]) -> str:
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(each.lineno for each in decorators)])
    return "\n".join(lines[first - 1 : node.end_lineno])


def _defined_by(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return {node.name}
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return {each.id for each in names if isinstance(each.ctx, ast.Store)}


def _around(lines: list[str], names: set[str]) -> set[str]:
    """Return the names of the blocks around each mention, and the words of a module's own line."""
    found: set[str] = set()
    blocks: list[tuple[int, str]] = []
    for line in lines:
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        block = _BLOCK.match(line)
        if block or indent == 0:
            blocks = [each for each in blocks if each[0] < indent]
        words = set(_WORD.findall(line.partition("#")[0]))
        mentions = not words.isdisjoint(names)
        if mentions and _IMPORT.match(line):
            found |= {new for old, new in _RENAMED.findall(line) if old in names}
        elif mentions and blocks:
            found.add(next((name for _, name in reversed(blocks) if not _is_special(name)), ""))
        elif mentions and not block:
            found |= words - _PYTHONS_OWN
        if block:
            blocks.append((indent, block[2]))
    return found - {""}


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _matches(path: str, patterns: Collection[str]) -> bool:
    """Return whether pytest looks for tests in a file, as `python_files` has it."""
    name = PurePosixPath(path).name
    return any(fnmatch(path if "/" in each else name, each) for each in patterns)
