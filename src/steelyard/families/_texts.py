"""Families of texts: numbers spelled in an alphabet, and brackets."""

from steelyard.families._dice import Dice
from steelyard.families._table import family

UNUSUAL = (
    "ßİıﬁé²½٣Ⅷ\u0301\u00a0\u2028\u200d\U0001f600\U00010400\u0391\u0430\u212a\u017f\uff21\uff11ñΣς"
)
UNUSUAL += "\t\n\\\"'\x00"
"""Characters that programs get wrong: letters whose case has another length, digits that are not
decimal, combining and invisible characters, spaces, those outside the first 65,536."""
_TOLD_APART = 24
"""Letters at a word's end that differ; those before them are the alphabet's first."""


@family("text")
def spelled(values: list[int], alphabet: str) -> str:
    """Numbers from 0 as letters of an alphabet; larger ones start again."""
    return "".join([alphabet[value % len(alphabet)] for value in values]) if alphabet else ""


@family("text", lambda count, alphabet, width, *_, **__: abs(count) * (abs(width) + 1))
def words(count: int, alphabet: str, width: int, seed: int = 0) -> list[str]:
    """Different words of one length; as many as there are, and then repeated."""
    told = min(width, _TOLD_APART)
    kinds = max(1, len(alphabet) ** told)
    there = min(count, kinds)
    start = alphabet[:1] * (width - told)
    found = [start + _word(r, alphabet, told) for r in Dice(seed).sample(0, kinds - 1, there)]
    return (found * (count // there + 1))[:count] if there else []


@family("text")
def brackets(n: int, pairs: str = "()", seed: int = 0) -> str:
    """Balanced brackets at random: n characters, one less if 2 does not divide n."""
    dice, text, opened = Dice(seed), list[str](), list[str]()
    for left in range(n // 2 * 2, 0, -1):
        if len(opened) == left or (opened and dice.chance(0.5)):
            text.append(opened.pop())
        else:
            kind = 2 * dice.below(len(pairs) // 2)
            text.append(pairs[kind])
            opened.append(pairs[kind + 1])
    return "".join(text)


@family("text")
def nested(n: int, pairs: str = "()", seed: int = 0) -> str:
    """Brackets within brackets."""
    half = [2 * kind for kind in Dice(seed).numbers(n // 2, 0, len(pairs) // 2 - 1)]
    return "".join([*(pairs[k] for k in half), *(pairs[k + 1] for k in reversed(half))])


@family("text")
def flat_brackets(n: int, pairs: str = "()", seed: int = 0) -> str:
    """Brackets after brackets."""
    half = [2 * kind for kind in Dice(seed).numbers(n // 2, 0, len(pairs) // 2 - 1)]
    return "".join(pairs[k : k + 2] for k in half)


def kin_of(letter: str) -> list[str]:
    """Return characters that programs take for a letter: the other case, or one bit turned."""
    return [kin for turn in range(3) for kin in _turned(letter, turn)]


def _turned(letter: str, turn: int) -> tuple[str, ...]:
    code = ord(letter)
    return (
        (letter.swapcase(),),
        (chr(min(0x10FFFF, code + 32)), chr(max(0, code - 32))),
        (chr(code ^ 1),),
    )[turn]


def _word(rank: int, alphabet: str, width: int) -> str:
    letters = []
    for _ in range(width):
        rank, letter = divmod(rank, len(alphabet))
        letters.append(alphabet[letter])
    return "".join(reversed(letters))
