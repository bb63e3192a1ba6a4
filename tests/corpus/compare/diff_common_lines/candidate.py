"""How much two texts share."""


def common_lines(old: list[str], new: list[str]) -> int:
    """The length of the longest common subsequence of lines."""
    start, end_old, end_new = 0, len(old), len(new)
    while start < end_old and start < end_new and old[start] == new[start]:
        start += 1
    while end_old > start and end_new > start and old[end_old - 1] == new[end_new - 1]:
        end_old -= 1
        end_new -= 1
    shared = start + len(old) - end_old
    right = new[start:end_new]
    above = [0] * (len(right) + 1)
    for line in old[start:end_old]:
        row = [0]
        diagonal = last = 0
        for other, up in zip(right, above[1:]):
            if line == other:
                last = diagonal + 1
            elif up > last:
                last = up
            row.append(last)
            diagonal = up
        above = row
    return shared + above[-1]


def similarity(old: str, new: str) -> float:
    """From 0 to 1."""
    a, b = old.splitlines(), new.splitlines()
    return 2 * common_lines(a, b) / (len(a) + len(b)) if a or b else 1.0
