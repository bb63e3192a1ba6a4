import re


def clamp(x):
    return max(-99999, min(999999, x))


def divide(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def power(a, b):
    if b < 0:
        return a ** (b % 2) if abs(a) == 1 else divide(0, a)
    return a ** (b if b < 20 else 20 + b % 2)


class Solution:
    def solve(self, formula):
        self.tokens = re.findall(r"\d+|.", formula) + [""]
        self.at = 0
        try:
            return self.sum()
        except ZeroDivisionError:
            return None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def sum(self):
        x = self.product()
        while self.tokens[self.at] in ("+", "-"):
            if self.take() == "+":
                x = clamp(x + self.product())
            else:
                x = clamp(x - self.product())
        return x

    def product(self):
        x = self.signed()
        while self.tokens[self.at] in ("*", "/"):
            if self.take() == "*":
                x = clamp(x * self.signed())
            else:
                x = clamp(divide(x, self.signed()))
        return x

    def signed(self):
        if self.tokens[self.at] == "-":
            self.take()
            return clamp(-self.signed())
        x = self.atom()
        if self.tokens[self.at] == "^":
            self.take()
            x = clamp(power(x, self.signed()))
        return x

    def atom(self):
        token = self.take()
        if token == "(":
            x = self.sum()
            self.take()
            return x
        digits = token.lstrip("0") or "0"
        return int(digits) if len(digits) < 7 else 999999
