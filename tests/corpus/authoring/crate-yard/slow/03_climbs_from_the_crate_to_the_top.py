class Solution:
    def solve(self, n, operations):
        weight, under, above, gone = [], [], [], []
        bottom = [-1] * n
        top = [-1] * n
        answers = []
        for kind, a, b in operations:
            if kind == "put":
                crate = len(weight)
                weight.append(b)
                under.append(top[a])
                above.append(-1)
                gone.append(False)
                if top[a] >= 0:
                    above[top[a]] = crate
                else:
                    bottom[a] = crate
                top[a] = crate
            elif kind == "move":
                if a == b or top[a] < 0:
                    continue
                if top[b] < 0:
                    bottom[b] = bottom[a]
                else:
                    above[top[b]] = bottom[a]
                    under[bottom[a]] = top[b]
                top[b] = top[a]
                top[a] = bottom[a] = -1
            elif kind == "take":
                taken = 0
                while b > 0 and top[a] >= 0:
                    crate = top[a]
                    taken += weight[crate]
                    gone[crate] = True
                    top[a] = under[crate]
                    b -= 1
                if top[a] >= 0:
                    above[top[a]] = -1
                answers.append(taken)
            elif a >= len(weight) or gone[a]:
                answers.append(-1)
            else:
                load = 0
                crate = above[a]
                while crate >= 0:
                    load += weight[crate]
                    crate = above[crate]
                answers.append(load)
        return answers
