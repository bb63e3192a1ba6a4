import heapq
import sys


class Node:
    __slots__ = ("weight", "left", "right")

    def __init__(self, weight, left=None, right=None):
        self.weight = weight
        self.left = left
        self.right = right

    def __lt__(self, other):
        return self.weight < other.weight


def build(weights):
    heap = [Node(w) for w in weights]
    heapq.heapify(heap)
    while len(heap) > 1:
        a = heapq.heappop(heap)
        b = heapq.heappop(heap)
        heapq.heappush(heap, Node(a.weight + b.weight, a, b))
    return heap[0]


def cost(root):
    total, longest = 0, 0
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if node.left is None:
            total += node.weight * depth
            longest = max(longest, depth)
        else:
            stack.append((node.left, depth + 1))
            stack.append((node.right, depth + 1))
    return total, longest


n = int(sys.stdin.readline())
weights = list(map(int, sys.stdin.readline().split()))
print(*cost(build(weights)))
