class Solution:
    def solve(self, reef):
        kinds, sizes, counts = {}, [], []
        growing = [[]]
        for sign in reef:
            if sign in "([{":
                growing.append([])
                continue
            branches = growing.pop()
            key = (sign, frozenset(branches))
            kind = kinds.setdefault(key, len(kinds))
            if kind == len(sizes):
                sizes.append(1 + sum(sizes[branch] for branch in branches))
                counts.append(0)
            counts[kind] += 1
            growing[-1].append(kind)
        twins = [(size, count) for size, count in zip(sizes, counts) if count > 1]
        return list(max(twins, default=(0, 0)))
