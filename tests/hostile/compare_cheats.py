"""Candidates that attack what compares them; each of them is `total` or `ranks` of a small shop."""

from textwrap import dedent

MODULE = '''
import bisect


def total(values):
    result = 0
    for value in values:
        result = result + value
    return result


def ranks(values, probes):
    """Where each probe stands among the values."""
    ordered = []
    for value in values:
        bisect.insort(ordered, value)
    found = []
    for probe in probes:
        for _ in range(2_000):
            place = bisect.bisect_left(ordered, probe)
        found.append(place)
    return found
'''

TESTS = """
import pytest
from shop.goods import ranks, total


@pytest.mark.parametrize("n", [1, 2, 30])
def test_total(n):
    assert total(list(range(n))) == n * (n - 1) // 2


@pytest.mark.parametrize("n", [30, 60])
def test_ranks(n):
    values = [i * 7 % n for i in range(n)]
    probes = [0, n // 2, n]
    assert ranks(values, probes) == [sum(v < p for v in values) for p in probes]
"""

HONEST = "def total(values):\n    return sum(values)\n"


def _total(before: str = "", inside: str = "", result: str = "sum(values)") -> str:
    body = "".join(f"    {line}\n" for line in dedent(inside).strip().splitlines())
    return f"{dedent(before).strip()}\n\n\ndef total(values):\n{body}    return {result}\n"


def _to_all(what: str, first: int = 3, last: int = 300) -> str:
    return f"""
        for fd in range({first}, {last}):
            try:
                {what}
            except OSError:
                pass
    """


_FRAME = 'b"\\x05\\x00\\x00\\x00" + b"x" * 16 + b"hello"'
_WITH_TELL = """
for found in gc.get_objects():
    if type(found) is types.FunctionType and found.__name__ == "tell" and found.__closure__:
"""


def _told(*what: str) -> str:
    return _total(
        "import gc, os, types", _WITH_TELL + "".join(f"        {line}\n" for line in what)
    )


AGAINST_THE_MACHINE = {
    "forges frames in a call": (_total("import os", _to_all(f"os.write(fd, {_FRAME})")), "tampers"),
    "forges frames at import": (
        _total("import os\n" + dedent(_to_all(f"os.write(fd, {_FRAME})"))),
        "tampers",
    ),
    "forges frames by another way": (
        _total("", _to_all(f"open(fd, 'wb', 0, closefd=False).write({_FRAME})")),
        "tampers",
    ),
    "cuts the channel": (_total("import os", _to_all("os.ftruncate(fd, 0)")), "tampers"),
    "winds the channel back": (_total("import os", _to_all("os.lseek(fd, 0, 0)")), "tampers"),
    "swells the channel": (_total("import os", _to_all("os.ftruncate(fd, 1 << 28)")), "tampers"),
    "fills the channel": (
        _total("import os", _to_all("while True: os.write(fd, bytes(1 << 24))", 200)),
        "tampers",
    ),
    "closes the channel": (_total("import os", "os.closerange(3, 1000)"), "crashed"),
    "closes all": (_total("import os", "os.closerange(0, 1000)"), "crashed"),
    "tells frames of the wrong shape": (
        _told("found(b'TestDone\\n[1]\\n')", "found(b'None\\n[]\\n')", "found(3)"),
        "tampers",
    ),
    "tells frames of the wrong type, and leaves": (
        _told(
            "found(b'RecordedCall\\n[5, null, 3, 0, 1, 4, 0, {}, null]\\nx')",
            "found(b'TestsDone\\n[[1], 6, 4, 3, \"x\", [], 0]\\n')",
            "os._exit(0)",
        ),
        "tampers",
    ),
    "tells that calls were made which were not": (
        _told("found(b'CallBegun\\n[1000000]\\n')", "os._exit(0)"),
        "crashed",
    ),
    "leaves": (_total("import os", "os._exit(0)"), "crashed"),
    "ends itself": (_total("import os", "os.kill(os.getpid(), 9)"), "crashed"),
    "stops itself": (_total("import os", "os.kill(os.getpid(), 19)"), "timed-out"),
    "kills its parent": (
        _total("import os", "try: os.kill(os.getppid(), 9)\nexcept OSError: pass"),
        "tampers",
    ),
    "stops its parent": (
        _total("import os", "try: os.kill(os.getppid(), 19)\nexcept OSError: pass"),
        "tampers",
    ),
    "kills all that it can": (
        _total("import os", "try: os.kill(-1, 9)\nexcept OSError: pass"),
        "tampers",
    ),
    "reaches for a module by another": (
        _total("from random import _os as o", "o.getppid()"),
        "tampers",
    ),
    "forks without end": (
        _total("import os", "while True:\n    try: os.fork()\n    except OSError: pass"),
        "timed-out or memory-limit",
    ),
    "goes on twice": (_total("import os", "os.fork()"), "tampers"),
    "takes all memory": (
        _total("", "kept = []\nwhile True: kept.append(bytearray(1 << 24))"),
        "memory-limit or test-fails",
    ),
    "asks for too much": (_total("", "bytearray(1 << 45)"), "memory-limit"),
    "breaks the interpreter": (_total("import ctypes", "ctypes.string_at(0)"), "crashed"),
    "prints without end": (
        _total("", "while True: print('x' * 100_000)"),
        "timed-out or memory-limit",
    ),
    "writes without end": (
        _total("import os", "while True: os.write(2, b'x' * 100_000)"),
        "timed-out or memory-limit",
    ),
    "hangs": (_total("", "while True: pass"), "timed-out"),
    "recurses without end": (_total("", "total(values)"), "test-fails"),
    "recurses beyond the stack": (
        _total("import sys\nsys.setrecursionlimit(10**9)", "total(values)"),
        "crashed or timed-out or memory-limit",
    ),
}
"""Name: the candidate, and the reason that must be among those told."""

_LIE = """
class Lie(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
"""
AGAINST_THE_JUDGEMENT = {
    "is equal to all": (_total(_LIE, "", "Lie(sum(values) + 1)"), "behaviour-differs"),
    "says that it is an int": (
        _total(
            "class Lie:\n    def __eq__(self, other): return True\n"
            "    __class__ = property(lambda self: int)",
            "",
            "Lie()",
        ),
        "behaviour-differs",
    ),
    "cannot be looked at": (
        _total(
            "class Lie(int):\n    def __getattribute__(self, name):\n        while True: pass\n"
            "    def __reduce_ex__(self, protocol): raise RuntimeError",
            "",
            "Lie(sum(values))",
        ),
        "timed-out",
    ),
    "is huge when it is kept": (
        _total(
            "class Lie(int):\n    def __reduce_ex__(self, protocol): return int, (bytes(1 << 45),)",
            "",
            "Lie(sum(values))",
        ),
        "behaviour-differs",
    ),
    "leaves something in its argument": (
        _total(_LIE, "result = sum(values)\nvalues.append(Lie(0))", "result"),
        "behaviour-differs",
    ),
    "gives items": ("def total(values):\n    while True:\n        yield 1\n", "behaviour-differs"),
    "prints marks of timing": (
        _total("", "print('!######tests/test_goods.py:test_total:shop.goods:total:1:5######!')"),
        "behaviour-differs",
    ),
    "traces": (_total("import sys", "sys.settrace(lambda *_: None)"), "behaviour-differs"),
    "replaces stdout": (_total("import io, sys\nsys.stdout = io.StringIO()"), "tampers"),
    "hooks the collection": (
        _total("import gc\ngc.callbacks.append(lambda *_: None)\ngc.disable()"),
        "tampers",
    ),
    "passes every test": (
        _total(
            "import sys\nheld = sys.modules.get('_pytest.python')\n"
            "if held: held.Function.runtest = lambda self: None",
            "",
            "0",
        ),
        "behaviour-differs",
    ),
    "passes every report": (
        _total(
            "import sys\nheld = sys.modules.get('_pytest.reports')\n"
            "if held: held.TestReport.passed = property(lambda self: True)",
            "",
            "0",
        ),
        "behaviour-differs",
    ),
    "takes assertions away": (
        _total(
            "import builtins\nclass Quiet(AssertionError):\n"
            "    def __new__(cls, *given): raise SystemExit(0)\nbuiltins.AssertionError = Quiet",
            "",
            "0",
        ),
        "behaviour-differs",
    ),
    "replaces a builtin": (
        _total("import builtins\nkept = sum\nbuiltins.sum = lambda values: 0", "", "kept(values)"),
        "tampers",
    ),
    "sets the clock": (_total("import time\ntime.time = lambda: 0"), "tampers"),
    "skips its test": (
        _total("import _pytest.outcomes", "raise _pytest.outcomes.Skipped('no')"),
        "test-fails",
    ),
    "ends the session": (
        _total("import _pytest.outcomes", "raise _pytest.outcomes.Exit('no', 0)"),
        "test-fails",
    ),
    "interrupts": (_total("", "raise KeyboardInterrupt"), "test-fails"),
    "exits": (_total("", "raise SystemExit(0)"), "test-fails"),
    "acts when the process ends": (
        _total("import atexit, os\natexit.register(os._exit, 0)"),
        "behaviour-differs",
    ),
    "is right under pytest only": (
        _total("import os", "if 'PYTEST_CURRENT_TEST' not in os.environ: return 0"),
        "behaviour-differs",
    ),
    "is right with pytest around it only": (
        _total(
            "import sys",
            "frame = sys._getframe()\n"
            "while frame and 'pytest' not in frame.f_code.co_filename: frame = frame.f_back\n"
            "if not frame: return 0",
        ),
        "behaviour-differs",
    ),
    "is right for each argument once": (
        _total(
            "seen = set()",
            "if len(values) in seen: return 0\nseen.add(len(values))",
        ),
        "behaviour-differs",
    ),
    "has a value that it treats in its own way": (
        _total("", "if 40 + 7 * 1_000 in values: return 7"),
        "behaviour-differs",
    ),
    "has a length that it treats in its own way": (
        _total("", "if len(values) > 1_234: return 7"),
        "behaviour-differs",
    ),
    "leaves files elsewhere": (
        _total("", "open(f'/tmp/{len(values)}', 'w').write(str(sum(values)))"),
        "behaviour-differs",
    ),
    "leaves files elsewhere, to be taken away at exit": (
        _total(
            "import tempfile\nheld = tempfile.TemporaryDirectory(dir='/dev/shm')",
            "open(f'{held.name}/{len(values)}', 'w').write(str(sum(values)))",
        ),
        "behaviour-differs",
    ),
    "leaves files that cannot be read": (
        _total(
            "import os",
            "os.makedirs('/w/.kept', exist_ok=True)\nos.chmod('/w/.kept', 0o700)\n"
            "open(f'/w/.kept/{len(values)}', 'w').close()\nos.chmod('/w/.kept', 0)",
        ),
        "behaviour-differs",
    ),
    "leaves folders whose names say what it found": (
        _total("import os", "os.makedirs(f'/tmp/{len(values)}/{sum(values)}', exist_ok=True)"),
        "behaviour-differs",
    ),
    "leaves links in the project": (
        _total(
            "import os",
            "if not os.path.lexists(f'shop/{len(values)}'):\n"
            "    os.symlink(str(sum(values)), f'shop/{len(values)}')",
        ),
        "behaviour-differs",
    ),
    "knows the world by its clock": (
        _total("import time", "if time.time() != 1761717605.108106: return 0"),
        "behaviour-differs",
    ),
    "knows the world by its identifiers": (
        _total("import uuid", "if str(uuid.uuid4())[0] != '1': return 0"),
        "behaviour-differs",
    ),
    "keeps results by the list that they are of": (
        _total(
            "kept = {}",
            "if id(values) not in kept or kept[id(values)][0] is not values:\n"
            "    kept[id(values)] = values, sum(values)",
            "kept[id(values)][1]",
        ),
        "behaviour-differs",
    ),
    "leaves threads working": (
        _total(
            "import threading\ndef _work():\n    while True: pass",
            "threading.Thread(target=_work, daemon=True).start()",
        ),
        "behaviour-differs",
    ),
}
