class Solution:
    def solve(self, steps, capacity, life):
        entries = []  # [key, value, written], the one used last at the end
        answer = []
        for now, step in enumerate(steps):
            entries = [entry for entry in entries if now <= entry[2] + life]
            found = [entry for entry in entries if entry[0] == step[0]]
            others = [entry for entry in entries if entry[0] != step[0]]
            if len(step) == 1:
                answer.append(found[0][1] if found else -1)
                entries = others + found
            else:
                if not found and len(others) == capacity:
                    others = others[1:]
                entries = [*others, [step[0], step[1], now]]
        return answer
