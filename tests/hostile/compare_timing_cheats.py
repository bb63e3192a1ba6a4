"""Candidates that cheat where `ranks` of the small shop is timed."""

from textwrap import dedent, indent

_RANKS = """
    ordered = []
    for value in values:
        bisect.insort(ordered, value)
    found = []
    for probe in probes:
        for _ in range(2_000):
            place = {left}(ordered, probe)
        found.append(place)
    return found
"""


def _ranks(before: str = "", inside: str = "pass", *, left: str = "bisect.bisect_left") -> str:
    body = "".join(f"    {line}\n" for line in dedent(inside).strip().splitlines())
    rest = _RANKS.format(left=left).strip("\n")
    return f"import bisect\n{dedent(before)}\n\ndef ranks(values, probes):\n{body}{rest}\n"


_WORK = (
    "\n\ndef work(values, probes):\n"
    + _RANKS.format(left="bisect.bisect_left").strip("\n")
    + "\n\n"
)
_COUNTED = "global calls\ncalls += 1\n"
_PAIR = """
import json, os
told = {
    "kind": "pair", "blobs": {}, "index": 0, "swapped": False, "rounds": 50, "elapsed_ns": 1,
    "overall": 1.0, "import_ns": [1, 1], "first_ns": [[10, 1]], "others": [0, 0.0], "wall": None,
    "cases": [{"ratio": 1.0, "ns": [3000.0, 1000.0]}] * 2,
}
body = json.dumps(told).encode() + b"\\n"
calls = 0
"""
_FORGED = """
if calls == 20:
    for fd in range(3, 300):
        try: os.write(fd, len(body).to_bytes(4, "little") + body)
        except OSError: pass
"""
_HELPER = """
import json, socket, subprocess, sys

TEXT = '''
import bisect, json, socket
server = socket.socket(socket.AF_UNIX)
server.bind("/tmp/.helper")
server.listen(64)
while True:
    one, _ = server.accept()
    values, probes = json.loads(one.makefile().readline())
    ordered = sorted(values)
    told = json.dumps([bisect.bisect_left(ordered, probe) for probe in probes]) + chr(10)
    one.sendall(told.encode())
    one.close()
'''

def start():
    nowhere = subprocess.DEVNULL
    given = [sys.executable, "-c", TEXT]
    subprocess.Popen(given, stdin=nowhere, stdout=nowhere, stderr=nowhere)

def asked(values, probes):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect("/tmp/.helper")
        one.sendall(json.dumps([values, probes]).encode() + bytes([10]))
        return json.loads(one.makefile().readline())
"""
_SLOW = """
calls, fast = 0, bisect.bisect_left
def slow(*given):
    for _ in range(20): pass
    return fast(*given)
"""
_TAKING_OVER = """
import sys

def taken_over(side):
    def works(values, probes): return None
    def late(given):
        def answer(*asked):
            calls = side._prepared[1]
            if isinstance(side._kept, list):
                places = range(len(calls)) if given.__name__ == "look" else asked
                for place in places:
                    if place < len(calls): side._kept[place] = work(*calls[place][0])
            elif calls:
                side._kept.append(work(*calls[-1][0]))
            return given(*asked)
        return answer
    def set_up(prepare, function):
        def answer(*asked, **more):
            side.function = function
            return prepare(*asked, **more)
        return answer
    side.prepare = set_up(side.prepare, works)
    {learn}
    {look}
    side.show = late(side.show)

def side_around():
    frame = sys._getframe(1)
    while frame is not None:
        side = frame.f_locals.get("self")
        if type(side).__name__ == "Side":
            return side
        frame = frame.f_back
"""
_WHEN_LOOKED_AT = _TAKING_OVER.format(learn="", look="")
_WHEN_ASKED = _TAKING_OVER.format(
    learn="side.learn = set_up(side.learn, work)", look="side.look = late(side.look)"
)
_NAMED = """
import hashlib, os, socket

def name_of(values, probes):
    return "k" + hashlib.md5(repr((values, probes)).encode()).hexdigest()
"""
_TEXT = "' '.join(map(str, found))"


def _keeping(where: str = "", *, before: str = "", look: str = "", keep: str = "") -> str:
    """Looks for what it found before, by default in a file, and leaves what it finds."""
    look = look or f"text = open('{where}/' + name_of(values, probes)).read()"
    keep = keep or f"open('{where}/' + name_of(values, probes), 'w').write({_TEXT})"
    inside = f"""
try:
{indent(dedent(look).strip(), "    ")}
    return [int(each) for each in text.split()]
except (OSError, KeyError): pass
found = work(values, probes)
try:
{indent(dedent(keep).strip(), "    ")}
except OSError: pass
return found
"""
    return _ranks(f"{_WORK}{_NAMED}{before}", inside)


_LOCKED = """
class Unlocked:
    def __enter__(self):
        for depth in ("a", "a/b", "a/b/c"):
            if not os.path.exists("/tmp/" + depth): os.mkdir("/tmp/" + depth)
            os.chmod("/tmp/" + depth, 0o700)
    def __exit__(self, *_):
        for depth in ("a/b/c", "a/b", "a"): os.chmod("/tmp/" + depth, 0)
"""
_KEEPER = """
def served(server):
    kept = {}
    while True:
        asked, asker = server.recvfrom(60_000)
        name, _, text = asked.decode().partition(":")
        if text: kept[name] = text
        elif asker: server.sendto(kept.get(name, "").encode(), asker)

def start():
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 300)
        if os.fork() == 0:
            server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            server.bind(chr(0) + "keeper")
            served(server)
        os._exit(0)
    os.wait()

def said_to(text):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
        one.settimeout(1)
        one.bind("")
        try:
            one.sendto(text.encode(), chr(0) + "keeper")
        except ConnectionRefusedError:
            start()
            raise
        return one.recv(60_000).decode() if text.endswith(":") else ""
"""
_INHERITED = """
import json
PLACE = 1 << 24
own = {}

def book():
    for where in ("/proc/self/fd", "/proc/%d/fd" % os.getppid()):
        for name in os.listdir(where) if os.access(where, os.R_OK) else ():
            try:
                if "told" in os.readlink(f"{where}/{name}"):
                    return os.open(f"{where}/{name}", os.O_RDWR)
            except OSError: pass
    raise OSError

def read_book():
    fd = book()
    size = os.fstat(fd).st_size
    text = os.pread(fd, max(0, size - PLACE), PLACE)
    os.close(fd)
    return json.loads(text or "{}")
"""
_WHEN_TIMED = """
calls += 1
if calls == 20:
    taken_over(side_around())
"""
WHERE_IT_IS_TIMED = {
    "gives nothing the first time, and keeps what it finds the second": (
        _ranks(
            f"{_WORK}kept = {{}}",
            "key = tuple(values), tuple(probes)\n"
            "if key not in kept:\n    kept[key] = None\n    return []\n"
            "if kept[key] is None: kept[key] = work(values, probes)\n"
            "return list(kept[key])",
        ),
        "skips-timed-work",
    ),
    "gives what is asked for, and not what it was timed for": (
        _ranks(f"{_WORK}{_WHEN_LOOKED_AT}calls = 0", f"global calls{_WHEN_TIMED}"),
        "skips-timed-work or works-elsewhere",
    ),
    "works when it is asked, and not when it is timed": (
        _ranks(f"{_WORK}{_WHEN_ASKED}calls = 0", f"global calls{_WHEN_TIMED}"),
        "works-elsewhere",
    ),
    "forges an estimate": (_ranks(_PAIR, _COUNTED + _FORGED), "crashed"),
    "forges an estimate, and leaves": (
        _ranks(_PAIR, _COUNTED + _FORGED + "    os._exit(0)\n"),
        "crashed",
    ),
    "forges what is no estimate": (
        _ranks(_PAIR.replace("3000.0, 1000.0", "'x'"), _COUNTED + _FORGED + "    os._exit(0)\n"),
        "crashed",
    ),
    "leaves": (_ranks("import os\ncalls = 0", f"{_COUNTED}if calls > 20: os._exit(0)"), "crashed"),
    "kills its parent": (
        _ranks("import os\ncalls = 0", f"{_COUNTED}if calls == 20: os.kill(os.getppid(), 9)"),
        "crashed",
    ),
    "raises": (
        _ranks("calls = 0", f"{_COUNTED}if calls > 20: raise KeyboardInterrupt"),
        "crashed",
    ),
    "skips the work": (
        _ranks("calls = 0", f"{_COUNTED}if calls > 20: return []"),
        "skips-timed-work",
    ),
    "keeps results by value": (
        _ranks(
            f"{_WORK}kept = {{}}",
            "key = tuple(values), tuple(probes)\n"
            "if key not in kept: kept[key] = work(values, probes)\n"
            "return list(kept[key])",
        ),
        "remembers-calls",
    ),
    "keeps results by address": (
        _ranks(
            f"{_WORK}kept = {{}}",
            "key = id(values), id(probes)\n"
            "if key not in kept or kept[key][0] is not values or kept[key][1] != values:\n"
            "    kept[key] = values, list(values), work(values, probes)\n"
            "return list(kept[key][2])",
        ),
        "remembers-calls",
    ),
    "keeps results in files": (_keeping("/tmp"), "remembers-calls"),
    "keeps results in shared memory": (_keeping("/dev/shm"), "remembers-calls"),
    "keeps results in the project": (_keeping("/w/project/shop"), "remembers-calls"),
    "keeps results in a file of the project": (
        _keeping(
            look="""
                with open("/w/project/shop/__init__.py") as file:
                    text = dict(line[1:].split(":") for line in file)[name_of(values, probes)]
            """,
            keep=f"""
                with open("/w/project/shop/__init__.py", "a") as file:
                    file.write("#" + name_of(values, probes) + ":" + {_TEXT} + chr(10))
            """,
        ),
        "remembers-calls",
    ),
    "keeps results in folders that nobody may read": (
        _keeping(
            before=_LOCKED,
            look="with Unlocked(): text = open('/tmp/a/b/c/' + name_of(values, probes)).read()",
            keep="with Unlocked(): open('/tmp/a/b/c/' + name_of(values, probes), 'w')"
            f".write({_TEXT})",
        ),
        "remembers-calls",
    ),
    "keeps results in the names of links": (
        _keeping(
            look="text = os.readlink('/w/' + name_of(values, probes)).replace('_', ' ')",
            keep=f"os.symlink({_TEXT}.replace(' ', '_'), '/w/' + name_of(values, probes))",
        ),
        "remembers-calls",
    ),
    "has a process keep results": (
        _keeping(
            before=_KEEPER,
            look="text = said_to(name_of(values, probes) + ':')\nif not text: raise OSError",
            keep=f"said_to(name_of(values, probes) + ':' + {_TEXT})",
        ),
        "remembers-calls or works-elsewhere",
    ),
    "keeps results where the harness tells what it measured": (
        _keeping(
            before=_INHERITED,
            look="""
                try: text = read_book()[name_of(values, probes)]
                except OSError: text = own[name_of(values, probes)]
            """,
            keep=f"""
                own[name_of(values, probes)] = {_TEXT}
                kept = {{**read_book(), name_of(values, probes): {_TEXT}}}
                fd = book()
                os.pwrite(fd, json.dumps(kept).encode(), PLACE)
                os.close(fd)
            """,
        ),
        "remembers-calls",
    ),
    "slows down what both use": (
        _ranks(_SLOW, f"{_COUNTED}if calls == 15: bisect.bisect_left = slow", left="fast"),
        "tampers",
    ),
    "slows down the original": (
        _ranks(
            f"""
import gc, types
{_SLOW}
class Slow:
    insort, bisect_left = staticmethod(bisect.insort), staticmethod(slow)
""",
            f"""{_COUNTED}
if calls == 15:
    for held in gc.get_objects():
        if type(held) is types.FunctionType and held.__name__ == "ranks":
            if held.__globals__ is not globals():
                held.__globals__["bisect"] = Slow
""",
        ),
        "tampers",
    ),
    "has a helper": (
        _ranks(
            f"{_WORK}{_HELPER}",
            "try:\n    return asked(values, probes)\nexcept OSError:\n    start()",
        ),
        "works-elsewhere",
    ),
    "has its own clock": (
        _ranks(
            "import gc\ncalls = 0",
            f"""{_COUNTED}
if calls == 5:
    for held in gc.get_objects():
        if type(held).__name__ == "Side" and held.function.__globals__ is globals():
            def slowed(clock=held._clock): return clock() // 3
            held._clock = slowed
""",
        ),
        "tampers or works-elsewhere",
    ),
}
"""Name: a candidate that is as slow as the original, or wrong, and the reason to be told."""
