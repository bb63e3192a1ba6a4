class Solution:
    def solve(self, numerator, denominator):
        negative = (numerator < 0 < denominator) or (denominator < 0 < numerator)
        numerator, denominator = abs(numerator), abs(denominator)
        out = ("-" if negative else "") + str(numerator // denominator)
        rests = [numerator % denominator]
        digits = ""
        while rests[-1] and rests[-1] not in rests[:-1]:
            digits += str(rests[-1] * 10 // denominator)
            rests.append(rests[-1] * 10 % denominator)
        if rests[-1]:
            at = rests.index(rests[-1])
            digits = digits[:at] + "(" + digits[at:] + ")"
        return out + ("." + digits if digits else "")
