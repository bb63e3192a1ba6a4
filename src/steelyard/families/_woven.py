"""Texts in which each letter may follow some letters only, with brackets that match."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf

from steelyard.families._dice import Dice
from steelyard.families._table import family

WEAVES = ("even", "long", "deep")
"""What is frequent in a text. `even`: every kind of letter. `long`: runs of one kind. `deep`:
brackets within brackets."""
_BRACKETS = ("()", "[]", "{}", "<>")
_MOST_LETTERS = 100
_TRIES = 4
"""Letters that are tried at random before all are looked through."""
_RUNS, _SHARE = 5, 0.6
"""Runs of one kind in a long text, and the share of brackets in a deep one."""


@dataclass(frozen=True)
class Weave:
    """A rule for texts: which letters may follow each other, begin a text and end it."""

    after: Mapping[str, str]
    """By letter, those that may come next."""
    first: str
    last: str
    balanced: bool = False
    """Brackets match."""

    def __and__(self, other: "Weave") -> "Weave":
        """Return what both allow, over the same letters."""
        after = {one: _common(follow, other.after[one]) for one, follow in self.after.items()}
        first, last = _common(self.first, other.first), _common(self.last, other.last)
        return Weave(after, first, last, self.balanced or other.balanced)

    def fits(self, text: str) -> bool:
        """Return True if letters follow each other as they may; brackets are not looked at."""
        return (
            bool(text)
            and text[0] in self.first
            and text[-1] in self.last
            and all(other in self.after[one] for one, other in pairwise(text))
        )

    @cached_property
    def closing(self) -> Mapping[str, str]:
        """The closing brackets by the opening ones; none if brackets need not match."""
        pairs = _BRACKETS if self.balanced else ()
        return {pair[0]: pair[1] for pair in pairs if {*pair} <= self.after.keys()}

    @cached_property
    def brackets(self) -> frozenset[str]:
        """All brackets that must match."""
        return frozenset({*self.closing, *self.closing.values()})

    @cached_property
    def to_end(self) -> Mapping[str, float]:
        """By letter, how many more a text needs at least after it if no bracket is open."""
        return self._steps_to(lambda letter: 0 if letter in self.last else inf)

    @cached_property
    def to_close(self) -> Mapping[str, Mapping[str, float]]:
        """By closing bracket and letter, how many more letters are needed at least, with it."""

        def steps_to(close: str) -> Mapping[str, float]:
            return self._steps_to(lambda letter: 1 if close in self.after[letter] else inf)

        return {close: steps_to(close) for close in self.closing.values()}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The letters by kinds: digits, letters of one case, brackets; any other alone."""
        found: dict[object, str] = {}
        for letter in self.after:
            kind: object = "brackets" if letter in self.brackets else letter
            if letter.isalnum():
                kind = "digits" if letter.isdigit() else letter.isupper()
            found[kind] = found.get(kind, "") + letter
        return tuple(found.values())

    def only(self, letters: str) -> "Weave | None":
        """Return the weave of some letters; None if no text can be made of them."""
        after = {one: _common(follow, letters) for one, follow in self.after.items()}
        found = Weave(
            {one: follow for one, follow in after.items() if one in letters},
            _common(self.first, letters),
            _common(self.last, letters),
            self.balanced,
        )
        return (
            found
            if any(_Text(found, len(letters) + 2).take(each) for each in found.first)
            else None
        )

    def _steps_to(self, near: Callable[[str], float]) -> Mapping[str, float]:
        steps, before = {letter: near(letter) for letter in self.after}, dict[str, float]()
        while steps != before:
            before = dict(steps)
            for letter, follow in self.after.items():
                least = min(
                    (steps[each] for each in follow if each not in self.brackets), default=inf
                )
                steps[letter] = min(steps[letter], least + 1)
        return steps


def _common(one: str, other: str) -> str:
    """Return the letters of one text that the other has too."""
    some = set(other)
    return "".join(letter for letter in one if letter in some)


class _Text:
    """A text that grows letter by letter, and can always be ended within its length."""

    def __init__(self, weave: Weave, length: int) -> None:
        self.letters: list[str] = []
        self.left = length
        self.opened: list[tuple[str, float]] = []
        """The closing bracket of each open one, with how many letters are needed after it."""
        self._weave = weave
        self._closes = frozenset(weave.closing.values())

    @property
    def allowed(self) -> str:
        """The letters that may come next, whatever the text needs to end."""
        return self._weave.after[self.letters[-1]] if self.letters else self._weave.first

    def take(self, letter: str) -> bool:
        """Add an allowed letter if the text can be ended then; return whether it was added."""
        weave, opened = self._weave, self.opened
        if letter in self._closes:
            if self.cannot_close(letter) or 1 + opened[-1][1] > self.left:
                return False
            opened.pop()
        elif letter in weave.closing:
            close = weave.closing[letter]
            rest = self._need(close)
            if 1 + weave.to_close[close][letter] + rest > self.left:
                return False
            opened.append((close, rest))
        elif 1 + self._need(letter) > self.left:
            return False
        self.letters.append(letter)
        self.left -= 1
        return True

    def cannot_close(self, letter: str) -> bool:
        """Return True for a bracket that closes another one than the last that is open."""
        return letter in self._closes and (not self.opened or self.opened[-1][0] != letter)

    def finish(self) -> None:
        """Add as few letters as the text needs to end."""
        need = self._need(self.letters[-1]) if self.letters else 1
        self.left = int(min(need, self.left))
        while self.left and any(map(self.take, self.allowed)):
            pass

    def _need(self, letter: str) -> float:
        """Return how many letters the text needs at least after this one."""
        if not self.opened:
            return self._weave.to_end[letter]
        close, rest = self.opened[-1]
        return self._weave.to_close[close][letter] + rest


@family("text", lambda n, after, *_, **__: abs(n) + sum(map(len, after)))
def woven(
    n: int, after: list[str], first: str, last: str, balanced: bool, form: str, seed: int = 0
) -> str:
    """A text of n letters, or a few less, in which only some letters follow each other.

    `after` is a text for each of at most 100 letters: itself, then those that may come next. `form`
    is what is frequent; see `WEAVES`.
    """
    if len(after) > _MOST_LETTERS:
        raise ValueError(f"a text is woven of at most {_MOST_LETTERS} letters")
    letters = {each[0]: each[1:] for each in after if each}
    follow = {one: _common("".join(letters), some) for one, some in letters.items()}
    weave = Weave(follow, _common("".join(letters), first), last, balanced)
    dice, text = Dice(seed), _Text(weave, n)
    kinds = weave.kinds
    kind_of = {letter: kind for kind in kinds for letter in kind}
    stay = max(0.7, 1 - _RUNS / max(1, n))
    while text.left:
        allowed = text.allowed
        for _ in range(_TRIES):
            kind = dice.pick(kinds)
            if form == "long" and text.letters and dice.chance(stay):
                kind = kind_of[text.letters[-1]]
            elif form == "deep" and weave.closing and dice.chance(_SHARE):
                deeper = text.left > n // 2
                kind = "".join(weave.closing if deeper else weave.closing.values())
            letter = dice.pick(kind)
            if letter in allowed and text.take(letter):
                break
        else:
            if not any(map(text.take, dice.shuffled(allowed))):
                break
    return "".join(text.letters)


def mended(text: str, weave: Weave, most: int) -> str:
    """Return a text of a weave close to another one, of at most so many letters.

    Letters that may not come where they are get another one before them, or are left out.
    """
    found = _Text(weave, most)
    for letter in text:
        if found.cannot_close(letter) or (letter in found.allowed and found.take(letter)):
            continue
        for bridge in found.allowed:
            if bridge not in weave.brackets and letter in weave.after[bridge]:
                if found.take(bridge):
                    found.take(letter)
                break
    found.finish()
    return "".join(found.letters)
