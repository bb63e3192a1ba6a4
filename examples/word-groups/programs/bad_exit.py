# Must crash (RTE) on every test: what it prints is right, but it ends with status 3.
import sys

groups = {}
for word in sys.stdin.read().split()[1:]:
    groups.setdefault("".join(sorted(word)), []).append(word)
for words in groups.values():
    print(*sorted(words))
sys.exit(3)
