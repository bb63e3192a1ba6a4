"""A small inverted index."""

from textsearch.words import words


class Index:
    """Documents by the words they hold."""

    def __init__(self) -> None:
        self.postings: dict[str, list[int]] = {}
        self.size = 0

    def add(self, text: str) -> int:
        number = self.size
        self.size += 1
        for word in words(text):
            rows = self.postings.setdefault(word, [])
            if not rows or rows[-1] != number:
                rows.append(number)
        return number

    def query(self, text: str) -> list[int]:
        """The documents that hold all words of the text, oldest first."""
        wanted = words(text)
        if not wanted:
            return []
        found = list(self.postings.get(wanted[0], []))
        for word in wanted[1:]:
            rows = self.postings.get(word, [])
            found = [number for number in found if number in rows]
        return found
