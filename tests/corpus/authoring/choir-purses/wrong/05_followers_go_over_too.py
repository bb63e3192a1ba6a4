class Solution:
    def solve(self, n, events):
        above, given, sizes = list(range(n)), [0] * n, [1] * n

        def top(singer):
            while above[singer] != singer:
                singer = above[singer]
            return singer

        def coins(singer):
            total = given[singer]
            while above[singer] != singer:
                singer = above[singer]
                total += given[singer]
            return total

        answers = []
        for kind, a, b in events:
            if kind == 4:
                answers.append(coins(a) - coins(b))
                continue
            root = top(a)
            if kind == 2:
                given[root] += b // sizes[root]
                continue
            other = top(b)
            if root == other:
                continue
            if kind == 1:
                if sizes[root] < sizes[other]:
                    root, other = other, root
                above[other] = root
                given[other] -= given[root]
                sizes[root] += sizes[other]
            else:
                given[a] = coins(a) - given[other]
                above[a] = other
                sizes[root] -= 1
                sizes[other] += 1
        return answers
