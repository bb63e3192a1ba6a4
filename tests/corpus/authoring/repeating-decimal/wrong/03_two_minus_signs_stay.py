class Solution:
    def solve(self, numerator, denominator):
        sign = "-" if numerator < 0 or denominator < 0 else ""
        numerator, denominator = abs(numerator), abs(denominator)
        whole, rest = divmod(numerator, denominator)
        if rest == 0:
            return sign + str(whole)
        digits, seen = [], {}
        while rest and rest not in seen:
            seen[rest] = len(digits)
            digit, rest = divmod(rest * 10, denominator)
            digits.append(str(digit))
        if rest:
            digits.insert(seen[rest], "(")
            digits.append(")")
        return sign + str(whole) + "." + "".join(digits)
