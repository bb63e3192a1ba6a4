class Solution:
    def solve(self, steps, capacity, life):
        entries = []
        answer = []
        for now, step in enumerate(steps):
            at = 0
            found = None
            while at < len(entries):
                if entries[at][2] + life < now:
                    entries.pop(at)
                elif entries[at][0] == step[0]:
                    found = entries.pop(at)
                else:
                    at += 1
            if len(step) == 1:
                answer.append(found[1] if found else -1)
                if found:
                    entries.append(found)
            else:
                if not found and len(entries) == capacity:
                    entries.pop(0)
                entries.append((step[0], step[1], now))
        return answer
