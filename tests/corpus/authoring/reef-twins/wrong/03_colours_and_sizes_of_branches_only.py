class Solution:
    def solve(self, reef):
        counts = {}
        growing = [[]]
        for sign in reef:
            if sign in "([{":
                growing.append([])
                continue
            branches = growing.pop()
            size = 1 + sum(size for size, _ in branches)
            key = (size, sign, *sorted(branches))
            counts[key] = counts.get(key, 0) + 1
            growing[-1].append((size, sign))
        twins = [(key[0], count) for key, count in counts.items() if count > 1]
        return list(max(twins, default=(0, 0)))
