"""What a candidate's text makes of the module: as a function's source, a module or a diff."""

import ast
import builtins
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from steelyard.comparing.function._diffs import looks_like_patch, parse_patch, starts_with_patch
from steelyard.comparing.function._edits import newline_of
from steelyard.comparing.function._files import Changed, change_files
from steelyard.comparing.function._merge import merge
from steelyard.comparing.function._snippet import find_in_snippet, parse_snippet
from steelyard.judging.replies import FencedBlock, blocks_of_reply, without_end_tokens
from steelyard.project_runs._bindings import bindings
from steelyard.project_runs._definitions import (
    Definition,
    NotDefinedError,
    find_definition,
    qualified_names,
)
from steelyard.project_runs._parsing import Source, UnparsableError, split_lines
from steelyard.project_runs._subject import Subject

_BUILTINS = frozenset(dir(builtins))
CandidateKind: TypeAlias = Literal["auto", "function", "module", "diff"]


@dataclass
class Reading:
    """What the candidate makes of the module, before it is checked."""

    text: str
    notes: list[str] = field(default_factory=list)
    others: list[Changed] = field(default_factory=list)


class Reader:
    """Reads candidates for one subject."""

    def __init__(self, subject: Subject, original: Source, definition: Definition) -> None:
        self._subject = subject
        self._original = original
        self._definition = definition

    def read(self, text: str, kind: CandidateKind) -> Reading:
        """The module with the candidate in it.

        Raises:
            UnparsableError: where the text is not what it is to be.
            PatchError: where a diff does not apply.
            NotDefinedError: where it lacks the function.
        """
        text = without_end_tokens(text)
        blocks = blocks_of_reply(text)
        if kind == "diff":
            patches = _patches_in(blocks)
            is_bare = not patches or starts_with_patch(text)
            return self._from_diff(text if is_bare else "\n".join(patches))
        try:
            source = parse_snippet(text)
        except UnparsableError as error:
            if kind == "auto" and (
                starts_with_patch(text) or (not blocks and looks_like_patch(text))
            ):
                return self._from_diff(text)
            if not blocks:
                raise
            return self._from_blocks(blocks, kind, error)
        return self._from_source(source, kind)

    def _from_source(self, source: Source, kind: CandidateKind) -> Reading:
        if kind == "module" or (kind == "auto" and self._is_module(source)):
            return self._from_module(source)
        snippet = find_in_snippet(source, self._subject.qualname)
        text, notes = merge(self._original, self._definition, snippet)
        return Reading(text, notes)

    def _from_module(self, source: Source) -> Reading:
        if _is_indented(source):
            raise UnparsableError("unexpected indent", 1)
        newline = newline_of(self._subject.source)
        text = source.text
        if newline_of(text) != newline:
            text = "".join(line.rstrip("\r\n") + newline for line in split_lines(text))
        old = set(qualified_names(self._original))
        gone = sorted(old - set(qualified_names(source)) - {self._subject.qualname})
        notes = [f"the candidate's module does not define {_listed(gone)}"] if gone else []
        return Reading(text, notes)

    def _from_diff(self, text: str) -> Reading:
        module, others, notes = change_files(self._subject, parse_patch(text))
        return Reading(module, notes, others)

    def _from_blocks(
        self, blocks: list[FencedBlock], kind: CandidateKind, error: UnparsableError
    ) -> Reading:
        defining: list[Source] = []
        others: list[Source] = []
        for block in blocks:
            try:
                source = parse_snippet(block.text)
                find_in_snippet(source, self._subject.qualname)
                defining.append(source)
            except NotDefinedError:
                others.append(source)
            except UnparsableError as failed:
                if block.language == "python" or not block.label or len(blocks) == 1:
                    error = failed
        if not defining:
            patches = _patches_in(blocks)
            if kind == "auto" and patches:
                return self._from_diff("\n".join(patches))
            raise NotDefinedError("none of its code blocks defines it") if others else error
        chosen = defining[-1]
        notes = []
        if len(defining) > 1:
            notes.append(f"{len(defining)} code blocks define the function: the last one is used")
        needed = self._needed(chosen, others)
        if needed:
            chosen = parse_snippet("\n\n".join(one.text for one in [*needed, chosen]))
            notes.append("code blocks that the function needs are included")
        reading = self._from_source(chosen, kind)
        reading.notes[:0] = notes
        return reading

    def _needed(self, chosen: Source, others: list[Source]) -> list[Source]:
        """Return the blocks that bind what the chosen one uses and nothing else binds."""
        if _is_indented(chosen):
            return []
        lacking = _used(chosen) - _bound(chosen) - _bound(self._original) - _BUILTINS
        return [one for one in others if not _is_indented(one) and _bound(one) & lacking]

    def _is_module(self, source: Source) -> bool:
        """Return whether it has the function in its place and most of what the module defines."""
        try:
            found = find_definition(source, self._subject.qualname)
        except NotDefinedError:
            return False
        classes = self._definition.classes
        others = _names(self._original) - {self._subject.qualname, *(one.name for one in classes)}
        here = _names(source)
        if len(found.classes) != len(classes) or 2 * len(others & here) <= len(others):
            return False
        missing = {name.rpartition(".")[2] for name in others - here}
        missing |= _bound(self._original) - _bound(source)
        attributes = {one.attr for one in ast.walk(source.tree) if isinstance(one, ast.Attribute)}
        return not _is_indented(source) and not missing & (_used(source) | attributes)


def _is_indented(source: Source) -> bool:
    """Return whether a source is indented as a whole."""
    return source.body is not source.tree.body


def _patches_in(blocks: list[FencedBlock]) -> list[str]:
    return [one.text for one in blocks if looks_like_patch(one.text)]


def _names(source: Source) -> set[str]:
    """What the module binds, members of its classes included, imports not."""
    names = {one.name for one in bindings(source.body) if one.how != "import"}
    return names | set(qualified_names(source))


def _bound(source: Source) -> set[str]:
    return {one.name for one in bindings(source.body)}


def _used(source: Source) -> set[str]:
    return {
        one.id
        for one in ast.walk(source.tree)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }


def _listed(names: list[str]) -> str:
    """Return the first few names, quoted."""
    shown = ", ".join(f"'{name}'" for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
