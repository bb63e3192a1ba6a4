class Solution:
    def solve(self, text, k):
        ends = {}
        for at, sign in enumerate(text):
            if sign == "(":
                depth, end = 1, at + 1
                while end < len(text) and depth:
                    if text[end] == "(":
                        depth += 1
                    elif text[end] == ")":
                        depth -= 1
                    end += 1
                ends[at] = end
        inside = {}
        for at in sorted(ends, reverse=True):
            end = ends[at]
            length, number, place = 0, None, at + 1
            while place < end:
                sign = text[place]
                times = 1 if number is None else number
                if sign.isdigit():
                    number = min((number or 0) * 10 + int(sign), k)
                    place += 1
                    continue
                number = None
                if sign == "(":
                    length = min(length + times * inside[place], k)
                    place = ends[place]
                else:
                    length = min(length + (times if sign != ")" else 0), k)
                    place += 1
            inside[at] = length
        number, place, left = None, 0, k
        while place < len(text):
            sign = text[place]
            times = 1 if number is None else number
            if sign.isdigit():
                number = min((number or 0) * 10 + int(sign), k)
                place += 1
                continue
            number = None
            if sign == "(":
                if left > times * inside[place]:
                    left -= times * inside[place]
                    place = ends[place]
                else:
                    left = (left - 1) % inside[place] + 1
                    place += 1
                continue
            if sign != ")":
                if left <= times:
                    return sign
                left -= times
            place += 1
        return ""
