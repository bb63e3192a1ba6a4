class Solution:
    def solve(self, n, needs, wanted, built):
        ready = set(built)
        todo = set(wanted) - ready
        size = -1
        while size < len(todo):
            size = len(todo)
            for a, b in needs:
                if a in todo and b not in ready:
                    todo.add(b)
        order = []
        while todo:
            blocked = set()
            for a, b in needs:
                if b not in ready:
                    blocked.add(a)
            able = todo - blocked
            if not able:
                return [-1]
            package = min(able)
            todo.remove(package)
            ready.add(package)
            order.append(package)
        return order
