"""A candidate for a subject: however it is written, the text that its module would have."""

import ast
import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from steelyard._printable import printable
from steelyard.comparing.function._diffs import (
    Changed,
    PatchError,
    change_files,
    looks_like_patch,
    starts_with_patch,
    unified,
)
from steelyard.comparing.function._edits import newline_of
from steelyard.comparing.function._merge import merge
from steelyard.comparing.function._snippet import find_in_snippet, parse_snippet
from steelyard.errors import SubjectError
from steelyard.judging.replies import FencedBlock, blocks_of_reply, without_end_tokens
from steelyard.project_runs._bindings import Function, bindings
from steelyard.project_runs._definitions import (
    Definition,
    NotDefinedError,
    find_definition,
    functions_of,
    qualified_names,
    span,
)
from steelyard.project_runs._parsing import (
    MOST_CHARS,
    Source,
    UnparsableError,
    parse,
    split_lines,
)
from steelyard.project_runs._signature import (
    binding_of,
    decorator_texts,
    first_difference,
    kind_of,
    same_tree,
)
from steelyard.project_runs._subject import Subject, encoding_of
from steelyard.schemas import Reason, ReasonCode

_BUILTINS = frozenset(dir(builtins))
CandidateKind: TypeAlias = Literal["auto", "function", "module", "diff"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rewritten function in its module."""

    module_text: str
    """Of the whole module; line ends as it is to be written, no byte order mark."""
    encoding: str
    """To write it in, as `str.encode` takes it."""
    other_files: Mapping[str, str]
    """Texts of other files that a diff changes, by their paths relative to the root; UTF-8."""
    first_line: int
    """Of the function in the text, from 1, its decorators included."""
    last_line: int
    diff: str
    """From the original, unified; empty where nothing changed."""
    changed: bool
    also_changed: tuple[str, ...] = ()
    """Other functions of the module that it changes or takes away, and other files."""
    notes: tuple[str, ...] = ()
    """A line for each decision in reading it."""

    @property
    def module_bytes(self) -> bytes:
        """Return the module as it is to be written."""
        return self.module_text.encode(self.encoding)


@dataclass
class _Reading:
    """The module with the candidate in it, before it is checked."""

    text: str
    notes: list[str] = field(default_factory=list)
    others: list[Changed] = field(default_factory=list)


def read_candidate(
    subject: Subject, text: str, *, kind: CandidateKind = "auto"
) -> Candidate | Reason:
    """Return the candidate in its module, or why it cannot be one.

    The text is only ever parsed.

    Args:
        subject: The original.
        text: The function's source, with what else it needs; or the whole module; or a
            unified diff. Each may be in Markdown's fences, or be indented as a whole.
        kind: Which of these it is; `auto` finds out.

    Returns:
        A `Reason` with the code `does-not-parse` (also for a diff that does not apply),
        `function-missing` or `signature-changed` where it is none.

    Raises:
        SubjectError: if the kind is none of these.
    """
    if kind not in ("auto", "function", "module", "diff"):
        raise SubjectError(f"kind must be auto, function, module or diff, got '{kind}'")
    original = parse(subject.source)
    definition = find_definition(original, subject.qualname)
    try:
        if len(text) > MOST_CHARS:
            raise UnparsableError(f"it has {len(text)} characters, more than {MOST_CHARS}")
        reading = _Reader(subject, original, definition).read(text.removeprefix("\ufeff"), kind)
        return _checked(subject, original, definition, reading)
    except tuple(_REFUSED) as error:
        code, what = _REFUSED[type(error)]
        text = f"{what.format(subject.qualname)}: {printable(str(error))}"
        return Reason(code=code, text=text)


class _SignatureChangedError(Exception):
    pass


_REFUSED: dict[type[Exception], tuple[ReasonCode, str]] = {
    UnparsableError: ("does-not-parse", "the candidate does not parse"),
    PatchError: ("does-not-parse", "the diff does not apply"),
    NotDefinedError: ("function-missing", "the candidate does not define '{}'"),
    _SignatureChangedError: ("signature-changed", "the signature changed"),
}


def _checked(
    subject: Subject, original: Source, definition: Definition, reading: _Reading
) -> Candidate:
    source = parse(reading.text)
    old, new = definition.node, find_definition(source, subject.qualname).node
    notes = reading.notes
    _compare(old, new, in_class=bool(definition.classes), notes=notes)
    encoding = _encoding(subject, reading.text)
    first, last = span(new, source.lines)
    diff = unified(subject.source, reading.text, subject.path)
    diff += "".join(unified(one.before, one.after, one.path) for one in reading.others)
    others = {one.path: one.after for one in reading.others if one.after != one.before}
    known = [one.path for one in reading.others if one.before and one.path in others]
    also = (*_also_changed(original, source, subject.qualname), *known)
    changed = reading.text != subject.source or bool(others)
    if not changed:
        notes.append("the candidate is identical to the original")
    elif not others and same_tree(original.tree, source.tree):
        notes.append("the candidate changes no code, only layout or comments")
    elif same_tree(old, new):
        notes.append("the function itself is unchanged; only other code changed")
    return Candidate(
        module_text=reading.text,
        encoding=encoding,
        other_files=others,
        first_line=first,
        last_line=last,
        diff=diff,
        changed=changed,
        also_changed=also,
        notes=tuple(dict.fromkeys(printable(note) for note in notes)),
    )


def _compare(old: Function, new: Function, *, in_class: bool, notes: list[str]) -> None:
    """Note what changed; raise if callers would have to change too."""
    if isinstance(old, ast.AsyncFunctionDef) != isinstance(new, ast.AsyncFunctionDef):
        became = "became async" if isinstance(new, ast.AsyncFunctionDef) else "is no longer async"
        raise _SignatureChangedError(f"it {became}")
    bound = binding_of(old, in_class=in_class), binding_of(new, in_class=in_class)
    if bound[0] != bound[1]:
        names = {"plain": "plain function", "method": "plain method"}
        was, became = (names.get(one, one) for one in bound)
        raise _SignatureChangedError(f"a {was} became a {became}")
    difference = first_difference(old.args, new.args)
    if difference:
        raise _SignatureChangedError(difference)
    kinds = kind_of(old), kind_of(new)
    if kinds[0] != kinds[1]:
        notes.append(f"it became {_article(kinds[1])}: the original is {_article(kinds[0])}")
    decorators = decorator_texts(old), decorator_texts(new)
    if decorators[0] != decorators[1]:
        shown = [", ".join(f"@{one}" for one in side) or "none" for side in decorators]
        notes.append(f"decorators changed from {shown[0]} to {shown[1]}")
    if not same_tree(_annotations(old), _annotations(new)):
        notes.append("annotations changed")


def _encoding(subject: Subject, text: str) -> str:
    """Return the encoding that the text declares, or that of the original's mark."""
    declared = encoding_of(text)
    if declared == "utf-8" and subject.encoding == "utf-8-sig":
        declared = "utf-8-sig"
    try:
        text.encode(declared)
    except UnicodeEncodeError as error:
        raise UnparsableError(
            f"it holds characters that the module's encoding, {declared}, does not have"
        ) from error
    return declared


def _also_changed(original: Source, candidate: Source, qualname: str) -> list[str]:
    """Return the original's other names that the candidate does not define, or not alike."""
    before, after = ({**functions_of(each), **_assigned(each)} for each in (original, candidate))
    return [
        name
        for name in before
        if name != qualname and not (name in after and same_tree(before[name], after[name]))
    ]


def _assigned(source: Source) -> dict[str, ast.stmt]:
    """Return the names that the module assigns to, each with its last assignment."""
    return {one.name: one.node for one in bindings(source.body) if one.how == "assignment"}


def _annotations(node: Function) -> list[ast.expr | None]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*(one.annotation for one in every), node.returns]


def _article(kind: str) -> str:
    return f"an {kind}" if kind.startswith("a") else f"a {kind}"


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads candidates for one subject."""

    _subject: Subject
    _original: Source
    _definition: Definition

    def read(self, text: str, kind: CandidateKind) -> _Reading:
        """Return the module with the candidate in it.

        Raises:
            UnparsableError: if the text is not of this kind.
            PatchError: if a diff does not apply.
            NotDefinedError: if it lacks the function.
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

    def _from_source(self, source: Source, kind: CandidateKind) -> _Reading:
        if kind == "module" or (kind == "auto" and self._is_module(source)):
            return self._from_module(source)
        snippet = find_in_snippet(source, self._subject.qualname)
        text, notes = merge(self._original, self._definition, snippet)
        return _Reading(text, notes)

    def _from_module(self, source: Source) -> _Reading:
        if _is_indented(source):
            raise UnparsableError("unexpected indent", 1)
        newline = newline_of(self._subject.source)
        text = source.text
        if newline_of(text) != newline:
            text = "".join(line.rstrip("\r\n") + newline for line in split_lines(text))
        old = set(qualified_names(self._original))
        gone = sorted(old - set(qualified_names(source)) - {self._subject.qualname})
        shown = ", ".join(f"'{name}'" for name in gone[:5]) + (" and more" if gone[5:] else "")
        notes = [f"the candidate's module does not define {shown}"] if gone else []
        return _Reading(text, notes)

    def _from_diff(self, text: str) -> _Reading:
        module, others, notes = change_files(self._subject, text)
        return _Reading(module, notes, others)

    def _from_blocks(
        self, blocks: list[FencedBlock], kind: CandidateKind, error: UnparsableError
    ) -> _Reading:
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
    """Return what the module binds, members of its classes included, imports not."""
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
