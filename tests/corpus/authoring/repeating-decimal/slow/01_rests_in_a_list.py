class Solution:
    def solve(self, numerator, denominator):
        sign = "-" if numerator * denominator < 0 else ""
        whole, rest = divmod(abs(numerator), abs(denominator))
        digits, seen = [], []
        while rest and rest not in seen:
            seen.append(rest)
            digits.append(str(rest * 10 // abs(denominator)))
            rest = rest * 10 % abs(denominator)
        if rest:
            digits.insert(seen.index(rest), "(")
            digits.append(")")
        return sign + str(whole) + ("." + "".join(digits) if digits else "")
