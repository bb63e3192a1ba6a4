"""Choose the test files that can reach a function, by the names in the project's files.

1. The files that name the function, a method together with its class.
2. Those that name the function or its class alone, or what mentions either in the project's code.
3. Those that name what mentions that.
4. All files.

What mentions a name is the function or class around the mention. In a statement of a module, it is
each word of the line: `{"upper": do_upper}` makes `upper` a name of `do_upper`.
"""

import builtins
import keyword
import re
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import PurePosixPath

from steelyard.project_runs import Project, Subject
from steelyard.project_runs.incell.options import test_patterns

_FEW_FILES = 8
"""Choosing among so few test files saves nothing."""
_TEXTS = (".py", ".rst", ".md", ".txt")
_WORD = re.compile(r"[^\W\d]\w*")
_BLOCK = re.compile(r"^([ \t]*)(?:async +def|def|class) +(\w+)")
_IMPORT = re.compile(r"^\s*(?:from|import)\b")
_PYTHONS_OWN = {*keyword.kwlist, *dir(builtins)}
_RENAMED = re.compile(r"(\w+) +as +(\w+)")


class TestChoice:
    """The project's test files, and ever more of them for one function.

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
        self.files = [path for path in self._code if _matches(path, patterns)]
        owners = [part for part in subject.qualname.split(".") if not _is_special(part)]
        self._full = owners[-2:] or [subject.module.rpartition(".")[2]]
        self._others = {word for name in others for word in _WORD.findall(name.split(".")[-1])}

    def __iter__(self) -> Iterator[list[str]]:
        """Yield ever larger choices of files; the last one, which is empty, is all of them."""
        tests, chosen = set(self.files), set[str]()
        for names in self._names() if len(tests) > _FEW_FILES else ():
            found = self._naming(names)
            if len(found & tests) > max(_FEW_FILES, len(chosen & tests)) and chosen:
                yield sorted(chosen)
            chosen = found if found & tests else chosen
        if chosen and not chosen >= tests:
            yield sorted(chosen)
        yield []

    def count(self, chosen: Collection[str]) -> int:
        """Return how many test files a choice has."""
        return len({*chosen} & {*self.files}) if chosen else len(self.files)

    def _names(self) -> Iterator[list[set[str]]]:
        """Yield groups of names: a file is chosen if it has one of each group."""
        if not self._others:
            yield [{name} for name in self._full]
        names = {*self._full, *self._others}
        for _ in range(2):
            names |= self._mentioning(names)
            yield [names]

    def _naming(self, groups: list[set[str]]) -> set[str]:
        words = self._words.items()
        return {path for path, held in words if not any(held.isdisjoint(each) for each in groups)}

    def _mentioning(self, names: set[str]) -> set[str]:
        """Return the names of what mentions one of the names in the project's own code."""
        found: set[str] = set()
        for path in self._code.keys() - {*self.files}:
            if not self._words[path].isdisjoint(names):
                found |= _around(self._code[path].splitlines(), names)
        return {name for name in found if len(name) > 1}


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
