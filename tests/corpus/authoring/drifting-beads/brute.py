class Solution:
    def solve(self, beads, pairs):
        seen = {beads}
        todo = [beads]
        while todo:
            now = todo.pop()
            for i in range(len(now) - 1):
                a, b = now[i], now[i + 1]
                if a + b in pairs or b + a in pairs:
                    then = now[:i] + b + a + now[i + 2 :]
                    if then not in seen:
                        seen.add(then)
                        todo.append(then)
        return min(seen)
