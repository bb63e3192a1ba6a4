class Solution:
    def solve(self, n, needs, wanted, built):
        todo = {package for package in wanted if package not in built}
        while True:
            more = {b for a, b in needs if a in todo and b not in built} | todo
            if more == todo:
                break
            todo = more
        order = []
        while len(order) < len(todo):
            able = [
                package
                for package in sorted(todo)
                if package not in order
                and all(b in built or b in order for a, b in needs if a == package)
            ]
            if not able:
                return [-1]
            order.append(able[0])
        return order
