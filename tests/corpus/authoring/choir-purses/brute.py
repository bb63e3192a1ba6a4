class Solution:
    def solve(self, n, events):
        troupe, purse = list(range(n)), [0] * n
        answers = []
        for kind, a, b in events:
            if kind == 1:
                old, new = troupe[a], troupe[b]
                troupe = [new if number == old else number for number in troupe]
            elif kind == 2:
                members = [singer for singer in range(n) if troupe[singer] == troupe[a]]
                for singer in members:
                    purse[singer] += b // len(members)
            elif kind == 3:
                troupe[a] = troupe[b]
            else:
                answers.append(purse[a] - purse[b])
        return answers
