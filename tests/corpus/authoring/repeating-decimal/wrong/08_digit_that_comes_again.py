class Solution:
    def solve(self, numerator, denominator):
        sign = "-" if numerator * denominator < 0 else ""
        numerator, denominator = abs(numerator), abs(denominator)
        whole, rest = divmod(numerator, denominator)
        if rest == 0:
            return sign + str(whole)
        digits = ""
        while rest:
            digit, rest = divmod(rest * 10, denominator)
            if str(digit) in digits:
                at = digits.index(str(digit))
                digits = digits[:at] + "(" + digits[at:] + ")"
                break
            digits += str(digit)
        return sign + str(whole) + "." + digits
