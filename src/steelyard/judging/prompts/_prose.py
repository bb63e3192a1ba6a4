"""Distinguish text that describes data from data."""

import re2

_LOOKED_AT = 2_000
_WORD = re2.compile(r"[A-Za-z]+")
_TELLING_WORDS = """
line lines integer integers number numbers string strings array arrays list lists contains
containing consists given separated space denoting denotes represents representing value values
print prints output outputs input return returns single character characters element elements
format following positive negative nonnegative index sequence matrix grid describes describing
respectively each first second between inclusive read reads answer result count total whether
word words digit digits float floats double boolean
"""
_VOCABULARY = frozenset(_TELLING_WORDS.split())
_PLACEHOLDER = re2.compile(r"^(?:\.{3}|…|<[A-Za-z][A-Za-z _-]*>|\{[A-Za-z][A-Za-z_]*\})$")


def is_description(text: str, *, among_samples: bool) -> bool:
    """Tell whether a text describes an input or an output, or is a placeholder for it.

    Args:
        text: The text after a label.
        among_samples: The label is in a section that announces samples; only plainer prose counts
            as a description there.
    """
    if is_placeholder(text):
        return True
    words = [word.lower() for word in _WORD.findall(text[:_LOOKED_AT])]
    telling = len(_VOCABULARY.intersection(words))
    if among_samples:
        return len(words) >= 4 and telling >= 2
    return len(words) >= 2 and telling >= 1


def is_placeholder(text: str) -> bool:
    """Tell whether a text, or a line of it, is a placeholder: `...`, `<number>`."""
    return any(_PLACEHOLDER.search(line.strip()) for line in text[:_LOOKED_AT].split("\n"))


def is_sentence(text: str) -> bool:
    """Tell whether a paragraph reads as a sentence to a person rather than as output."""
    words = _WORD.findall(text[:_LOOKED_AT])
    bare = text.strip()
    return len(words) >= 3 and (bare[-1] in ".!?:" or bare[0].isupper())


_FULL_STOP = re2.compile(r"[.!?] +[A-Z]")
_NUMBER_AND_STOP = re2.compile(r"^[+-]?\d+(?:\.\d+)?\.$")


def first_sentence(text: str) -> str:
    """Return a value at the end of a sentence, without the sentences after it."""
    stop = _FULL_STOP.search(text)
    value = text[: stop.start()] if stop else text
    return value[:-1] if _NUMBER_AND_STOP.search(value) else value
