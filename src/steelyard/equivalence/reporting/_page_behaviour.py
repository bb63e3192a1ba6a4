"""What both versions did, on the page: counts, and each difference with the call that shows it."""

from collections.abc import Iterator, Sequence
from html import escape

from steelyard.equivalence.reporting._cases import by_outcome, count_rows, kind_in_words
from steelyard.equivalence.reporting._cuts import cut, cut_middle, cut_pair
from steelyard.equivalence.reporting._page_parts import definitions, html_table, left_over
from steelyard.equivalence.reporting._words import TEST_TYPES
from steelyard.schemas import Behaviour, BehaviourCase, ValueDifference

_DIFFERING_SHOWN = 40
_UNFOLDED = 5
_QUIET_SHOWN = 40
_DIFFERENCES_SHOWN = 20
_LONGEST_NAME = 300
_LONGEST_INPUT = 2000
_LONGEST_VALUE = 1000


def behaviour_part(behaviour: Behaviour) -> Iterator[str]:
    """Nothing where there are neither cases nor side effects."""
    outcomes, rows = count_rows(behaviour)
    if not rows and not behaviour.side_effects:
        return
    yield "<h2>Behaviour</h2>"
    if rows:
        yield _counts(outcomes, rows)
    differing = by_outcome(behaviour.cases, "different")
    for k, case in enumerate(differing[:_DIFFERING_SHOWN]):
        yield _differing(case, unfolded=k < _UNFOLDED)
    yield left_over(len(differing) - _DIFFERING_SHOWN, "differing cases")
    if behaviour.side_effects:
        yield '<div class="card case"><h3>Side effects that differ</h3>'
        yield _differences(behaviour.side_effects)
        yield "</div>"
    for outcome, heading in (("not-comparable", "Not comparable"), ("dropped", "Dropped")):
        cases = by_outcome(behaviour.cases, outcome)
        if cases:
            yield f'<div class="card case"><h3>{heading}</h3>'
            yield f"<ul>{''.join(_quiet(case) for case in cases[:_QUIET_SHOWN])}</ul>"
            yield left_over(len(cases) - _QUIET_SHOWN, "cases")
            yield "</div>"


def _counts(outcomes: Sequence[str], rows: Sequence[tuple[str, list[int]]]) -> str:
    names = (f'<th scope="col">{name.replace("-", " ")}</th>' for name in outcomes)
    head = f"<td></td>{''.join(names)}"
    body = "".join(
        f'<tr><td class="left">{name}</td>'
        + "".join(
            f'<td class="{outcome if number else "zero"}">{number:,}</td>'
            for number, outcome in zip(counts, outcomes, strict=True)
        )
        + "</tr>"
        for name, counts in rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _differing(case: BehaviourCase, *, unfolded: bool) -> str:
    name = escape(cut_middle(case.name, _LONGEST_NAME))
    said = [("from", TEST_TYPES[case.test_type])]
    said += [("calls", f"{case.calls:,}")] if case.calls else []
    said += [("note", cut(case.note, _LONGEST_INPUT))] if case.note else []
    call = (
        f'<p class="code wrap">{escape(cut(case.input, _LONGEST_INPUT))}</p>' if case.input else ""
    )
    return (
        f'<details class="card case"{" open" if unfolded else ""}>'
        f'<summary><span class="different">different</span> {name}</summary>'
        f"{call}{definitions(said)}{_differences(case.differences)}</details>"
    )


def _differences(differences: Sequence[ValueDifference]) -> str:
    shown = differences[:_DIFFERENCES_SHOWN]
    if not shown:
        return ""
    headings = ["where", "original", "candidate"]
    rows = [_difference(each) for each in shown]
    kinds = [kind_in_words(each) for each in shown]
    if any(kinds):
        headings.append("how")
        rows = [(*row, kind) for row, kind in zip(rows, kinds, strict=True)]
    return html_table(headings, rows, "left code stacked") + left_over(
        len(differences) - _DIFFERENCES_SHOWN, "differences"
    )


def _difference(each: ValueDifference) -> tuple[str, ...]:
    original, candidate = cut_pair(each.original, each.candidate, _LONGEST_VALUE)
    path = cut_middle(each.path, _LONGEST_NAME)
    return path, original or "(nothing)", candidate or "(nothing)"


def _quiet(case: BehaviourCase) -> str:
    """A case that says nothing, and why."""
    said = case.note or "; ".join(str(each) for each in case.differences[:1])
    name, why = escape(cut_middle(case.name, _LONGEST_NAME)), escape(cut(said, _LONGEST_VALUE))
    return f'<li>{name}{": " if why else ""}<span class="quiet">{why}</span></li>'
