class Solution:
    def solve(self, beads, pairs):
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        letters = sorted(set(beads))
        # Letters that may pass all others are put in at the end.
        passing = [c for c in letters if all(c == d or c + d in allowed for d in letters)]
        added = [c for c in beads if c in passing]
        beads = [c for c in beads if c not in passing]
        n = len(beads)
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
        for c in sorted(added):
            place = len(result)
            while place > 0 and result[place - 1] > c:
                place -= 1
            result.insert(place, c)
        return "".join(result)
