class Solution:
    def solve(self, words):
        def letters(word):
            counts = [0] * 26
            for c in word:
                counts[ord(c) - 97] += 1
            return tuple(counts)

        keys = [letters(word) for word in words]
        order = sorted(range(len(words)), key=lambda i: keys[i], reverse=True)[::-1]
        out = []
        for rank, i in enumerate(order):
            if rank and keys[order[rank - 1]] == keys[i]:
                out[-1].append(words[i])
            else:
                out.append([words[i]])
        return out
