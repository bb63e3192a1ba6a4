class Solution:
    def solve(self, requests):
        requests = sorted(requests)
        best, todo = 0, [(0, 0, 0)]
        while todo:
            i, free, total = todo.pop()
            while i < len(requests) and requests[i][0] < free:
                i += 1
            if i == len(requests):
                best = max(best, total)
            else:
                todo.append((i + 1, free, total))
                todo.append((i + 1, requests[i][1], total + requests[i][2]))
        return best
