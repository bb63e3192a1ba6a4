class Solution:
    def solve(self, text, k):
        outside = []
        unpacked, digits = "", ""
        for sign in text:
            if sign in "0123456789":
                digits += sign
                continue
            times = 1
            if digits:
                digits = digits.lstrip("0")
                times = int(digits or 0) if len(digits) < 13 else k
            digits = ""
            if sign == "(":
                outside.append((unpacked, times))
                unpacked = ""
            elif sign != ")":
                unpacked = (unpacked + sign * times)[:k]
            elif outside:
                before, times = outside.pop()
                unpacked = (before + unpacked * times)[:k]
        while outside:
            before, times = outside.pop()
            unpacked = (before + unpacked * times)[:k]
        return unpacked[k - 1 : k]
