def query(self, text: str) -> list[int]:
    """The documents that hold all words of the text, oldest first."""
    wanted = words(text)
    if not wanted:
        return []
    found = list(self.postings.get(wanted[0], []))
    for word in wanted[1:]:
        rows = set(self.postings.get(word, []))
        found = [number for number in found if number in rows]
    return found
