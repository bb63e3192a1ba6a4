class Solution:
    def solve(self, text, need):
        best = ""
        for start in range(len(text)):
            left = {}
            for c in need:
                left[c] = left.get(c, 0) + 1
            missing = len(need)
            for end in range(start, len(text)):
                c = text[end]
                if left.get(c, 0) > 0:
                    missing -= 1
                if c in left:
                    left[c] -= 1
                if missing == 0:
                    if not best or end - start + 1 < len(best):
                        best = text[start:end + 1]
                    break
        return best
