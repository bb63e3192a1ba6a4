class Solution:
    def solve(self, n, events):
        troupe, own = list(range(n)), [0] * n
        members, sizes, given = [[singer] for singer in range(n)], [1] * n, [0] * n
        answers = []
        for kind, a, b in events:
            first = troupe[a]
            if kind == 2:
                given[first] += b // sizes[first]
                continue
            second = troupe[b]
            if kind == 4:
                answers.append(own[a] + given[first] - own[b] - given[second])
            elif first == second:
                continue
            elif kind == 3:
                members[second].append(a)
                sizes[first] -= 1
                sizes[second] += 1
                own[a] += given[first] - given[second]
                troupe[a] = second
            else:
                if sizes[first] < sizes[second]:
                    first, second = second, first
                for singer in members[second]:
                    own[singer] += given[second] - given[first]
                    troupe[singer] = first
                members[first] += members[second]
                sizes[first] += sizes[second]
        return answers
