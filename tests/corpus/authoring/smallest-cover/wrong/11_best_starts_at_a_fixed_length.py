from collections import Counter


class Solution:
    def solve(self, text, need):
        lacking, missing = Counter(need), len(need)
        best, start = (10**4, 0), 0
        for end, c in enumerate(text):
            missing -= lacking[c] > 0
            lacking[c] -= 1
            while missing == 0:
                best = min(best, (end - start + 1, start))
                lacking[text[start]] += 1
                missing += lacking[text[start]] > 0
                start += 1
        length, start = best
        return text[start:start + length] if length < 10**4 else ""
