class Solution:
    def solve(self, beads, pairs):
        n = len(beads)
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        for b in "abcdef":
            for a in "abcdef":
                for c in "abcdef":
                    if a + b in allowed and b + c in allowed:
                        allowed.add(a + c)
        letters = sorted(set(beads))
        size = len(letters)
        places = [[n] for _ in letters]
        number = {letter: k for k, letter in enumerate(letters)}
        for i in range(n - 1, -1, -1):
            places[number[beads[i]]].append(i)
        # The letters that may not pass each letter.
        walls = [[d for d in range(size) if d != c and letters[c] + letters[d] not in allowed] for c in range(size)]
        head = [row.pop() for row in places]
        before = [sum(head[d] < head[c] for d in walls[c]) for c in range(size)]
        result = []
        for _ in range(n):
            c = before.index(0)
            result.append(letters[c])
            old = head[c]
            head[c] = new = places[c].pop()
            if new == n:
                before[c] = size
            for d in walls[c]:
                if old < head[d] < new:
                    before[d] -= 1
                    before[c] += 1
        return "".join(result)
