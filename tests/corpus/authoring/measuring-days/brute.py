class Solution:
    def solve(self, studies, closed):
        chosen = set()
        for first, last, need in sorted(studies, key=lambda study: study[1]):
            have = len([day for day in chosen if first <= day <= last])
            for day in range(last, first - 1, -1):
                if have < need and day not in chosen and day not in closed:
                    chosen.add(day)
                    have += 1
            if have < need:
                return [-1]
        return sorted(chosen)
