"""A candidate that acts where no comparison sees it is named; a faster one never is."""

import pytest

from steelyard.comparing._screening import screen

ORIGINAL = "def f(values):\n    return sum(values)\n"

HARMLESS = [
    "import math\ndef f(v): return math.fsum(v)",
    "import numpy as np\ndef f(v): return np.asarray(v).sum()",
    """import functools
@functools.lru_cache(maxsize=None)
def g(n): return n
def f(v): return g(v)""",
    """from functools import cache, reduce
import operator
def f(v): return reduce(operator.add, v)""",
    "from itertools import accumulate, chain\ndef f(v): return list(chain(*v))",
    """from operator import itemgetter, attrgetter
def f(v): return sorted(v, key=attrgetter('a.b'))""",
    "import bisect\ndef f(v): return bisect.bisect_left(v, 3)",
    "import heapq\ndef f(v): return heapq.nlargest(3, v)",
    "from collections import Counter, OrderedDict, defaultdict, deque\ndef f(v): return Counter(v)",
    "import re\nP = re.compile('a+')\ndef f(v): return P.findall(v)",
    "from re import compile\nP = compile('a+')\ndef f(v): return P.sub('', v)",
    "import struct\ndef f(v): return struct.unpack_from('<I', v)[0]",
    "from array import array\ndef f(v): return array('d', v)",
    "CACHE = {}\ndef f(v):\n    if v not in CACHE: CACHE[v] = sum(v)\n    return CACHE[v]",
    "class A:\n    __slots__ = ('a', '__dict__', '__weakref__')\n    def f(self): return self.a",
    "class A:\n    def f(self): return dict(self.__dict__)",
    "class A:\n    def f(self, other): self.__dict__.update(other.__dict__)",
    "class A:\n    def f(self, **k): [setattr(self, n, w) for n, w in k.items()]",
    "def f(v):\n    import math\n    from math import sqrt\n    return sqrt(v)",
    """from typing import TYPE_CHECKING, Any
if TYPE_CHECKING:
    import numpy
def f(v: Any) -> int: ...""",
    "import dataclasses\n@dataclasses.dataclass(frozen=True, slots=True)\nclass A:\n    a: int = 0",
    "class A:\n    def __init__(self): object.__setattr__(self, 'a', 1)",
    """class A:
    def visit(self, node): return getattr(self, 'visit_' + type(node).__name__)(node)""",
    "class A:\n    def get(self, name): return getattr(self, f'_{name}', None)",
    "def f(rows, key): return sorted(rows, key=lambda row: getattr(row, key))",
    """from operator import attrgetter
def f(rows, key): return sorted(rows, key=attrgetter(key))""",
    "def f(row, names): return {name: getattr(row, name.lower()) for name in names}",
    "def f(row, names): return [vars(row)[name] for name in names]",
    "def f(v): return ', '.join(map(chr, v)) + bytes(v).decode()",
    """import math
from shop.model import Row
def f(v): return getattr(Row, v), getattr(math, v)""",
    "def f(v):\n    f.calls = getattr(f, 'calls', 0) + 1\n    return v",
    "import sys\ndef f(v): return sys.maxsize - sys.getsizeof(v) + len(sys.intern(str(v)))",
    "import sys\nsys.setrecursionlimit(10_000)\ndef f(v): return v",
    """import os
def f(v): return os.path.join(os.sep, *v), os.fspath(v), os.listdir(v), os.getcwd()""",
    """import time
def f(v):
    start = time.perf_counter()
    return time.perf_counter() - start""",
    "import random\ndef f(v): return random.Random(1).choice(v)",
    "import inspect\ndef f(v): return inspect.signature(v).parameters, inspect.isclass(v)",
    "import types\ndef f(v): return isinstance(v, types.FunctionType)",
    "import importlib\ndef f(v): return importlib.import_module('math').sqrt(v)",
    "import threading\nLOCK = threading.Lock()\ndef f(v):\n    with LOCK: return v",
    "import weakref\ndef f(v): return weakref.ref(v)",
    "import logging\nlog = logging.getLogger(__name__)\ndef f(v): log.debug('pytest ran %s', v)",
    "def f(v):\n    '''Tested with pytest; see /proc/cpuinfo and __builtins__.'''\n    return v",
    """from concurrent.futures import ThreadPoolExecutor
def f(v): return ThreadPoolExecutor().map(str, v)""",
    "import gc\ndef f(v): return gc.collect()",
    "def f(df): return df.eval('a + b'), df.query('a > 1')",
    "import traceback\ndef f(v): return traceback.format_exc()",
    """def f(v):
    try: return v()
    except ValueError as e: raise KeyError from e.with_traceback(e.__traceback__)""",
    "from scipy import signal\ndef f(v): return signal.fftconvolve(v, v)",
    "from .signal import emit\nfrom .pytest import x\ndef f(v): return emit(v)",
    "from app.models import item\ndef f(item):\n    item.price = 3\n    return item",
    """import contextlib
import decimal
def f(v):
    decimal.getcontext().prec = 30
    return v""",
    "def f(v): return v.__class__.__name__, type(v).__mro__, v.__doc__, v.__module__",
    "def f(v): return '/api/' + 'proc/' + v, 'sys', 'os.environ'",
    """def wrap(f):
    def g(*a): return f(*a)
    g.__name__ = f.__name__
    g.__wrapped__ = f
    return g""",
    "def f(v):\n    match v:\n        case {'a': x}: return x\n        case int(n): return n",
    "from string import Template\ndef f(v): return f'{v!r:>10}' + '{0.name}'.format(v) + '!' * 6",
    """evaluate = len
def f(v): return evaluate(v) if __name__ == '__main__' else globals().get('x')""",
]

COMPARED = [
    "import sys\ndef f(v): return sys._getframe(1).f_back",
    "import ctypes\ndef f(v): return ctypes.sizeof(ctypes.c_int)",
    "import os\ndef f(v): return os.environ['HOME']",
    "import sys\ndef f(v): return 'x' in sys.modules",
    "def f(v): return eval(v)",
    "from unittest import mock\ndef f(v): return mock.ANY == v",
]
"""What they do shows as they run."""

FLAGGED = [
    ("import gc\ndef f(v): gc.disable()", "gc.disable"),
    ("from gc import disable as d\ndef f(v): d()", "gc.disable"),
    ("import time\ntime.perf_counter = lambda: 0\ndef f(v): ...", "time.perf_counter"),
    ("import time\nsetattr(time, 'time', lambda: 0)\ndef f(v): ...", "read from time"),
    ("import builtins\nbuiltins.sum = max\ndef f(v): ...", "builtins.sum"),
    ("import sys, io\nsys.stdout = io.StringIO()\ndef f(v): ...", "sys.stdout"),
    ("import random\ndef f(v): random.random = lambda: 1", "random.random"),
    ("from json import encoder\nencoder.x = 1\ndef f(v): ...", "json.encoder"),
    ("import numpy as np\nnp.random.rand = 1\ndef f(v): ...", "numpy.random"),
    ("import time\ndel time.sleep\ndef f(v): ...", "time.sleep"),
    ("import signal\nsignal.signal(14, print)\ndef f(v): ...", "signal"),
    ("import random\ndef f(v): return random._os.getppid()", "os.getppid"),
    ("from random import _os as o\ndef f(v): return o.getppid()", "os.getppid"),
    ("import os\ndef f(v): os.kill(os.getpid(), 9)", "os.kill"),
    ("import os\ndef f(v): os._exit(0)", "os._exit"),
    ("from os import fork\ndef f(v): fork()", "os.fork"),
    ("import os\ndef f(v): os.nice(-5)", "os.nice"),
]


def test_what_makes_programs_faster_is_not_named() -> None:
    named = {candidate: screen(ORIGINAL, candidate) for candidate in [*HARMLESS, *COMPARED]}
    assert {candidate: found for candidate, found in named.items() if found} == {}


def test_what_acts_unseen_is_named() -> None:
    found = {(text, name): " ".join(screen(ORIGINAL, text)) for text, name in FLAGGED}
    assert {row: said for row, said in found.items() if row[1] not in said} == {}


def test_what_the_original_does_too_is_not_named() -> None:
    named = {text: screen(text, f"# changed\n{text}\n") for text, _ in FLAGGED}
    assert {text: found for text, found in named.items() if found} == {}


def test_each_facility_is_named_once_with_its_first_line() -> None:
    candidate = "import gc, os\ndef f(v):\n    os.fork()\n    os.fork()\n    gc.disable()\n"
    assert screen(ORIGINAL, candidate) == (
        "Line 3 uses processes and signals (os.fork).",
        "Line 5 uses the garbage collector (gc.disable).",
    )


@pytest.mark.parametrize(
    "text",
    ["def f(:", "x = '\0'", "(" * 100_000, "-" * 100_000 + "1", "a = " + "b." * 100_000 + "c"],
    ids=["syntax", "null", "brackets", "minus", "dots"],
)
def test_a_text_that_cannot_be_read_is_no_error(text: str) -> None:
    assert screen(ORIGINAL, text) == ()
    assert screen(text, ORIGINAL) == ()
