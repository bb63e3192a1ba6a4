"""doc"""
from __future__ import annotations
import sys, heapq as hq, functools, asyncio, threading, atexit, itertools
from heapq import heappush as hp, heappop
from collections import *
from dataclasses import dataclass, field
from enum import Enum
input = sys.stdin.readline
hpop = hq.heappop
print(__doc__, __name__, sys.argv, len(sorted(globals())), sorted(k for k in globals() if "steelyard" in k))
class Color(Enum):
    RED = 1
    BLUE = RED + 1
@dataclass(order=True)
class P:
    x: int
    y: list[int] = field(default_factory=list)
    __slots__ = ("x", "y") if False else ()
class Q:
    __slots__ = ("__a", "s")
    "class doc"
    def __init__(self, n):
        """init doc"""
        self.__a = n; self.s = ""
        for i in range(n): self.s += str(i)
    @property
    def a(self): return self.__a
    @classmethod
    def make(cls, n): return cls(n)
    def insert(self, i, d=0):
        return self.insert(i - 1, d + 1) if i else d
    def update(self, x): return x
    def pop(self, k): return k * 2
    def index(self, *a): return sum(a)
    def join(self, it): return list(it)
class R(Q):
    def __init__(self): super().__init__(3); super().insert(2)
    def __eq__(self, o): return True
    __hash__ = None
q = Q.make(5); print(q.a, q.s, q.insert(450), q.update(map(int, "12")).__class__.__name__, q.pop(q.a), q.index(1, 2), q.join(map(int, "123")), Q.__init__.__doc__, R() == 3, R() in [1], [R()] == [1])
class L(list):
    def pop(self, i=-1): print("L.pop", i); return super().pop(i)
    def __contains__(self, x): print("in"); return super().__contains__(x)
l = L([3, 1, 2]); l.sort(); print(l.pop(0), 2 in l, l, l + [1], type(l + [1]))
@functools.lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(200), fib.cache_info())
def gen(n):
    x = 0
    try:
        while x < n:
            y = yield x
            x += y or 1
    finally: print("closed")
g = gen(10); print(next(g), g.send(5), list(itertools.islice(g, 2))); del g
for v in gen(5):
    if v == 2: break
print("after")
def outer():
    s = ""; c = 0
    def inner():
        nonlocal s, c
        s += "x"; c = c + 1
    for _ in range(5): inner()
    print(s, c, sorted(locals()))
outer()
async def co(n):
    async def agen():
        for i in range(n): yield i
    r = [i async for i in agen()]
    async for i in agen(): r.append(i)
    return sum([i for i in r])
print(asyncio.run(co(4)))
match [1, 2, {"a": 1 + 2}]:
    case [1, x, {"a": 3, **rest}] if x > 1: print("case", x, rest)
    case _: print("none")
match 1+2j:
    case 1+2j: print("complex")
if (w := len("abc")) > 2: print(w, f"{w:>{5}} {w!r:>5} {w=}", "%d %s" % (w, "a"), "{:>4}".format(w))
print(*[1, 2], *map(str, range(3)), sep=",")
a, *b = sorted(map(int, "3142")); print(a, b, max(*b), min(b), max([1], default=3))
d = defaultdict(list); d["a"] += [1]; d["a"] += (2,); print(d, dict(zip("ab", [1, 2])), {k: v for k, v in d.items() if v})
k = [1, 2, 3, 4]; del k[0], k[-1]; k[0:1] = [9, 9]; k *= 2; k.insert(1, 7); i = 2; k.pop(i); k.insert(i, 5); print(k, k[::-1], k[1:][0], k.index(5), k.count(9), 9 in k, 10 not in k, (1, 2) == (1, 2))
h = []; [hp(h, x) for x in (3, 1, 2)]; print(hpop(h), heappop(h), hq.nlargest(1, h))
f = lambda x, *y, z=3, **kw: x + z + sum(y); print(f(1, 2, z=4), (lambda: 0)(), list(map(lambda x: [], range(2))))
x = 1
for e in range(2, 60): x *= e
print(x, 2 ** 300 % 7, pow(3, 200), pow(3, 200, 10**30), x // 10**20, x % 97, 1 << 100)
try: [].pop(0)
except IndexError as e: print("E", e)
try: 5 in 5
except TypeError as e: print("E", e)
try: sum(1 for _ in 5)
except TypeError as e: print("E", e)
try: {}.foo(1)
except AttributeError as e: print("E", e)
try: sorted([1, "a"])
except TypeError as e: print("E", e)
try:
    try: 1 / 0
    finally: print("fin")
except ZeroDivisionError: print("Z")
else: print("no")
try: raise ExceptionGroup("g", [ValueError(1)])
except* ValueError as e: print(e.exceptions)
def rec(n): return 0 if n == 0 else 1 + rec(n - 1)
def depth():
    lo = 0
    try:
        def go(n):
            nonlocal lo
            lo = n
            go(n + 1)
        go(0)
    except RecursionError: return lo > 900
print(depth(), rec(900))
def rs(n): return 1 if n == 0 else sum(rs(n - 1) for _ in range(1)) + max([rs(0)])
print(rs(300))
n, m = map(int, input().split()); print(n, m, [input().strip() for _ in range(m)], sys.stdin.read().split())
t = threading.Thread(target=lambda: print("thread", sum(range(10)))); t.start(); t.join()
atexit.register(lambda: print("bye", len([1] + [2])))
s = "ab" * 3; s = s + "c"; s += "d" + s; print(s, "b" in s, s.find("c"), s.replace("a", "z"), s.split("b"), "".join(c for c in s if c > "a"), ",".join(map(str, [1, 2])))
print(eval("[x for x in range(3)]"), sorted(x * 2 for x in [3, 1]), sorted([3, 1], reverse=True, key=lambda v: -v), list(zip(*[[1, 2], [3, 4]])))
exec("zz = sum([1, 2])"); print(zz, [*range(2), *"ab"], {**{"a": 1}}, {1, 2} | {3}, {1, 2} & {2}, {1: 2} | {3: 4})
with open("/dev/null") as fh: print(len(list(fh)))
while True:
    n -= 1
    if n < 0: break
else: print("never")
for z in []: pass
else: print("else")
assert [c for r in [[1, 2], [3]] for c in r if c != 2] == [1, 3]
