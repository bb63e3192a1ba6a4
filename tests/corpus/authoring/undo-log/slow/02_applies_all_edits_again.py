class Solution:
    def solve(self, log, limit):
        edits = []
        now = low = 0
        text = ""
        for entry in log:
            if entry == "<":
                now = max(low, now - 1)
            elif entry == ">":
                now = min(len(edits), now + 1)
            elif entry.isalpha() or int(entry) and text:
                edits = edits[:now] + [entry]
                now += 1
                low = max(low, now - limit)
            letters = []
            for edit in edits[:now]:
                if edit.isalpha():
                    letters.append(edit)
                else:
                    whole = "".join(letters)
                    letters = [whole[: max(0, len(whole) - int(edit))]]
            text = "".join(letters)
        return text
