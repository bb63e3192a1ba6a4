# n=200000 ms=2000 mib=256
import heapq
import sys

def main():
    data = list(map(int, sys.stdin.buffer.read().split()))
    n = data[0]
    heap = data[1:n + 1]
    heapq.heapify(heap)
    total = 0
    while len(heap) > 1:
        x = heapq.heappop(heap)
        y = heapq.heappop(heap)
        total += x + y
        heapq.heappush(heap, x + y)
    print(total)

main()
