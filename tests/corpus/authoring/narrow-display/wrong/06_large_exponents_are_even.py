import re

LOW, HIGH = -99999, 999999
RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "^": 4}


def clamp(x):
    return LOW if x < LOW else HIGH if x > HIGH else x


def power(a, b):
    if b < 0:
        if a == 0:
            return None
        if abs(a) > 1:
            return 0
        b = -b
    return a ** min(b, 20)


def combine(sign, a, b):
    if sign == "+":
        return a + b
    if sign == "-":
        return a - b
    if sign == "*":
        return a * b
    if sign == "^":
        return power(a, b)
    if b == 0:
        return None
    return a // b if (a < 0) == (b < 0) else -(-a // b)


class Solution:
    def solve(self, formula):
        values, signs = [], []

        def reduce():
            sign = signs.pop()
            b = values.pop()
            x = -b if sign == "neg" else combine(sign, values.pop(), b)
            if x is None:
                return False
            values.append(clamp(x))
            return True

        value_before = False
        for token in re.findall(r"\d+|.", formula):
            if token.isdigit():
                digits = token.lstrip("0")
                values.append(HIGH if len(digits) > 6 else int(digits or "0"))
                value_before = True
            elif token == "(":
                signs.append(token)
                value_before = False
            elif token == ")":
                while signs[-1] != "(":
                    if not reduce():
                        return None
                signs.pop()
                value_before = True
            elif not value_before:
                signs.append("neg")
            else:
                rank = RANK[token] + (token == "^")
                while signs and signs[-1] != "(" and RANK[signs[-1]] >= rank:
                    if not reduce():
                        return None
                signs.append(token)
                value_before = False
        while signs:
            if not reduce():
                return None
        return values[0]
