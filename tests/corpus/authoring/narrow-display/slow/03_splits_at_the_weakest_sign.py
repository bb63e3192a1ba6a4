import re

LOW, HIGH = -99999, 999999


def combine(sign, a, b):
    if sign == "+":
        x = a + b
    elif sign == "-":
        x = a - b
    elif sign == "*":
        x = a * b
    elif sign == "/":
        x = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    elif b >= 0:
        x = a ** min(b, 20 + b % 2)
    elif a in (1, -1):
        x = a ** (b % 2)
    else:
        x = 0 // a
    return max(LOW, min(HIGH, x))


class Solution:
    def solve(self, formula):
        tokens = re.findall(r"\d+|.", formula)
        order, parts = [], [(0, len(tokens))]
        while parts:
            low, high = parts.pop()
            depth, best, at = 0, 9, -1
            for i in range(low, high):
                token = tokens[i]
                if token == "(":
                    depth += 1
                elif token == ")":
                    depth -= 1
                elif depth == 0 and token in "+-*/^":
                    if i == low:
                        best, at = 3, i
                    elif tokens[i - 1] not in "+-*/^":
                        rank = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}[token]
                        if rank < best or rank == best < 3:
                            best, at = rank, i
            if best == 9:
                if tokens[low] == "(":
                    parts.append((low + 1, high - 1))
                else:
                    order.append(tokens[low])
            elif at == low:
                order.append("neg")
                parts.append((low + 1, high))
            else:
                order.append(tokens[at])
                parts.append((low, at))
                parts.append((at + 1, high))
        values = []
        try:
            for token in reversed(order):
                if token.isdigit():
                    token = token.lstrip("0") or "0"
                    values.append(int(token) if len(token) < 7 else HIGH)
                elif token == "neg":
                    values[-1] = max(LOW, -values[-1])
                else:
                    b = values.pop()
                    a = values.pop()
                    values.append(combine(token, a, b))
        except ZeroDivisionError:
            return None
        return values[0]
