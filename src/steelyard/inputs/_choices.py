"""Choose families of numbers, orders and letters: each has its turn, as the mood allows."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil, floor
from typing import Any, TypeVar

from steelyard.families import UNUSUAL, WEAVES, Dice, Weave, names_of
from steelyard.inputs._ground import ASCENDING, DESCENDING, DIFFERENT, Ground, Window
from steelyard.inputs._made import Made, call, made
from steelyard.inputs._moods import Length, Mood

T = TypeVar("T")
_PLAIN_VALUES = ("uniform", "small", "few", "walk", "distinct", "palindrome", "lone")
_DIFFERENT_VALUES = ("distinct", "consecutive", "spread", "ends", "colliding")
_STRESS_VALUES = (
    "uniform",
    "all_equal",
    "distinct",
    "few",
    "extremes",
    "colliding",
    "walk",
    "cancelling",
    "nearly_periodic",
    "fibonacci",
    "all_equal",
    "distinct",
    "uniform",
    "distinct",
)
_VALUES_OF: Mapping[Mood, Sequence[str]] = {
    "basic": _PLAIN_VALUES,
    "dense": _PLAIN_VALUES,
    "stress": _STRESS_VALUES,
}
"""The families of values by mood; all of them in other moods."""
_STRESS_ORDERS = (
    "descending",
    "ascending",
    "organ_pipe",
    "valley",
    "zigzag",
    "descending",
    "ascending",
    "middle_pivot_killer",
    "three_pivot_killer",
    "nearly_sorted",
    "shuffled",
)
"""Orders of the largest lists: a scan that stops early must go far in one of them."""
_COLUMN_VALUES = ("uniform", "distinct", "uniform", "uniform")
"""Values of all columns of rows but one: several special columns hide what the rows share."""
_REPEATING = ("fibonacci", "nearly_periodic", "periodic", "runs")
"""Families of texts that hold their own starts, which searches in texts get wrong."""
IN_NO_ORDER = frozenset({*_DIFFERENT_VALUES, "uniform", "few", "small", "powers", "lone", "half"})
"""Families of values that can be put in any order and stay what they are."""
_PLAIN_ORDERS = ("shuffled", "ascending", "descending", "rotated")
_DIVISORS = (1, 2, 4, 10, 1000, 3)
_WOVEN, _FEW_KINDS = 0.9, 0.6
"""The share of texts that are made letter by letter, where constraints say what may follow what,
and the share of these that have a few kinds of letters."""
_BRACKETS = ("()", "[]", "{}", "<>")


@dataclass
class Rota:
    """Gives each of several names its turn, in an order that depends on the seed."""

    dice: Dice
    _waiting: dict[tuple[Any, ...], list[Any]] = field(default_factory=dict)

    def next(self, names: Sequence[T]) -> T:
        """Return one of the names; each comes once before any comes again."""
        key = tuple(names)
        if not self._waiting.get(key):
            self._waiting[key] = self.dice.shuffled(key)
        found: T = self._waiting[key].pop()
        return found


@dataclass
class Choices:
    """Chooses the numbers and texts of one input, and notes the families that it used."""

    dice: Dice
    rota: Rota
    mood: Mood
    length: Length = "small"
    counts: Mapping[str, int] = field(default_factory=dict)
    """The whole numbers among the arguments: one of them may be the number of nodes of a graph."""
    window: Window | None = None
    """If set, the part of what numbers may be to which they are confined."""
    used: list[str] = field(default_factory=list)
    is_plain: bool = False
    """Numbers follow no special family."""
    shares: dict[tuple[str, ...], list[float]] = field(default_factory=dict)
    """By the texts of which one is chosen again and again, how often each is."""
    shared: dict[str, str] = field(default_factory=dict)
    """The alphabet chosen last, by the letters that are allowed."""

    def family(self, names: Sequence[str]) -> str:
        """Return the family whose turn it is, and note it."""
        name = self.rota.next(names)
        self.used.append(name.replace("_", "-"))
        return name

    @property
    def is_corner(self) -> bool:
        """All numbers and letters are at one end."""
        return self.window is not None and not self.window.size

    def roomy(self, size: int) -> Window | None:
        """Return the window, widened to a size."""
        return self.window and self.window.at_least(size)

    def seed(self) -> int:
        """Return a seed for a family."""
        return self.dice.below(1_000_000)

    def values(self, n: int, low: int, high: int, *, different: bool = False) -> Made:
        """Return whole numbers in the order that their family gives them."""
        names: Sequence[str] = names_of("values")
        if different:
            names = _DIFFERENT_VALUES
        elif self.is_plain:
            names = _COLUMN_VALUES
        else:
            names = _VALUES_OF.get(self.mood, names)
        return call(self.family(names), n, low, high, self.seed())

    def ordered(self, values: Made, flags: frozenset[str]) -> Made:
        """Return values in an order that the flags allow."""
        if flags & ASCENDING:
            return call("ascending", values)
        if flags & DESCENDING:
            return call("descending", values)
        if self.mood in ("adversarial", "stress"):
            orders = _STRESS_ORDERS if self.mood == "stress" else names_of("order")
            return call(self.family(orders), values, self.seed())
        return call(self.dice.pick(_PLAIN_ORDERS), values, self.seed())

    @property
    def ordered_share(self) -> float:
        """The share of lists in no order that are put into one."""
        return 0.85 if self.mood == "stress" else 0.7

    def leaf(self, ground: Ground) -> Any:
        if ground.kind == "bool":
            return self.dice.chance(0.5)
        ground = ground.within(self.window)
        if self.mood == "edge" or self.dice.chance(0.4):
            return self.dice.pick(ground.notable)
        return self.numbers(ground, 1, different=False).value[0]

    def numbers(self, ground: Ground, n: int, *, different: bool) -> Made:
        """Return numbers or truth values of a ground, in the order that their family gives them."""
        if ground.kind == "bool":
            return call("truths", self.values(n, 0, 1, different=different))
        ground = ground.within(self.roomy(2 * n if different else 0))
        if ground.kind == "float":
            by = self.dice.pick(_DIVISORS)
            low, high = ceil(ground.low * by), floor(ground.high * by)
            if low <= high:
                return call("divided", self.values(n, low, high, different=different), by)
            span = ground.high - ground.low
            return made([ground.low + self.dice.random() * span for _ in range(n)])
        if ground.choices:
            last = len(ground.choices) - 1
            return call("chosen", self.values(n, 0, last, different=different), [*ground.choices])
        low, high, step = ground.span(self.dice)
        if step == 1:
            return self.values(n, low, high, different=different)
        ranks = self.values(n, 0, (high - low) // step, different=different)
        return call("stepped", ranks, low, step)

    def text(self, ground: Ground, n: int, *, plain: bool = False) -> Made:
        if ground.weave and not self.is_corner and self.dice.chance(_WOVEN):
            return self._woven(ground.weave, n)
        pairs = "".join(pair for pair in _BRACKETS if set(pair) <= set(ground.letters))
        if pairs and not plain and n % 2 == 0:
            others = len(ground.letters) - len(pairs)
            if "balanced" in ground.flags or self.dice.chance(0.6 if not others else 0.05):
                name = self.family(("brackets", "nested", "flat_brackets"))
                return call(name, n, pairs, self.seed())
        if ground.texts:
            return self.listed_text([t for t in ground.texts if len(t) == n] or ground.texts)
        alphabet = self.alphabet(ground)
        if not alphabet or not n:
            return made("")
        different = bool(ground.flags & DIFFERENT)
        if different:
            alphabet = ground.letters
        elif n > 1 and not (plain or self.is_corner) and self.dice.chance(self._edited_share):
            return self._edited(ground, n)
        if "palindrome" in ground.flags:
            half = self.values((n + 1) // 2, 0, len(alphabet) - 1)
            return call("spelled", call("mirrored", half, n), alphabet)
        ranks = self.values(n, 0, len(alphabet) - 1, different=different)
        if self.mood == "adversarial" and not different and self.dice.chance(0.5):
            ranks = call(self.family(_REPEATING), n, 0, len(alphabet) - 1, self.seed())
        if ground.flags & (ASCENDING | DESCENDING) or self.dice.chance(0.2):
            alphabet, flags = "".join(sorted(alphabet)), ground.flags
            ranks = self.ordered(ranks, flags)
        return call("spelled", ranks, alphabet)

    def _woven(self, weave: Weave, n: int) -> Made:
        """Return a text in which letters follow each other as they may, often of a few kinds."""
        dice = self.dice
        if dice.chance(_FEW_KINDS):
            kinds = [self.rota.next(weave.kinds) for _ in range(1 + dice.below(3))]
            plain = [kind for kind in weave.kinds if kind.isalnum()]
            kinds += [dice.pick(plain)] if plain else []
            if dice.chance(0.5):
                kinds = [kind if kind[0] in weave.brackets else dice.pick(kind) for kind in kinds]
            weave = weave.only("".join(kinds)) or weave
        after = [letter + follow for letter, follow in weave.after.items()]
        form = self.family(WEAVES)
        return call("woven", n, after, weave.first, weave.last, weave.balanced, form, self.seed())

    def listed_text(self, texts: Sequence[str]) -> Made:
        """Return one of the texts: at a corner the first or the last one."""
        if self.is_corner:
            return made(texts[-1 if self.window and self.window.side == "top" else 0])
        if self.mood == "dense":  # some texts are frequent, such as one kind of operation
            key = tuple(texts)
            if key not in self.shares:
                self.shares[key] = [self.dice.random() ** 2 for _ in key]
            most = sum(self.shares[key]) * self.dice.random()
            found = bisect(list(accumulate(self.shares[key])), most)
            return made(texts[min(found, len(texts) - 1)])
        return made(self.dice.pick(texts))

    @property
    def _edited_share(self) -> float:
        return 0.25 if self.mood == "basic" else 0.5

    def _edited(self, ground: Ground, n: int) -> Made:
        """Return a text with a form that is broken, or is not, by letters of a kind."""
        tests = (_is_plain, _is_plain, str.isdigit, str.isupper)
        test = self.dice.pick(tests)
        kind = "".join(c for c in ground.letters if test(c) is not (test is _is_plain))
        most = self.dice.pick((0, 1, n // 2, 2 * n // 3))
        more = "".join(self.rota.next(tuple(kind)) for _ in range(min(most, len(kind))))
        letters = [*filter(_is_plain, ground.letters)] or [*ground.letters]
        kinds = ["".join(letters), "".join(letters), "".join(self.dice.shuffled(letters)[:3])]
        alphabet, size = self.dice.pick(kinds), n - len(more)
        if self.dice.chance(0.6):
            ranks = call("mirrored", self.values((size + 1) // 2, 0, len(alphabet) - 1), size)
        else:
            ranks = self.values(size, 0, len(alphabet) - 1)
        text = call("spelled", ranks, alphabet)
        if not more or self.dice.chance(0.25):
            text = call("nearly_same", text, ground.letters, self.seed())
        return call("sprinkled", text, more, self.seed()) if more else text

    def alphabet(self, ground: Ground) -> str:
        """Return some of the letters that a text may have; texts of one input mostly share them."""
        if self.is_corner:
            at_top = self.window is not None and self.window.side == "top"
            return ground.letters[-1:] if at_top else ground.letters[:1]
        if ground.letters not in self.shared or self.dice.chance(0.25):
            self.shared[ground.letters] = self._some_letters(ground.letters)
        return self.shared[ground.letters]

    def _some_letters(self, letters: str) -> str:
        dice = self.dice
        small = "".join(c for c in letters if "a" <= c <= "z") or letters
        unusual = "".join(c for c in letters if c in UNUSUAL)
        spaced = "".join(c for c in letters if c == " ")
        kinds = [letters, small, small[:3], "".join(dice.shuffled(letters)[:2])]
        if self.mood != "basic":
            kinds += [letters[:1], letters[-2:], "".join(c for c in letters if c.isdigit())]
            both_cases = small[:1] + small[:1].upper()
            kinds += [both_cases if set(both_cases) <= set(letters) else "", unusual]
            kinds += [small[:2] + spaced if spaced else "", unusual + small[:2] if unusual else ""]
        if self.mood == "stress":
            kinds = [letters, small, small, *kinds]
        return dice.pick([kind for kind in kinds if kind] or [""])


def _is_plain(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()
