"""List the calls of built-in functions and methods that are charged, and the operand."""

from __future__ import annotations

PREFIX = "_steelyard_"
"""Prefix of all names that are added to a program. One underscore: a class would rename a name
with two."""

FUNCTIONS: dict[str, tuple[str, int]] = {
    **dict.fromkeys(
        (
            "builtins.sum",
            "builtins.any",
            "builtins.all",
            "builtins.list",
            "builtins.tuple",
            "builtins.set",
            "builtins.frozenset",
            "builtins.dict",
            "collections.Counter",
            "collections.deque",
            "collections.OrderedDict",
            "math.fsum",
            "math.prod",
            "statistics.mean",
            "statistics.fmean",
            "statistics.mode",
            "heapq.heapify",
            "random.shuffle",
            "copy.copy",
        ),
        ("consume", 0),
    ),
    **dict.fromkeys(
        (
            "collections.defaultdict",
            "functools.reduce",
            "heapq.nlargest",
            "heapq.nsmallest",
            "array.array",
        ),
        ("consume", 1),
    ),
    **dict.fromkeys(("builtins.bytes", "builtins.bytearray"), ("zeros", 0)),
    **dict.fromkeys(("builtins.sorted", "statistics.median"), ("order", 0)),
    **dict.fromkeys(
        (
            "heapq.heappush",
            "heapq.heappop",
            "heapq.heapreplace",
            "heapq.heappushpop",
            "bisect.bisect",
            "bisect.bisect_left",
            "bisect.bisect_right",
        ),
        ("log", 0),
    ),
    **dict.fromkeys(
        ("json.loads", "os.write", "sys.stdout.write", "sys.stdout.buffer.write"), ("weigh", 0)
    ),
    **dict.fromkeys(
        ("re.findall", "re.sub", "re.split", "re.search", "re.match", "re.finditer"), ("weigh", 1)
    ),
    "copy.deepcopy": ("deep", 0),
}
"""By dotted name: the charge, and the place of the argument that it is for."""

WHERE_ALONE = frozenset({"builtins.min", "builtins.max"})
"""These go through their argument where there is one."""

RESULTS = frozenset(
    {
        "builtins.input",
        "os.read",
        "json.dumps",
        "math.factorial",
        "math.comb",
        "math.perm",
        "builtins.repr",
        "builtins.str",
        "builtins.format",
        "re.findall",
        "re.sub",
        "re.split",
    }
)
"""Charged for what they give."""

INSORTS = frozenset({"bisect.insort", "bisect.insort_left", "bisect.insort_right"})

DIGITS = frozenset({"builtins.int", "builtins.str", "builtins.repr", "builtins.print"})
"""Quadratic in the digits of their argument, where a program asks for more than are allowed."""

CHARGED_MODULES = frozenset(
    {
        "heapq",
        "bisect",
        "math",
        "functools",
        "itertools",
        "copy",
        "json",
        "re",
        "operator",
        "statistics",
        "random",
        "array",
        "os",
        "string",
        "time",
    }
)
"""What is called through their names is a function and no method."""

METHOD_OBJECTS = frozenset(
    {
        "index",
        "count",
        "remove",
        "reverse",
        "copy",
        "find",
        "rfind",
        "rindex",
        "most_common",
        "union",
        "difference",
        "symmetric_difference",
        "isdigit",
        "isalpha",
        "isalnum",
        "islower",
        "isupper",
        "translate",
    }
)
"""Methods that go through all of their object."""

METHOD_ARGUMENTS = frozenset(
    {
        "extend",
        "extendleft",
        "join",
        "update",
        "union",
        "intersection",
        "symmetric_difference",
        "issuperset",
        "isdisjoint",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "writelines",
        "fromkeys",
        "subtract",
    }
)
"""Methods that go through their arguments."""

METHOD_RESULTS = frozenset(
    {
        "split",
        "rsplit",
        "splitlines",
        "replace",
        "lower",
        "upper",
        "swapcase",
        "title",
        "capitalize",
        "strip",
        "lstrip",
        "rstrip",
        "encode",
        "decode",
        "zfill",
        "ljust",
        "rjust",
        "center",
        "format",
        "join",
        "read",
        "readline",
        "readlines",
        "to_bytes",
        "hex",
        "casefold",
    }
)
"""Methods that make something as large as what they went through."""

METHOD_MOVES = frozenset({"pop", "insert", "rotate"})
"""Methods that move elements, by their first argument."""

BIG = frozenset({"math.factorial", "math.comb", "math.perm", "math.prod"})
"""What makes integers of any size."""
