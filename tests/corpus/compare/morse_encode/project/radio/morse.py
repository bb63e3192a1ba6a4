"""Morse code."""

CODES = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- "
        ".-- -..- -.-- --..".split(),
    )
)


def encode(text: str) -> str:
    """The text's letters in code, words parted by a slash; other characters are left out."""
    words = []
    for word in text.lower().split():
        signs = [CODES[letter] for letter in word if letter in CODES]
        if signs:
            words.append(" ".join(signs))
    return " / ".join(words)
