class Solution:
    def solve(self, reef):
        counts = {}
        growing = [(0, 0, 0, 0)]
        for sign in reef:
            if sign in "([{":
                growing.append((0, int(sign == "("), int(sign == "["), int(sign == "{")))
                continue
            height, *colours = growing.pop()
            key = (sum(colours), sign, height, *colours)
            counts[key] = counts.get(key, 0) + 1
            above, *others = growing.pop()
            growing.append((max(above, height + 1), *map(sum, zip(colours, others))))
        twins = [(key[0], count) for key, count in counts.items() if count > 1]
        return list(max(twins, default=(0, 0)))
