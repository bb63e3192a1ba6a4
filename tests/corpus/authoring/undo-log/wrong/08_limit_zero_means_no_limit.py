from collections import deque


class Solution:
    def solve(self, log, limit):
        text = []
        done = deque(maxlen=limit or None)
        undone = []
        for entry in log:
            if entry == "<":
                if done:
                    edit = done.pop()
                    undone.append(edit)
                    typed, letters = edit
                    if typed:
                        del text[len(text) - len(letters) :]
                    else:
                        text.extend(letters)
            elif entry == ">":
                if undone:
                    edit = undone.pop()
                    done.append(edit)
                    typed, letters = edit
                    if typed:
                        text.extend(letters)
                    else:
                        del text[len(text) - len(letters) :]
            elif entry.isalpha():
                text.extend(entry)
                done.append((True, entry))
                undone.clear()
            else:
                at = max(0, len(text) - int(entry))
                if at < len(text):
                    done.append((False, text[at:]))
                    del text[at:]
                    undone.clear()
        return "".join(text)
