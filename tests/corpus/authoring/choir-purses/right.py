class Solution:
    def solve(self, n, events):
        # A troupe is a tree of numbers; a singer has his own coins and those given to his number and above.
        above, given, sizes = list(range(n)), [0] * n, [1] * n
        home, own = list(range(n)), [0] * n

        def top(number):
            path = []
            while above[number] != number:
                path.append(number)
                number = above[number]
            total = 0
            for node in reversed(path):
                total += given[node]
                given[node] = total
                above[node] = number
            return number

        def coins(singer):
            number = home[singer]
            root = top(number)
            return own[singer] + given[root] + (given[number] if number != root else 0)

        answers = []
        for kind, a, b in events:
            if kind == 4:
                answers.append(coins(a) - coins(b))
                continue
            root = top(home[a])
            if kind == 2:
                given[root] += b // sizes[root]
                continue
            other = top(home[b])
            if root == other:
                continue
            if kind == 1:
                if sizes[root] < sizes[other]:
                    root, other = other, root
                above[other] = root
                given[other] -= given[root]
                sizes[root] += sizes[other]
            else:
                own[a] = coins(a) - given[other]
                home[a] = other
                sizes[root] -= 1
                sizes[other] += 1
        return answers
