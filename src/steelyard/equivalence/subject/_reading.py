"""What a candidate's text makes of the module: as a function's source, a module or a diff."""

import ast
import builtins
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from steelyard.equivalence.subject._bindings import bindings
from steelyard.equivalence.subject._definitions import (
    Definition,
    NotDefinedError,
    find_definition,
    qualified_names,
)
from steelyard.equivalence.subject._edits import newline_of
from steelyard.equivalence.subject._files import Changed, change_files
from steelyard.equivalence.subject._merge import merge
from steelyard.equivalence.subject._parsing import Source, UnparsableError, split_lines
from steelyard.equivalence.subject._patch import looks_like_patch, parse_patch, starts_with_patch
from steelyard.equivalence.subject._snippet import find_in_snippet, parse_snippet
from steelyard.equivalence.subject._subject import Subject
from steelyard.judging.replies import FencedBlock, blocks_of_reply, without_end_tokens

_BUILTINS = frozenset(dir(builtins))
CandidateKind: TypeAlias = Literal["auto", "function", "module", "diff"]


@dataclass
class Reading:
    """What the candidate makes of the module, before it is checked."""

    text: str
    notes: list[str] = field(default_factory=list)
    others: list[Changed] = field(default_factory=list)
    is_whole: bool = False
    """Whether it says what the whole module is to be."""


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
            patches = [one.text for one in blocks if looks_like_patch(one.text)]
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
        if source.body is not source.tree.body:
            raise UnparsableError("unexpected indent", 1)
        newline = newline_of(self._subject.source)
        text = source.text
        if newline_of(text) != newline:
            text = "".join(line.rstrip("\r\n") + newline for line in split_lines(text))
        old = set(qualified_names(self._original))
        gone = sorted(old - set(qualified_names(source)) - {self._subject.qualname})
        notes = [f"the candidate's module does not define {listed(gone)}"] if gone else []
        return Reading(text, notes, is_whole=True)

    def _from_diff(self, text: str) -> Reading:
        module, others, notes = change_files(self._subject, parse_patch(text))
        return Reading(module, notes, others, is_whole=True)

    def _from_blocks(
        self, blocks: list[FencedBlock], kind: CandidateKind, error: UnparsableError
    ) -> Reading:
        sources: list[Source] = []
        for block in blocks:
            try:
                sources.append(parse_snippet(block.text))
            except UnparsableError as failed:
                if block.language == "python" or not block.label or len(blocks) == 1:
                    error = failed
        defining = [one for one in sources if self._defines(one)]
        if not defining:
            patches = [one.text for one in blocks if looks_like_patch(one.text)]
            if kind == "auto" and patches:
                return self._from_diff("\n".join(patches))
            if not sources:
                raise error
            raise NotDefinedError("none of its code blocks defines it")
        chosen = defining[-1]
        reading_notes = []
        if len(defining) > 1:
            reading_notes.append(
                f"{len(defining)} code blocks define the function: the last one is used"
            )
        needed = self._needed(chosen, [one for one in sources if one not in defining])
        if needed:
            chosen = parse_snippet("\n\n".join(one.text for one in [*needed, chosen]))
            reading_notes.append("code blocks that the function needs are included")
        reading = self._from_source(chosen, kind)
        reading.notes[:0] = reading_notes
        return reading

    def _defines(self, source: Source) -> bool:
        try:
            find_in_snippet(source, self._subject.qualname)
        except NotDefinedError:
            return False
        return True

    def _needed(self, chosen: Source, others: list[Source]) -> list[Source]:
        """The blocks that bind what the chosen one uses and nothing else binds."""
        lacking = _used(chosen) - _bound(chosen) - _bound(self._original) - _BUILTINS
        return [
            one
            for one in others
            if one.body is one.tree.body
            and _bound(one) & lacking
            and chosen.body is chosen.tree.body
        ]

    def _is_module(self, source: Source) -> bool:
        """Whether it has the function in its place and most of what else the module defines."""
        if source.body is not source.tree.body:
            return False
        try:
            found = find_definition(source, self._subject.qualname)
        except NotDefinedError:
            return False
        if len(found.classes) != len(self._definition.classes):
            return False
        others = (_names(self._original)) - {self._subject.qualname}
        others -= {one.name for one in self._definition.classes}
        here = _names(source)
        if not others or 2 * len(others & here) <= len(others):
            return False
        missing = {name.rpartition(".")[2] for name in others - here}
        missing |= _bound(self._original) - _bound(source)
        return not missing & (_used(source) | _attributes(source))


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


def _attributes(source: Source) -> set[str]:
    return {one.attr for one in ast.walk(source.tree) if isinstance(one, ast.Attribute)}


def listed(names: list[str]) -> str:
    """The first few names, quoted."""
    shown = ", ".join(f"'{name}'" for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
