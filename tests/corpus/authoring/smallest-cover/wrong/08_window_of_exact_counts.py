from collections import Counter


class Solution:
    def solve(self, text, need):
        need = Counter(need)
        have, best, start = Counter(), "", 0
        for end, c in enumerate(text):
            have[c] += 1
            while start < end and have[text[start]] > need[text[start]]:
                have[text[start]] -= 1
                start += 1
            if all(have[c] == need[c] for c in need) and (not best or end - start + 1 < len(best)):
                best = text[start:end + 1]
        return best
