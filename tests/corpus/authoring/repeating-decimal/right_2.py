from math import gcd


class Solution:
    def solve(self, numerator, denominator):
        sign = "-" if (numerator < 0) != (denominator < 0) and numerator else ""
        common = gcd(numerator, denominator)
        top, bottom = abs(numerator) // common, abs(denominator) // common
        whole, rest = divmod(top, bottom)
        twos = fives = 0
        odd = bottom
        while odd % 2 == 0:
            odd //= 2
            twos += 1
        while odd % 5 == 0:
            odd //= 5
            fives += 1
        prefix = max(twos, fives)
        period = 0
        if odd > 1:
            period, power = 1, 10 % odd
            while power != 1:
                power = power * 10 % odd
                period += 1
        digits = []
        for _ in range(prefix + period):
            digit, rest = divmod(rest * 10, bottom)
            digits.append("0123456789"[digit])
        out = sign + str(whole)
        if digits:
            out += "." + "".join(digits[:prefix])
        if period:
            out += "(" + "".join(digits[prefix:]) + ")"
        return out
