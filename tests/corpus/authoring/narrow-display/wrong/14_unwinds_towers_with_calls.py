def clamp(x):
    return max(-99999, min(999999, x))


def divide(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def power(a, b):
    if a in (1, -1):
        return a if b % 2 else 1
    if b < 0:
        return divide(0, a)
    x = 1
    for _ in range(b if b < 20 else 20 + b % 2):
        x *= a
    return clamp(x)


class Frame:
    """The open part of one bracket: a sum, a product, and a tower of powers and minuses."""

    def __init__(self):
        self.total, self.plus = 0, True
        self.product, self.sign = None, "*"
        self.tower = []

    def climb(self, i):
        if i == len(self.tower) - 1:
            return self.tower[i]
        if self.tower[i] == "-":
            return clamp(-self.climb(i + 1))
        return power(self.tower[i], self.climb(i + 1))

    def end_tower(self):
        x = self.climb(0)
        self.tower.clear()
        if self.product is None:
            self.product = x
        elif self.sign == "*":
            self.product = clamp(self.product * x)
        else:
            self.product = clamp(divide(self.product, x))

    def end_product(self):
        self.end_tower()
        x, self.product = self.product, None
        self.total = clamp(self.total + x if self.plus else self.total - x)


class Solution:
    def solve(self, formula):
        try:
            return self.value(formula)
        except ZeroDivisionError:
            return None

    def value(self, formula):
        frames = [Frame()]
        frame = frames[0]
        number = None
        before = "("
        for c in formula + ")":
            if c.isdigit():
                number = min(999999, (number or 0) * 10 + int(c))
                before = c
                continue
            if number is not None:
                frame.tower.append(number)
                number = None
            if c == "(":
                frame = Frame()
                frames.append(frame)
            elif c == ")":
                frame.end_product()
                x = frames.pop().total
                if not frames:
                    return x
                frame = frames[-1]
                frame.tower.append(x)
            elif c == "-" and not (before.isdigit() or before == ")"):
                frame.tower.append("-")
            elif c in "+-":
                frame.end_product()
                frame.plus = c == "+"
            elif c in "*/":
                frame.end_tower()
                frame.sign = c
            before = c
