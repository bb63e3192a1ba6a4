class Solution:
    def solve(self, reef):
        sizes, counts = {}, {}
        growing = [[]]
        for sign in reef:
            if sign in "([{":
                growing.append([])
                continue
            branches = growing.pop()
            code = ord(sign)
            for branch in sorted(branches):
                code = (code * 131 + branch) % 65521
            sizes[code] = 1 + sum(sizes[branch] for branch in branches)
            counts[code] = counts.get(code, 0) + 1
            growing[-1].append(code)
        twins = [(sizes[code], count) for code, count in counts.items() if count > 1]
        return list(max(twins, default=(0, 0)))
