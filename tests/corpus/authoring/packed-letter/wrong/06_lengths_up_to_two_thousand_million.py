import re


class Solution:
    def solve(self, text, k):
        bound = 2**31 - 1
        pieces = re.findall("[0-9]+|[a-z()]", text)
        # The number of each piece, the place behind its group and the length of the group's content.
        times = [1] * len(pieces)
        behind = list(range(1, len(pieces) + 1))
        inside = [1] * len(pieces)
        opened, lengths = [], [0]
        for at, piece in enumerate(pieces):
            if at and pieces[at - 1].isdigit():
                digits = pieces[at - 1].lstrip("0")
                times[at] = int(digits or "0") if len(digits) < 10 else bound
            if piece == "(":
                opened.append(at)
                lengths.append(0)
            elif piece == ")":
                if opened:
                    start = opened.pop()
                    inside[start] = lengths.pop()
                    behind[start] = at + 1
                    lengths[-1] = min(lengths[-1] + inside[start] * times[start], bound)
            elif piece.isalpha():
                lengths[-1] = min(lengths[-1] + times[at], bound)
        while opened:
            start = opened.pop()
            inside[start] = lengths.pop()
            behind[start] = len(pieces)
            lengths[-1] = min(lengths[-1] + inside[start] * times[start], bound)
        if lengths[0] < k:
            return ""
        left = k
        at = 0
        while True:
            piece = pieces[at]
            if piece == "(":
                if left > times[at] * inside[at]:
                    left -= times[at] * inside[at]
                    at = behind[at]
                else:
                    left = (left - 1) % inside[at] + 1
                    at += 1
                continue
            if piece.isalpha():
                if left <= times[at]:
                    return piece
                left -= times[at]
            at += 1
