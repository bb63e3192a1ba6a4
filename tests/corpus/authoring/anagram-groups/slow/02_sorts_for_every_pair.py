class Solution:
    def solve(self, words):
        used, out = [False] * len(words), []
        for i, word in enumerate(words):
            if not used[i]:
                same = [j for j in range(i, len(words)) if sorted(words[j]) == sorted(word)]
                for j in same:
                    used[j] = True
                out.append([words[j] for j in same])
        return out
