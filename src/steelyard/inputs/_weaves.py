"""Find out from constraints which letters of a text may follow each other, by trying them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import product

from steelyard.constraints import Shapes, Validator, Work, parse_constraint
from steelyard.families import Dice, Weave
from steelyard.values import PlainType

_MOST_LETTERS = 64
_AROUND = 3
"""Letters of different kinds that are tried before a pair and behind it."""
_CHECKS, _LONGEST, _STRICTEST = 600, 10, 4
"""Texts that are checked in each direction, the length of the longest, and letters with the fewest
neighbours, of which most short texts are made."""
_MOST_STEPS, _MOST_STEPS_EACH, _STEPS_OF_A_CHECK = 5_000_000, 5_000, 50
"""Steps of all checks for one text, of one check, and what a check costs besides: some 2 s."""

Test = Callable[[str], bool]


class _TooLongError(Exception):
    """The checks of short texts took too long."""


def weaves_of(validator: Validator, shapes: Shapes) -> dict[str, Weave]:
    """Return the weaves of those texts whose letters may not follow each other at will."""
    found = {}
    for name, shape in zip(shapes.types, shapes, strict=True):
        letters = shape.letters or ""
        texts = tuple(each.text for each in validator.constraints if each.names == {name})
        if shape.type.kind == "str" and 1 < len(letters) <= _MOST_LETTERS:
            weave = _woven(name, shape.type, texts, letters, "balanced" in shape.flags)
            if weave:
                found[name] = weave
    return found


@lru_cache(maxsize=64)
def _woven(
    name: str, kind: PlainType, constraints: Sequence[str], letters: str, balanced: bool
) -> Weave | None:
    """Return what all constraints together ask of a text; None if any letters may be neighbours.

    A constraint that asks for more than that, such as a number of letters, is left out.
    """
    found, work = None, Work()
    with suppress(_TooLongError):  # what was found so far holds without the rest
        for text in constraints:
            test = _test_of(name, kind, text, work)
            for alike in (_alike(letters), {letter: letter for letter in letters}):
                weave = _asked_by(test, alike)
                if weave and _is_all(test, weave, letters):
                    found = found & weave if found else weave
                    break
    if found is None or all(set(letters) == set(follow) for follow in found.after.values()):
        return None
    return Weave(found.after, found.first, found.last, balanced)


def _test_of(name: str, kind: PlainType, constraint: str, work: Work) -> Test:
    """Return a check of one constraint, which raises `_TooLongError` once all took too long."""
    parsed = parse_constraint(constraint, {name: kind})
    validator = Validator({name: kind}, (parsed,), _MOST_STEPS_EACH, work)

    def test(text: str) -> bool:
        work.steps += _STEPS_OF_A_CHECK
        if work.steps > _MOST_STEPS:
            raise _TooLongError
        return validator.is_valid([text])

    return test


def _asked_by(test: Test, alike: Mapping[str, str]) -> Weave | None:
    """Return the weave that a constraint seems to ask for, None if no short text satisfies it.

    Args:
        test: The constraint.
        alike: The letters by one of those that the constraint may not tell apart.
    """
    few = [*alike]
    around = ["", *_apart(few)[:_AROUND]]
    follow = {
        one: "".join(
            other
            for other in few
            if any(test(f"{x}{one}{other}{y}") for x, y in product(around, around))
        )
        for one in few
    }
    first = [each for each in few if any(test(f"{each}{y}") for y in ["", *few])]
    last = [each for each in few if any(test(f"{x}{each}") for x in ["", *few])]
    if not (first and last and any(follow.values())):
        return None
    whole = {one: "".join(alike[each] for each in other) for one, other in follow.items()}
    after = {letter: whole[one] for one, some in alike.items() for letter in some}
    return Weave(
        after, "".join(alike[each] for each in first), "".join(alike[each] for each in last)
    )


def _is_all(test: Test, weave: Weave, letters: str) -> bool:
    """Return True if the constraint asks for the weave and nothing else, as far as texts show."""
    dice = Dice("weave")
    strict = sorted(letters, key=lambda letter: len(weave.after[letter]))[:_STRICTEST]
    for _ in range(_CHECKS):
        some = [dice.pick(strict), dice.pick(strict), dice.pick(letters)]
        text = "".join(dice.pick(some) for _ in range(2 + dice.below(3)))
        if test(text) and not weave.fits(text):
            return False
        text = _walk(weave, 1 + dice.below(_LONGEST), dice)
        if weave.fits(text) and not test(text):
            return False
    return True


def _walk(weave: Weave, length: int, dice: Dice) -> str:
    """Return a text of letters that may follow each other."""
    text = dice.pick(weave.first)
    while len(text) < length and weave.after[text[-1]]:
        text += dice.pick(weave.after[text[-1]])
    return text


def _alike(letters: str) -> dict[str, str]:
    """Return letters that constraints seldom tell apart, by one of them each.

    They are the digits but 0, and the small and the capital letters but the first of each.
    """
    found: dict[str, str] = {}
    firsts: dict[object, str] = {}
    for letter in letters:
        kind: object = letter
        if letter.isalnum() and letter != "0":
            kind = "digits" if letter.isdigit() else (letter.isupper(), letter in "aA")
        first = firsts.setdefault(kind, letter)
        found[first] = found.get(first, "") + letter
    return found


def _apart(letters: Sequence[str]) -> list[str]:
    """Return letters with those first that are letters or digits."""
    return sorted(letters, key=lambda each: not each.isalnum())
