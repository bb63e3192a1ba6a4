class Solution:
    def solve(self, text, k):
        # A group is a list of (end, unit, content), where no length is above k.
        outside = []
        group, length, number = [], 0, None
        skipped = False
        for sign in text:
            if skipped:
                skipped = sign != ")"
                continue
            if sign.isdigit():
                number = min((number or 0) * 10 + int(sign), k)
                continue
            times = 1 if number is None else number
            number = None
            if sign == "(" and not times:
                skipped = True
            elif sign == "(":
                outside.append((group, length, times))
                group, length = [], 0
            elif sign == ")":
                if outside:
                    group, length = self.close(outside, group, length, k)
            elif times:
                length = min(length + times, k)
                group.append((length, 1, sign))
        while outside:
            group, length = self.close(outside, group, length, k)
        if length < k:
            return ""
        position = k - 1
        while True:
            start = 0
            for end, unit, content in group:
                if position < end:
                    break
                start = end
            if isinstance(content, str):
                return content
            position = (position - start) % unit
            group = content

    def close(self, outside, content, unit, k):
        group, length, times = outside.pop()
        if unit * times:
            length = min(length + unit * times, k)
            group.append((length, unit, content))
        return group, length
