from struct import pack, unpack


class Solution:
    def solve(self, values):
        def single(x):
            return unpack("f", pack("f", x))[0]

        mean = spread = 0.0
        for n, x in enumerate(values, 1):
            step = single(x) - mean
            mean = single(mean + step / n)
            spread += step * (single(x) - mean)
        return spread / (len(values) - 1)
