import re


def clamp(x):
    return max(-99999, min(999999, x))


def divide(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def power(a, b):
    if b < 0:
        return a ** (b % 2) if abs(a) == 1 else divide(0, a)
    return a ** min(b, 20 + b % 2)


class Solution:
    def solve(self, formula):
        tokens = []
        for t in re.findall(r"\d+|.", "(" + formula + ")"):
            if t.isdigit():
                t = t.lstrip("0") or "0"
                tokens.append(int(t) if len(t) < 7 else 999999)
            elif t == "-" and isinstance(tokens[-1], str) and tokens[-1] != ")":
                tokens.append("neg")
            else:
                tokens.append(t)
        try:
            while len(tokens) > 1:
                start = 0
                for i, token in enumerate(tokens):
                    if token == "(":
                        start = i
                    elif token == ")":
                        break
                tokens[start : i + 1] = [self.value(tokens[start + 1 : i])]
        except ZeroDivisionError:
            return None
        return tokens[0]

    def value(self, tokens):
        terms, factors, tower = [], [], []
        plus, sign = "+", "*"
        for token in [*tokens, "+"]:
            if isinstance(token, int) or token in ("neg", "^"):
                tower.append(token)
                continue
            x = tower.pop()
            while tower:
                if tower.pop() == "neg":
                    x = clamp(-x)
                else:
                    x = clamp(power(tower.pop(), x))
            if factors:
                x = clamp(factors[0] * x) if sign == "*" else clamp(divide(factors[0], x))
            factors = [x]
            if token in "*/":
                sign = token
                continue
            if terms:
                x = clamp(terms[0] + x if plus == "+" else terms[0] - x)
            terms, factors = [x], []
            plus = token
        return terms[0]
