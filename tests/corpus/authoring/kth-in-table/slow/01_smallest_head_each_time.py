class Solution:
    def solve(self, table, k):
        places = [0] * len(table)
        for _ in range(k):
            left = [i for i in range(len(table)) if places[i] < len(table[i])]
            best = min(left, key=lambda i: table[i][places[i]])
            answer = table[best][places[best]]
            places[best] += 1
        return answer
