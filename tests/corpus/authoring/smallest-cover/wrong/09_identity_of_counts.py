from collections import Counter


class Solution:
    def solve(self, text, need):
        need = Counter(need)
        have, formed, best, start = Counter(), 0, None, 0
        for end, c in enumerate(text):
            have[c] += 1
            formed += c in need and have[c] is need[c]
            while formed == len(need):
                if best is None or end - start < best[1] - best[0]:
                    best = (start, end)
                c = text[start]
                have[c] -= 1
                formed -= c in need and have[c] < need[c] and have[c] + 1 is need[c]
                start += 1
        return "" if best is None else text[best[0]:best[1] + 1]
