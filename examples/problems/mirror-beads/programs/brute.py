from functools import cache

n, beads = open(0).read().split()


@cache
def added(first, last):
    if first >= last:
        return 0
    if beads[first] == beads[last]:
        return added(first + 1, last - 1)
    return 1 + min(added(first + 1, last), added(first, last - 1))


print(added(0, len(beads) - 1))
