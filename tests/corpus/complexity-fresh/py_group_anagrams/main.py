import sys
from collections import defaultdict


def group_anagrams(words):
    groups = defaultdict(list)
    for word in words:
        key = "".join(sorted(word))
        groups[key].append(word)
    return list(groups.values())


def main():
    n, *words = sys.stdin.read().split()
    groups = group_anagrams(words)
    print(len(groups))
    print(max(len(g) for g in groups))
    print(sum(1 for g in groups if len(set(g)) > 1))


if __name__ == "__main__":
    main()
