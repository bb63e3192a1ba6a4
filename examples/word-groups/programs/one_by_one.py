# Must be too slow (TLE) on the large test: it compares each word with every group.
import sys

groups = []
for word in sys.stdin.read().split()[1:]:
    for group in groups:
        if sorted(group[0]) == sorted(word):
            group.append(word)
            break
    else:
        groups.append([word])
for words in groups:
    print(*sorted(words))
