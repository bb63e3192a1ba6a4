class Solution:
    def solve(self, n, events):
        troupe, purse = list(range(n)), [0] * n
        members = [[singer] for singer in range(n)]
        answers = []
        for kind, a, b in events:
            first = troupe[a]
            if kind == 2:
                share = b // len(members[first])
                for singer in members[first]:
                    purse[singer] += share
            elif kind == 4:
                answers.append(purse[a] - purse[b])
            elif troupe[b] != first:
                second = troupe[b]
                moved = members[first] if kind == 1 else [a]
                for singer in moved:
                    troupe[singer] = second
                members[second] += moved
                members[first] = [] if kind == 1 else [singer for singer in members[first] if singer != a]
        return answers
