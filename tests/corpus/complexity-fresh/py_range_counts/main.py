import sys
from bisect import bisect_left, bisect_right


def main():
    read = sys.stdin.buffer.readline
    n, m = map(int, read().split())
    a = sorted(map(int, read().split()))
    answers = []
    for _ in range(m):
        lo, hi = map(int, read().split())
        answers.append(bisect_right(a, hi) - bisect_left(a, lo))
    print("\n".join(map(str, answers)))


main()
