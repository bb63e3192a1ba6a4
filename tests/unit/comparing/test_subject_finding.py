"""A function's name leads to the definition that is in force, or to one clear line."""

from pathlib import Path

import pytest

from steelyard.errors import SubjectError, UsageError
from steelyard.project_runs import find_subject
from tests.unit.comparing.subject_samples import project, subject_in

KINDS = [
    ("def f(): return 1", "f", "function", "plain"),
    ("async def f(): return 1", "f", "async function", "plain"),
    ("def f(): yield 1", "f", "generator", "plain"),
    ("def f(): yield from ()", "f", "generator", "plain"),
    ("async def f(): yield 1", "f", "async generator", "plain"),
    ("def f():\n    def g(): yield 1\n    return g", "f", "function", "plain"),
    ("def f():\n    return lambda: (yield)", "f", "function", "plain"),
    ("def f():\n    x = yield\n    return x", "f", "generator", "plain"),
    ("class C:\n    def f(self): pass", "C.f", "function", "method"),
    ("class C:\n    async def f(self): pass", "C.f", "async function", "method"),
    ("class C:\n    @staticmethod\n    def f(): pass", "C.f", "function", "staticmethod"),
    ("class C:\n    @classmethod\n    def f(cls): yield", "C.f", "generator", "classmethod"),
    ("class C:\n    @property\n    def f(self): pass", "C.f", "function", "property"),
    (
        "import functools\nclass C:\n    @functools.cached_property\n    def f(self): pass",
        "C.f",
        "function",
        "property",
    ),
    ("class C:\n    def __new__(cls): pass", "C.__new__", "function", "staticmethod"),
    (
        "class C:\n    def __init_subclass__(cls): pass",
        "C.__init_subclass__",
        "function",
        "classmethod",
    ),
    ("class C:\n    class D:\n        def f(self): pass", "C.D.f", "function", "method"),
    (
        "class C:\n    @abc.abstractmethod\n    @classmethod\n    def f(cls): pass",
        "C.f",
        "function",
        "classmethod",
    ),
]


@pytest.mark.parametrize(("module", "qualname", "kind", "binding"), KINDS)
def test_kind_and_binding_are_told(
    tmp_path: Path, module: str, qualname: str, kind: str, binding: str
) -> None:
    subject = subject_in(tmp_path, module, qualname)
    assert (subject.kind, subject.binding) == (kind, binding)
    assert subject.name == f"m:{qualname}"


PROPERTY = """class C:
    @property
    def x(self):
        return 1

    @x.setter
    def x(self, value):
        pass

    @x.deleter
    def x(self):
        pass
"""
IN_FORCE = [
    ("def f(): pass\ndef f(): pass\n", "f", 2),
    ("def f(): pass\nif COND:\n    def f(): pass\n", "f", 3),
    ("if COND:\n    def f(): pass\nelse:\n    def f(): pass\n", "f", 4),
    ("if TYPE_CHECKING:\n    def f(): ...\nelse:\n    def f(): pass\n", "f", 4),
    ("if not TYPE_CHECKING:\n    def f(): pass\nelse:\n    def f(): ...\n", "f", 2),
    ("def f(): pass\nif typing.TYPE_CHECKING:\n    def f(): ...\n", "f", 1),
    (
        "import sys\nif sys.version_info >= (3, 9):\n    def f(): pass\nelse:\n    def f(): pass\n",
        "f",
        3,
    ),
    (
        "import sys\nif sys.version_info < (3, 9):\n    def f(): pass\nelse:\n    def f(): pass\n",
        "f",
        5,
    ),
    (
        "import sys\nif sys.platform == 'win32':\n    def f(): pass\nelse:\n    def f(): pass\n",
        "f",
        5,
    ),
    (
        "import sys\nif sys.platform != 'win32':\n    def f(): pass\nelse:\n    def f(): pass\n",
        "f",
        3,
    ),
    ("try:\n    import a\n    def f(): pass\nexcept ImportError:\n    def f(): pass\n", "f", 3),
    ("try:\n    from a import f\nexcept ImportError:\n    def f(): pass\n", "f", 4),
    ("def f(): pass\ntry:\n    from a import f\nexcept ImportError:\n    pass\n", "f", 1),
    ("try:\n    pass\nfinally:\n    def f(): pass\n", "f", 4),
    ("with a as b:\n    def f(): pass\n", "f", 2),
    ("for a in b:\n    def f(): pass\n", "f", 2),
    ("f = None\ndef f(): pass\n", "f", 2),
    ("@overload\ndef f(x: int): ...\n@overload\ndef f(x: str): ...\ndef f(x): pass\n", "f", 5),
    ("def f(x): pass\n@f.register\ndef f(x: int): pass\n", "f", 1),
    ("@singledispatch\ndef f(x): pass\n@f.register(int)\ndef _(x): pass\n", "f", 1),
    ("class C:\n    def f(self): pass\nclass C:\n    def f(self): pass\n", "C.f", 4),
    ("@a\n@b(\n    1,\n)\ndef f(): pass\n", "f", 1),
    ("@(\n# why\na\n)\ndef f(): pass\n", "f", 1),
    (PROPERTY, "C.x", 2),
    (PROPERTY, "C.x.fget", 2),
    (PROPERTY, "C.x.setter", 6),
    (PROPERTY, "C.x.fset", 6),
    (PROPERTY, "C.x.deleter", 10),
]


@pytest.mark.parametrize(("module", "qualname", "line"), IN_FORCE)
def test_the_definition_in_force_is_found(
    tmp_path: Path, module: str, qualname: str, line: int
) -> None:
    assert subject_in(tmp_path, module, qualname).first_line == line


@pytest.mark.parametrize(
    ("module", "note"),
    [
        ("def f(): pass\nif COND:\n    def f(): pass\n", "also defined in line 1"),
        (
            "def f(): pass\ntry:\n    from a import f\nexcept ImportError:\n    pass\n",
            "also imported in line 3",
        ),
        (
            "try:\n    from a import f\nexcept ImportError:\n    def f(): pass\n",
            "also imported in line 2",
        ),
    ],
)
def test_a_definition_under_a_condition_is_noted(tmp_path: Path, module: str, note: str) -> None:
    assert any(note in one for one in subject_in(tmp_path, module).notes)


@pytest.mark.parametrize(
    ("module", "qualname", "said"),
    [
        ("def slow(): pass\nf = slow\n", "f", "another name for 'slow' in line 2; name 'slow'"),
        ("f = lambda: 1\n", "f", "lambda in line 1; write it as a def"),
        ("from functools import partial\nf = partial(print)\n", "f", "the result of partial(...)"),
        ("f = 3\n", "f", "bound by an assignment in line 1"),
        ("def f(): pass\ndel f\n", "f", "deleted in line 2"),
        ("from numpy import sum as f\n", "f", "imported from 'numpy:sum'"),
        ("import os\n", "os", "imported from 'os'"),
        ("class C: pass\n", "C", "is a class; name one of its methods"),
        ("def f():\n    def g(): pass\n", "f.g", "within the function 'f'"),
        ("def f():\n    def g(): pass\n", "f.<locals>.g", "within the function 'f'"),
        ("def compute(): pass\n", "compte", "similar names: compute"),
        ("class C:\n    def compute(self): pass\n", "compute", "similar names: C.compute"),
        ("class B:\n    def f(self): pass\nclass C(B): pass\n", "C.f", "inherits B.f; name B.f"),
        ("class C:\n    @property\n    def x(self): pass\n", "C.x.setter", "has no setter"),
        ("", "f", "'f' is not defined"),
    ],
)
def test_what_is_no_definition_is_said_in_one_line(
    tmp_path: Path, module: str, qualname: str, said: str
) -> None:
    with pytest.raises(SubjectError) as caught:
        subject_in(tmp_path, module, qualname)
    text = str(caught.value)
    assert said in text
    assert text.isprintable()
    assert ";" in text or "name" in text


LAYOUTS: list[tuple[dict[str, str], dict[str, str], str, str, str]] = [
    ({"pkg/m.py": ""}, {}, "pkg.m", "pkg/m.py", "."),
    ({"pkg/__init__.py": "", "pkg/m.py": ""}, {}, "pkg.m", "pkg/m.py", "."),
    ({"pkg/__init__.py": ""}, {}, "pkg", "pkg/__init__.py", "."),
    ({"src/pkg/m.py": ""}, {}, "pkg.m", "src/pkg/m.py", "src"),
    ({"lib/m.py": ""}, {}, "m", "lib/m.py", "lib"),
    ({"src/pkg/m.py": ""}, {}, "src.pkg.m", "src/pkg/m.py", "."),
    (
        {"python/m.py": ""},
        {"pyproject.toml": '[tool.setuptools.package-dir]\n"" = "python"\n'},
        "m",
        "python/m.py",
        "python",
    ),
    (
        {"code/m.py": ""},
        {"pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["code"]\n'},
        "m",
        "code/m.py",
        "code",
    ),
    (
        {"py/pkg/m.py": ""},
        {"pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["py/pkg"]\n'},
        "pkg.m",
        "py/pkg/m.py",
        "py",
    ),
    (
        {"py/pkg/m.py": ""},
        {"pyproject.toml": '[[tool.poetry.packages]]\ninclude = "pkg"\nfrom = "py"\n'},
        "pkg.m",
        "py/pkg/m.py",
        "py",
    ),
    (
        {"deep/er/m.py": ""},
        {"pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["deep/er"]\n'},
        "m",
        "deep/er/m.py",
        "deep/er",
    ),
    (
        {"code/m.py": ""},
        {"setup.cfg": "[options]\npackage_dir =\n    = code\n"},
        "m",
        "code/m.py",
        "code",
    ),
    (
        {"code/m.py": ""},
        {"setup.cfg": "[options.packages.find]\nwhere = code\n"},
        "m",
        "code/m.py",
        "code",
    ),
    ({"code/m.py": ""}, {"pytest.ini": "[pytest]\npythonpath = code\n"}, "m", "code/m.py", "code"),
    ({"src/m.py": ""}, {"pyproject.toml": "not [ toml"}, "m", "src/m.py", "src"),
    ({"src/m.py": ""}, {"setup.cfg": "no section\n"}, "m", "src/m.py", "src"),
    (
        {"src/m.py": ""},
        {"pytest.ini": "[pytest]\npythonpath = ../.. /etc\n"},
        "m",
        "src/m.py",
        "src",
    ),
]


@pytest.mark.parametrize(("modules", "configuration", "module", "path", "import_root"), LAYOUTS)
def test_modules_are_found_where_projects_keep_them(
    tmp_path: Path,
    modules: dict[str, str],
    configuration: dict[str, str],
    module: str,
    path: str,
    import_root: str,
) -> None:
    project(tmp_path, dict.fromkeys(modules, "def f(): pass\n"))
    for name, text in configuration.items():
        (tmp_path / name).write_text(text)
    subject = find_subject(tmp_path, f"{module}:f")
    assert (subject.module, subject.path, subject.import_root) == (module, path, import_root)


@pytest.mark.parametrize(
    ("modules", "path", "module", "import_root"),
    [
        (["src/pkg/m.py"], "src/pkg/m.py", "pkg.m", "src"),
        (["src/ns/pkg/__init__.py", "src/ns/pkg/m.py"], "src/ns/pkg/m.py", "ns.pkg.m", "src"),
        (["pkg/__init__.py", "pkg/m.py"], "pkg/m.py", "pkg.m", "."),
        (["pkg/__init__.py"], "pkg/__init__.py", "pkg", "."),
        (["src/__init__.py", "src/m.py"], "src/m.py", "src.m", "."),
        (["scripts/m.py"], "scripts/m.py", "m", "scripts"),
        (["m.py"], "./m.py", "m", "."),
        (["m.py"], "m.py", "m", "."),
    ],
)
def test_a_module_can_be_given_by_its_path(
    tmp_path: Path, modules: list[str], path: str, module: str, import_root: str
) -> None:
    project(tmp_path, dict.fromkeys(modules, "def f(): pass\n"))
    subject = find_subject(tmp_path, f"{path}:f")
    assert (subject.module, subject.import_root) == (module, import_root)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pkg.m", "for example pkg:m"),
        ("pkg.m:", "is not the name of a function"),
        (":f", "is not the name of a function"),
        ("", "is not the name of a function"),
        ("pkg.nn:f", "searched ., src"),
        ("pkg.other.m:f", "did you mean pkg.m"),
        ("pkg/m.txt:f", "no file"),
        ("data.txt:f", "not a dotted module name|no module"),
        ("pkg/none.py:f", "no file 'pkg/none.py'"),
        ("../m.py:f", "is not in"),
        ("/etc/hosts.py:f", "is not in"),
        ("pkg/my-script.py:f", "cannot be imported under that name"),
        ("pkg-x.m:f", "not a dotted module name"),
        ("pkg.m\0:f", "is not a module"),
        ("a" * 300 + ":f", "no module"),
        ("a" * 300 + ".py:f", "no file"),
        ("a" * 5000 + ":f", "characters"),
        ("pkg.m:\x1b[31m", "is not defined"),
    ],
)
def test_a_wrong_name_is_told_in_one_line(tmp_path: Path, name: str, said: str) -> None:
    project(tmp_path, {"pkg/m.py": "def f(): pass\n", "src/a.py": "", "pkg/my-script.py": ""})
    with pytest.raises(SubjectError, match=said) as caught:
        find_subject(tmp_path, name)
    assert str(caught.value).isprintable()
    assert isinstance(caught.value, UsageError)


@pytest.mark.parametrize("root", ["none", "file.txt", "none/none", "a\0b", "x" * 5000])
def test_a_root_that_is_no_folder_is_told(tmp_path: Path, root: str) -> None:
    (tmp_path / "file.txt").write_text("")
    with pytest.raises(SubjectError, match="is not a folder; give the project's root"):
        find_subject(tmp_path / root, "m:f")


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("def f(:\n", "m.py:1: .*fix the module"),
        ("x = 1\ndef f()\n    pass\n", "m.py:2"),
        ("def f(): pass\n\0", "NUL byte"),
        (b"def f(): return '\xff'\n", "m.py: .*fix its encoding"),
        (b"# coding: no-such\ndef f(): pass\n", "no-such"),
        ("(" * 150 + ")" * 150, "nested more than"),
        ("x = " + "-" * 100_000 + "1\n", "nested too deeply"),
    ],
)
def test_a_module_that_does_not_parse_is_told(
    tmp_path: Path, module: str | bytes, said: str
) -> None:
    with pytest.raises(SubjectError, match=said) as caught:
        subject_in(tmp_path, module)
    assert str(caught.value).isprintable()


def test_a_reexport_leads_to_its_definition(tmp_path: Path) -> None:
    project(
        tmp_path,
        {
            "pkg/__init__.py": "from .api import work\nfrom pkg.star import *\n",
            "pkg/api.py": "from ._impl import do as work, C as D\n",
            "pkg/_impl.py": "def do(): pass\nclass C:\n    def f(self): pass\n",
            "pkg/star.py": "def shine(): pass\n",
        },
    )
    for name, given in [
        ("pkg:work", "pkg._impl:do"),
        ("pkg.api:D.f", "pkg._impl:C.f"),
        ("pkg:shine", "pkg.star:shine"),
    ]:
        with pytest.raises(SubjectError, match=f"name {given}$"):
            find_subject(tmp_path, name)


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "from b import f\n", "b.py": "from a import f\n"})
    with pytest.raises(SubjectError, match="imported from 'b:f'"):
        find_subject(tmp_path, "a:f")


def test_a_package_given_as_the_root_is_told(tmp_path: Path) -> None:
    project(tmp_path, {"pkg/__init__.py": "", "pkg/m.py": "def f(): pass\n"})
    with pytest.raises(SubjectError, match="give its parent folder"):
        find_subject(tmp_path / "pkg", "pkg.zzz:f")


@pytest.mark.parametrize(
    ("data", "encoding", "source"),
    [
        (b"def f(): pass\r\n", "utf-8", "def f(): pass\r\n"),
        (b"\xef\xbb\xbfdef f(): pass\n", "utf-8-sig", "def f(): pass\n"),
        (
            b"# coding: latin-1\ndef f(): return '\xe9'\n",
            "iso-8859-1",
            "# coding: latin-1\ndef f(): return '\xe9'\n",
        ),
        ("def f(): return 'é'\n".encode(), "utf-8", "def f(): return 'é'\n"),
        (b"def f(): pass\r", "utf-8", "def f(): pass\r"),
    ],
)
def test_the_text_is_decoded_as_python_does(
    tmp_path: Path, data: bytes, encoding: str, source: str
) -> None:
    subject = subject_in(tmp_path, data)
    assert (subject.encoding, subject.source) == (encoding, source)
    assert subject.source.encode(subject.encoding) == data


def test_what_a_subject_holds(tmp_path: Path) -> None:
    module = (
        "class C:\n    @a.b(1)\n    @c\n    def __init__(self, x: int, /, *y, **w):\n        pass\n"
    )
    subject = subject_in(tmp_path, module, "C.__init__")
    assert subject.decorators == ("a.b(1)", "c")
    assert subject.is_init
    assert (subject.first_line, subject.last_line) == (2, 5)
    assert "int" not in subject.signature
    plain = subject_in(tmp_path, "def __init__(self): pass\n", "__init__")
    assert not plain.is_init
