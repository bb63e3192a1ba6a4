"""How hard a text is to read."""

from functools import lru_cache

VOWELS = frozenset("aeiouy")


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    return frozenset("the a an of to in is it and or".split())


def syllables(word: str) -> int:
    count = 0
    before = False
    for character in word.lower():
        vowel = character in VOWELS
        if vowel and not before:
            count += 1
        before = vowel
    return max(count, 1)


def score(text: str) -> int:
    """Syllables per hundred words, stop words left out."""
    words = [word for word in text.split() if word.lower() not in stop_words()]
    if not words:
        return 0
    return sum(syllables(word) for word in words) * 100 // len(words)
