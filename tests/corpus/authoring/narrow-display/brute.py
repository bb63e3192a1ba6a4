import re


def clamp(x):
    return max(-99999, min(999999, x))


def divide(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def power(a, b):
    size = min(abs(b), 100 + b % 2)
    return a**size if b >= 0 else divide(1, a**size)


def flat(tokens):
    i = len(tokens) - 2
    while i >= 0:
        if tokens[i] == "^":
            tokens[i - 1 : i + 2] = [clamp(power(tokens[i - 1], tokens[i + 1]))]
            i -= 1
        elif tokens[i] == "-" and (i == 0 or isinstance(tokens[i - 1], str)):
            tokens[i : i + 2] = [clamp(-tokens[i + 1])]
        i -= 1
    for signs in ("*/", "+-"):
        i = 1
        while i < len(tokens):
            sign = tokens[i]
            if sign in signs:
                a, b = tokens[i - 1], tokens[i + 1]
                if sign == "*":
                    x = a * b
                elif sign == "/":
                    x = divide(a, b)
                else:
                    x = a + b if sign == "+" else a - b
                tokens[i - 1 : i + 2] = [clamp(x)]
            else:
                i += 2
    return tokens[0]


class Solution:
    def solve(self, formula):
        tokens = re.findall(r"\d+|.", "(" + formula + ")")
        for i, token in enumerate(tokens):
            if token.isdigit():
                token = token.lstrip("0") or "0"
                tokens[i] = int(token) if len(token) < 7 else 999999
        try:
            while len(tokens) > 1:
                close = 0
                while tokens[close] != ")":
                    close += 1
                start = close
                while tokens[start] != "(":
                    start -= 1
                tokens[start : close + 1] = [flat(tokens[start + 1 : close])]
        except ZeroDivisionError:
            return None
        return tokens[0]
