"""Greedy longest-match tokens."""

UNKNOWN = "[UNK]"


class WordPiece:
    """A vocabulary and how to cut words with it."""

    def __init__(self, vocabulary: set[str]) -> None:
        self.vocabulary = vocabulary

    @staticmethod
    def pieces(word: str, vocabulary: set[str]) -> list[str]:
        """The word's longest known pieces from left to right; unknown characters one by one."""
        found = []
        position = 0
        while position < len(word):
            best = ""
            for entry in vocabulary:
                if len(entry) > len(best) and word.startswith(entry, position):
                    best = entry
            if not best:
                found.append(UNKNOWN)
                position += 1
            else:
                found.append(best)
                position += len(best)
        return found

    def encode(self, text: str) -> list[str]:
        return [piece for word in text.split() for piece in self.pieces(word, self.vocabulary)]
