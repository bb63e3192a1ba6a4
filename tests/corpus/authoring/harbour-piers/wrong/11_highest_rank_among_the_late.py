class Solution:
    def solve(self, piers, limit, ships):
        results = [[-1, -1] for _ in ships]
        free_at = [0] * piers
        left = set(range(len(ships)))
        now = 0
        while left:
            waiting = [i for i in left if ships[i][0] <= now]
            free = [p for p in range(piers) if free_at[p] <= now]
            for i in waiting[:]:
                if ships[i][0] + ships[i][3] < now:
                    left.remove(i)
                    waiting.remove(i)
            if free and waiting:
                late = [i for i in waiting if ships[i][0] + limit <= now]
                if late:
                    i = min(late, key=lambda i: (-ships[i][1], ships[i][0], i))
                else:
                    i = min(waiting, key=lambda i: (-ships[i][1], ships[i][0], i))
                results[i] = [free[0], now]
                free_at[free[0]] = now + ships[i][2]
                left.remove(i)
            else:
                later = [ships[i][0] for i in left] + free_at
                now = min([moment for moment in later if moment > now], default=now)
        return results
