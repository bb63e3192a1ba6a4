"""A candidate for a subject: however it is written, the text that its module would have."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from steelyard._printable import printable
from steelyard.comparing.function._diffs import PatchError, unified
from steelyard.comparing.function._reading import CandidateKind, Reader, Reading
from steelyard.errors import SubjectError
from steelyard.project_runs._bindings import Function, bindings
from steelyard.project_runs._definitions import (
    Definition,
    NotDefinedError,
    find_definition,
    functions_of,
    span,
)
from steelyard.project_runs._parsing import MOST_CHARS, Source, UnparsableError, parse
from steelyard.project_runs._signature import (
    binding_of,
    decorator_texts,
    first_difference,
    kind_of,
    same_tree,
)
from steelyard.project_runs._subject import Subject, encoding_of
from steelyard.schemas import Reason, ReasonCode


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rewritten function in its module."""

    module_text: str
    """Of the whole module; line ends as it is to be written, no byte order mark."""
    encoding: str
    """To write it in, as `str.encode` takes it."""
    other_files: Mapping[str, str]
    """What a diff makes of other files, by their paths relative to the root; UTF-8."""
    first_line: int
    """Of the function in the text, from 1, its decorators included."""
    last_line: int
    diff: str
    """From the original, unified; empty where nothing changed."""
    changed: bool
    also_changed: tuple[str, ...] = ()
    """Other functions of the module that it changes or takes away, and other files."""
    notes: tuple[str, ...] = ()
    """What was decided in reading it, a line each."""

    @property
    def module_bytes(self) -> bytes:
        """The module as it is to be written."""
        return self.module_text.encode(self.encoding)


def read_candidate(
    subject: Subject, text: str, *, kind: CandidateKind = "auto"
) -> Candidate | Reason:
    """The candidate in its module, or why it cannot be one.

    The text is only ever parsed.

    Args:
        subject: The original.
        text: The function's source, with what it needs beside it; or the whole module; or a
            unified diff. Each may stand in Markdown's fences, or be indented as a whole.
        kind: Which of these it is; `auto` finds out.

    Returns:
        A `Reason` with the code `does-not-parse` (also for a diff that does not apply),
        `function-missing` or `signature-changed` where it is none.

    Raises:
        SubjectError: where the kind is none of these.
    """
    if kind not in ("auto", "function", "module", "diff"):
        raise SubjectError(f"kind must be auto, function, module or diff, got '{kind}'")
    original = parse(subject.source)
    definition = find_definition(original, subject.qualname)
    try:
        if len(text) > MOST_CHARS:
            raise UnparsableError(f"it has {len(text)} characters, more than {MOST_CHARS}")
        reading = Reader(subject, original, definition).read(text.removeprefix("\ufeff"), kind)
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
    subject: Subject, original: Source, definition: Definition, reading: Reading
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
    """Notes what changed; raises where callers would have to change too."""
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
    """How to write the text: as it declares, or with the mark that the original has."""
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
    """The original's other functions and names that the candidate does not define, or not alike."""
    before, after = ({**functions_of(each), **_assigned(each)} for each in (original, candidate))
    return [
        name
        for name in before
        if name != qualname and not (name in after and same_tree(before[name], after[name]))
    ]


def _assigned(source: Source) -> dict[str, ast.stmt]:
    """The names that the module assigns to, each with its last assignment."""
    return {one.name: one.node for one in bindings(source.body) if one.how == "assignment"}


def _annotations(node: Function) -> list[ast.expr | None]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*(one.annotation for one in every), node.returns]


def _article(kind: str) -> str:
    return f"an {kind}" if kind.startswith("a") else f"a {kind}"
