class Solution:
    def solve(self, numerator, denominator):
        sign = "-" if numerator * denominator < 0 else ""
        whole, rest = divmod(abs(numerator), abs(denominator))
        digits, seen = "", {}
        while rest and rest not in seen:
            seen = {**seen, rest: len(digits)}
            digits = digits + str(rest * 10 // abs(denominator))
            rest = rest * 10 % abs(denominator)
        if rest:
            digits = digits[: seen[rest]] + "(" + digits[seen[rest] :] + ")"
        return sign + str(whole) + ("." + digits if digits else "")
