# Must pass every test: one dictionary entry a group.
import sys

groups = {}
for word in sys.stdin.read().split()[1:]:
    groups.setdefault("".join(sorted(word)), []).append(word)
for words in groups.values():
    print(*sorted(words))
