# Must be wrong (WA) where a letter comes twice: "see" and "ese" are not "es".
import sys

groups = {}
for word in sys.stdin.read().split()[1:]:
    groups.setdefault(frozenset(word), []).append(word)
for words in groups.values():
    print(*sorted(words))
