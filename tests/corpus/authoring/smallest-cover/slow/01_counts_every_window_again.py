from collections import Counter


class Solution:
    def solve(self, text, need):
        need = Counter(need)
        best, start = "", 0
        for end in range(len(text)):
            while start <= end and not need - Counter(text[start:end + 1]):
                if not best or end - start + 1 < len(best):
                    best = text[start:end + 1]
                start += 1
        return best
