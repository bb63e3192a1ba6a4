class Solution:
    def solve(self, n, events):
        troupe, own = list(range(n)), [0] * n
        members, given = [{singer} for singer in range(n)], [0] * n
        answers = []

        def go(singer, new):
            old = troupe[singer]
            members[old].remove(singer)
            members[new].add(singer)
            own[singer] += given[old] - given[new]
            troupe[singer] = new

        for kind, a, b in events:
            first = troupe[a]
            if kind == 2:
                given[first] += b // len(members[first])
                continue
            second = troupe[b]
            if kind == 4:
                answers.append(own[a] + given[first] - own[b] - given[second])
            elif kind == 3:
                if a == b or first != second:
                    members.append(set())
                    given.append(0)
                    go(a, len(members) - 1)
                    if troupe[b] != troupe[a]:
                        go(a, troupe[b])
            elif first != second:
                if len(members[first]) < len(members[second]):
                    first, second = second, first
                for singer in list(members[second]):
                    go(singer, first)
        return answers
