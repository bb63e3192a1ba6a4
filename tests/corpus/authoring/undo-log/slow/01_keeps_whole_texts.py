from collections import deque


class Solution:
    def solve(self, log, limit):
        letters = []
        past = deque(maxlen=limit)
        future = []
        for entry in log:
            text = "".join(letters)
            if entry == "<":
                if past:
                    future.append(text)
                    letters = list(past.pop())
            elif entry == ">":
                if future:
                    past.append(text)
                    letters = list(future.pop())
            else:
                if entry.isalpha():
                    letters.extend(entry)
                else:
                    letters = letters[: max(0, len(letters) - int(entry))]
                if len(letters) != len(text):
                    past.append(text)
                    future = []
        return "".join(letters)
