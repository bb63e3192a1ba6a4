"""How much two texts share."""


def common_lines(old: list[str], new: list[str]) -> int:
    """The length of the longest common subsequence of lines."""
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old)):
        for j in range(len(new)):
            if old[i] == new[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    return table[len(old)][len(new)]


def similarity(old: str, new: str) -> float:
    """From 0 to 1."""
    a, b = old.splitlines(), new.splitlines()
    return 2 * common_lines(a, b) / (len(a) + len(b)) if a or b else 1.0
