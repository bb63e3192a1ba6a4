"""A candidate that reaches for the interpreter or the harness is named; a faster one never is."""

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

FLAGGED = [
    ("import gc\ndef f(v): return gc.isenabled()", "gc.isenabled"),
    ("import sys\ndef f(v): return sys._getframe(1)", "sys._getframe"),
    ("import sys as s\ndef f(v): return s._getframe", "sys._getframe"),
    ("from sys import _getframe as g\ndef f(v): return g(1)", "sys._getframe"),
    ("import random\ndef f(v): return random._os.environ", "os.environ"),
    ("def f(v): return getattr(v, '_getframe')", "_getframe"),
    ("def f(v): return v.f_back", "f_back"),
    ("def f(v): return v.gi_frame.f_locals", "f_locals"),
    ("def f(v): return v.__traceback__.tb_frame", "tb_frame"),
    ("def f(v): return v.__globals__['x']", "__globals__"),
    ("def f(v): f.__code__ = v.__code__", "__code__"),
    ("def f(v): setattr(f, '__code__', v)", "__code__"),
    ("def f(v): return v.__code__.replace(co_code=b'')", "co_code"),
    ("def f(v): return v.__closure__[0].cell_contents", "__closure__"),
    ("import gc\ndef f(v): return gc.get_objects()", "gc.get_objects"),
    ("from gc import get_referrers\ndef f(v): return get_referrers(v)", "gc.get_referrers"),
    ("import gc\ndef f(v): gc.disable()", "gc.disable"),
    ("import inspect\ndef f(v): return inspect.stack()", "inspect.stack"),
    ("from inspect import currentframe\ndef f(v): return currentframe()", "inspect.currentframe"),
    ("import traceback\ndef f(v): return traceback.extract_stack()", "traceback.extract_stack"),
    ("def f(v):\n    import ctypes\n    return ctypes.pythonapi", "ctypes"),
    ("from ctypes.util import find_library\ndef f(v): ...", "ctypes"),
    ("import cffi\ndef f(v): ...", "cffi"),
    ("import sys\ndef f(v): sys.settrace(None)", "sys.settrace"),
    ("from sys import setprofile\ndef f(v): ...", "sys.setprofile"),
    ("import sys\ndef f(v): return sys.monitoring.get_tool(2)", "sys.monitoring"),
    ("import sys\ndef f(v): return 'x' in sys.modules", "sys.modules"),
    ("from sys import modules\ndef f(v): return modules", "sys.modules"),
    ("from sys import *\ndef f(v): return modules", "sys.modules"),
    ("x = __import__('sys')\ndef f(v): return x.modules", "sys.modules"),
    ("import sys\ny = sys\ndef f(v): return y.modules", "sys.modules"),
    ("import time\ntime.perf_counter = lambda: 0\ndef f(v): ...", "time.perf_counter"),
    ("import time\nsetattr(time, 'time', lambda: 0)\ndef f(v): ...", "time.time"),
    ("import builtins\nbuiltins.sum = max\ndef f(v): ...", "builtins.sum"),
    ("import random\ndef f(v): random.random = lambda: 1", "random.random"),
    ("from json import encoder\nencoder.x = 1\ndef f(v): ...", "json.encoder"),
    ("import numpy as np\nnp.random.rand = 1\ndef f(v): ...", "numpy.random"),
    ("def f(v): return globals()['__builtins__']", "__builtins__"),
    ("def f(v): return globals()['__buil' + 'tins__']", "__builtins__"),
    ("def f(v): return __builtins__", "__builtins__"),
    ("import os\ndef f(v): return os.environ['HOME']", "os.environ"),
    ("from os import getenv\ndef f(v): return getenv('HOME')", "os.getenv"),
    ("def f(v): return v.get('PYTEST_CURRENT_TEST')", "PYTEST_"),
    ("def f(v): return v.get('PYTEST_' + 'CURRENT_TEST')", "PYTEST_"),
    ("def f(v): return open('/proc/self/maps').read()", "/proc"),
    ("import pytest\ndef f(v): ...", "pytest"),
    ("def f(v):\n    from _pytest import runner\n    return runner", "_pytest"),
    ("def f(v):\n    import steelyard.comparing\n    return v", "steelyard"),
    ("def f(v): return 'pytest' in v", "pytest"),
    ("from unittest import mock\ndef f(v): ...", "unittest"),
    ("import atexit\natexit.register(print)\ndef f(v): ...", "atexit"),
    ("import faulthandler\ndef f(v): ...", "faulthandler"),
    ("import signal\nsignal.signal(14, print)\ndef f(v): ...", "signal"),
    ("import os\ndef f(v): os.kill(os.getpid(), 9)", "os.kill"),
    ("import os\ndef f(v): os._exit(0)", "os._exit"),
    ("from os import fork\ndef f(v): fork()", "os.fork"),
    ("import os\ndef f(v): os.write(3, b'x')", "os.write"),
    ("import importlib, time\nimportlib.reload(time)\ndef f(v): ...", "importlib.reload"),
    ("import importlib\ndef f(v): return importlib.import_module('ctypes')", "ctypes"),
    ("def f(v): return eval(v)", "eval"),
    ("def f(v): exec('x = 1')", "exec"),
    ("def f(v): return compile(v, 'a', 'eval')", "compile"),
    ("import builtins\ndef f(v): return builtins.eval(v)", "builtins.eval"),
    ("def f(v): return getattr(f, '__glo' + 'bals__')", "__globals__"),
    ("def f(v): return getattr(f, '__slabolg__'[::-1])", "__globals__"),
    ("def f(v): return object.__subclasses__()", "__subclasses__"),
    ("def f(v): print('!######a:1######!')", "its markers"),
    ("def f(v): print('!' + '#' * 6 + v)", "its markers"),
    ("from operator import attrgetter\ndef f(v): return attrgetter('f_back')(v)", "f_back"),
    ("def f(v):\n    match v:\n        case object(f_back=b): return b", "f_back"),
    ("import threading\nthreading.setprofile(print)\ndef f(v): ...", "threading.setprofile"),
    ("import __main__\ndef f(v): ...", "__main__"),
]


def test_what_makes_programs_faster_is_not_named() -> None:
    named = {candidate: screen(ORIGINAL, candidate) for candidate in HARMLESS}
    assert {candidate: found for candidate, found in named.items() if found} == {}


def test_what_reaches_for_the_interpreter_is_named() -> None:
    found = {(text, name): " ".join(screen(ORIGINAL, text)) for text, name in FLAGGED}
    assert {row: said for row, said in found.items() if row[1] not in said} == {}


def test_what_the_original_does_too_is_not_named() -> None:
    named = {text: screen(text, f"# changed\n{text}\n") for text, _ in FLAGGED}
    assert {text: found for text, found in named.items() if found} == {}


def test_each_facility_is_named_once_with_its_first_line() -> None:
    candidate = "import sys\ndef f(v):\n    sys._getframe(1)\n    sys._getframe(2)\n    eval(v)\n"
    assert screen(ORIGINAL, candidate) == (
        "Line 3 uses the frames of its callers (sys._getframe).",
        "Line 5 uses code built from text (builtins.eval).",
    )


@pytest.mark.parametrize(
    "text",
    ["def f(:", "x = '\0'", "(" * 100_000, "-" * 100_000 + "1", "a = " + "b." * 100_000 + "c"],
    ids=["syntax", "null", "brackets", "minus", "dots"],
)
def test_a_text_that_cannot_be_read_is_no_error(text: str) -> None:
    assert screen(ORIGINAL, text) == ()
    assert screen(text, ORIGINAL) == ()


def test_a_text_made_to_grow_is_not_put_together() -> None:
    grown = "x = " + "'a' * 1000000" + " * 1000000" * 20
    assert screen(ORIGINAL, grown) == ()
    assert screen(ORIGINAL, "x = " + " + ".join(["'abcdefgh'"] * 2_000)) == ()
