class Solution:
    def solve(self, parents, lengths, queries):
        answers = []
        for u, v, a, b in queries:
            from_u = [u]
            while parents[from_u[-1]] >= 0:
                from_u.append(parents[from_u[-1]])
            from_v = [v]
            while from_v[-1] not in from_u:
                from_v.append(parents[from_v[-1]])
            top = from_v.pop()
            way = from_u[: from_u.index(top) + 1] + from_v[::-1]
            places = [0]
            for x, y in zip(way, way[1:]):
                places.append(places[-1] + lengths[x if parents[x] == y else y])
            for x, place in zip(way, places):
                if place * (a + b) <= places[-1] * a:
                    last = x
            answers.append(last)
        return answers
