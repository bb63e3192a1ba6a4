class Solution:
    def solve(self, reef):
        kinds, counts = {}, {}
        for start, first in enumerate(reef):
            if first not in "([{":
                continue
            growing = [[]]
            for end in range(start, len(reef)):
                if reef[end] in "([{":
                    growing.append([])
                else:
                    key = (reef[end], *sorted(growing.pop()))
                    growing[-1].append(kinds.setdefault(key, len(kinds)))
                    if len(growing) == 1:
                        break
            group = ((end - start + 1) // 2, growing[0][0])
            counts[group] = counts.get(group, 0) + 1
        return max(([size, count] for (size, _), count in counts.items() if count > 1), default=[0, 0])
