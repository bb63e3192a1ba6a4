class Solution:
    def solve(self, text, need):
        counts = {c: need.count(c) for c in set(need)}
        places = {c: [] for c in counts}
        for i, c in enumerate(text):
            if c in counts:
                places[c].append(i)
        if any(len(places[c]) < counts[c] for c in counts):
            return ""
        starts = sorted(i for c in counts for i in places[c])
        used, best = dict.fromkeys(counts, 0), None
        end = max(places[c][counts[c] - 1] for c in counts)
        for start in starts:
            if best is None or end - start < best[1] - best[0]:
                best = (start, end)
            c = text[start]
            used[c] += 1
            if used[c] + counts[c] > len(places[c]):
                break
            end = max(end, places[c][used[c] + counts[c] - 1])
        return text[best[0]:best[1] + 1]
