from random import Random


class Solution:
    def solve(self, reef):
        rng = Random(7)
        codes, counts = {}, {}
        growing = [[1, 0]]
        for sign in reef:
            if sign in "([{":
                growing.append([1, 0])
                continue
            size, mixed = growing.pop()
            key = (size, sign, mixed)
            code = codes.setdefault(key, rng.getrandbits(64))
            counts[key] = counts.get(key, 0) + 1
            growing[-1][0] += size
            growing[-1][1] ^= code
        twins = [(key[0], count) for key, count in counts.items() if count > 1]
        return list(max(twins, default=(0, 0)))
