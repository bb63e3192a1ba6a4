class Solution:
    def solve(self, text, k):
        self.text, self.at, self.most = text, 0, k
        group = self.read(True)
        if self.length(group) < k:
            return ""
        return self.find(group, k - 1)

    def read(self, top):
        """Read up to the bracket that closes the group: a list of (times, unit, content)."""
        group = []
        number = None
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign.isdigit():
                number = min((number or 0) * 10 + int(sign), self.most)
                continue
            times = 1 if number is None else number
            number = None
            if sign == "(":
                content = self.read(False)
                group.append((times, self.length(content), content))
            elif sign != ")":
                group.append((times, 1, sign))
            elif not top:
                break
        return group

    def length(self, group):
        return min(sum(times * unit for times, unit, _ in group), self.most)

    def find(self, group, position):
        for times, unit, content in group:
            if position < times * unit:
                return content if isinstance(content, str) else self.find(content, position % unit)
            position -= times * unit
        return ""
