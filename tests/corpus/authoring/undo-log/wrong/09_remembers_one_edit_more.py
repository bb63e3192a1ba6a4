class Solution:
    def solve(self, log, limit):
        past, text, future = [], "", []
        for entry in log:
            if entry == "<":
                if past:
                    future.append(text)
                    text = past.pop()
            elif entry == ">":
                if future:
                    past.append(text)
                    text = future.pop()
            else:
                new = text[: max(0, len(text) - int(entry))] if entry.isdigit() else text + entry
                if new != text:
                    past.append(text)
                    text, future = new, []
                    if len(past) > limit + 1:
                        past.pop(0)
        return text
