class Solution:
    def solve(self, text, need):
        for length in range(len(need), len(text) + 1):
            for start in range(len(text) - length + 1):
                piece = text[start:start + length]
                if all(piece.count(c) >= need.count(c) for c in need):
                    return piece
        return ""
