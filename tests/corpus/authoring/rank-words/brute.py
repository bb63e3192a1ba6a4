class Solution:
    def solve(self, words, k):
        out = []
        while len(out) < k:
            best = None
            for word in words:
                if word not in out and (best is None or words.count(word) > words.count(best)):
                    best = word
            out.append(best)
        return out
