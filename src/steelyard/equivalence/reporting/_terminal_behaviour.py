"""What both versions did, at a terminal: counts, and differences with the calls that show them."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from steelyard.equivalence.reporting._cases import by_outcome, count_rows, kind_in_words
from steelyard.equivalence.reporting._cuts import cut, cut_middle, cut_pair
from steelyard.equivalence.reporting._terminal_parts import field, section, table
from steelyard.equivalence.reporting._words import TEST_TYPES
from steelyard.schemas import Behaviour, BehaviourCase, ValueDifference

_DIFFERING_SHOWN = 5
_QUIET_SHOWN = 3
_DIFFERENCES_SHOWN = 3
_LONGEST_NAME = 160
_LONGEST_INPUT = 480
_LONGEST_VALUE = 240
_STYLES = {"same": "green", "different": "red", "not-comparable": "yellow", "dropped": "dim"}


def behaviour_part(behaviour: Behaviour) -> Iterator[RenderableType]:
    """Nothing where there are neither cases nor side effects."""
    outcomes, rows = count_rows(behaviour)
    if not rows and not behaviour.side_effects:
        return
    yield section("behaviour")
    if rows:
        yield table(
            ("", *(outcome.replace("-", " ") for outcome in outcomes)),
            [
                (Text(name), *(_count(*pair) for pair in zip(counts, outcomes, strict=True)))
                for name, counts in rows
            ],
        )
    differing = by_outcome(behaviour.cases, "different")
    for case in differing[:_DIFFERING_SHOWN]:
        yield Text()
        yield from _differing(case)
    yield from _left(len(differing) - _DIFFERING_SHOWN, "differing cases")
    for outcome in ("not-comparable", "dropped"):
        cases = by_outcome(behaviour.cases, outcome)
        if cases:
            yield Text()
        for case in cases[:_QUIET_SHOWN]:
            yield from _quiet(case)
        yield from _left(len(cases) - _QUIET_SHOWN, f"{outcome.replace('-', ' ')} cases")
    if behaviour.side_effects:
        yield section("side effects that differ")
        yield from _differences(behaviour.side_effects, indent=0)


def _count(number: int, outcome: str) -> Text:
    return Text(f"{number:,}", style=_STYLES[outcome] if number else "dim")


def _differing(case: BehaviourCase) -> Iterator[RenderableType]:
    yield Text.assemble(
        ("different", "bold red"),
        f"  {cut_middle(case.name, _LONGEST_NAME)}",
        (f"  ({TEST_TYPES[case.test_type]})", "dim"),
    )
    if case.input:
        yield field("input", cut(case.input, _LONGEST_INPUT), indent=2)
    if case.note:
        yield field("note", cut(case.note, _LONGEST_INPUT), indent=2)
    yield from _differences(case.differences, indent=2)


def _quiet(case: BehaviourCase) -> Iterator[RenderableType]:
    """A case that says nothing, and why."""
    yield Text.assemble(
        (case.outcome.replace("-", " "), _STYLES[case.outcome]),
        f"  {cut_middle(case.name, _LONGEST_NAME)}",
    )
    said = case.note or "; ".join(str(each) for each in case.differences[:1])
    if said:
        yield Padding(Text(cut(said, _LONGEST_VALUE), style="dim"), (0, 0, 0, 2))


def _differences(differences: tuple[ValueDifference, ...], *, indent: int) -> Iterator[Padding]:
    for each in differences[:_DIFFERENCES_SHOWN]:
        kind = kind_in_words(each)
        yield Padding(
            Text.assemble(
                (cut_middle(each.path, _LONGEST_NAME), "cyan"),
                (f"  ({kind})" if kind else "", "dim"),
            ),
            (0, 0, 0, indent),
        )
        original, candidate = cut_pair(each.original, each.candidate, _LONGEST_VALUE)
        yield field("original", original or "(nothing)", style="green", indent=indent + 2)
        yield field("candidate", candidate or "(nothing)", style="red", indent=indent + 2)
    for line in _left(len(differences) - _DIFFERENCES_SHOWN, "differences"):
        yield Padding(line, (0, 0, 0, indent))


def _left(number: int, what: str) -> Iterator[Text]:
    if number > 0:
        name = what.removesuffix("s") if number == 1 else what
        yield Text(f"and {number:,} more {name}", style="dim")
