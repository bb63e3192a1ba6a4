class Solution:
    def solve(self, s):
        marks = list(s)
        found = True
        while found:
            found, last = False, -1
            for i, c in enumerate(marks):
                if c == "(":
                    last = i
                elif c == ")":
                    if last >= 0:
                        marks[last] = marks[i] = "."
                        found = True
                    last = -1
        return max(map(len, "".join(marks).replace(")", "(").split("(")))
