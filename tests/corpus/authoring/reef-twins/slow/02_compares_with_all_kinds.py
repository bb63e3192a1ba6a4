class Solution:
    def solve(self, reef):
        kinds = []
        growing = [[]]
        for sign in reef:
            if sign in "([{":
                growing.append([])
                continue
            inner = sorted(growing.pop())
            place = 0
            while place < len(kinds) and (kinds[place][0] != sign or kinds[place][1] != inner):
                place += 1
            if place == len(kinds):
                kinds.append([sign, inner, 1 + sum(kinds[branch][2] for branch in inner), 0])
            kinds[place][3] += 1
            growing[-1].append(place)
        return max(([size, count] for _, _, size, count in kinds if count > 1), default=[0, 0])
