class Solution:
    def solve(self, text, need):
        lacking = [0] * 26
        for c in need:
            lacking[ord(c) % 32 - 1] += 1
        missing, start = len(need), 0
        best = (len(text) + 1, 0)
        for end, c in enumerate(text):
            k = ord(c) % 32 - 1
            missing -= lacking[k] > 0
            lacking[k] -= 1
            while missing == 0:
                best = min(best, (end - start + 1, start))
                k = ord(text[start]) % 32 - 1
                lacking[k] += 1
                missing += lacking[k] > 0
                start += 1
        return text[best[1]:best[1] + best[0]] if best[0] <= len(text) else ""
