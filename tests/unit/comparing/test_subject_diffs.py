"""A diff in any of the shapes that people and models write is applied, or refused with a line."""

from pathlib import Path

import pytest

from steelyard.project_runs import find_subject
from tests.unit.comparing.subject_samples import project, read, refused, subject_in

MODULE = """import os


def helper(a):
    return a + 1


def f(x, n=10):
    y = helper(x)
    return y * n


def g(x):
    y = helper(x)
    return os.sep * y
"""
AFTER = MODULE.replace("return y * n", "return n * y")
BODY = """@@ -7,5 +7,5 @@

 def f(x, n=10):
     y = helper(x)
-    return y * n
+    return n * y

"""
STRICT = BODY.replace("\n\n", "\n \n").replace("@@\n", "@@\n", 1)
HEADER = "--- a/m.py\n+++ b/m.py\n"
CUT = "\\ No newline at end of file\n"
GIT = "diff --git a/m.py b/m.py\nindex 0123456..789abcd 100644\n"


@pytest.mark.parametrize(
    "diff",
    [
        GIT + HEADER + STRICT,
        HEADER + STRICT,
        HEADER + BODY,
        "--- m.py\n+++ m.py\n" + STRICT,
        "--- m.py\t2024-01-01 00:00:00\n+++ m.py\t2024-01-02 00:00:00.123 +0000\n" + STRICT,
        "--- i/m.py\n+++ w/m.py\n" + STRICT,
        '--- "a/m.py"\n+++ "b/m.py"\n' + STRICT,
        "--- a/project/m.py\n+++ b/project/m.py\n" + STRICT,
        "--- a/m.py.orig\n+++ b/m.py\n" + STRICT,
        STRICT,
        (HEADER + STRICT).replace("\n", "\r\n"),
        f"```diff\n{HEADER}{STRICT}```\n",
        f"It is faster:\n\n```\n{HEADER}{STRICT}```\nDone.",
        f"```patch\n{STRICT}```",
        "From abc Mon Sep 17 00:00:00 2001\nSubject: [PATCH] faster\n\n---\n m.py | 2 +-\n\n"
        + GIT
        + HEADER
        + STRICT.rstrip("\n ")
        + "\n \n-- \n2.40.1\n",
        HEADER + STRICT.replace("-7,5 +7,5", "-9,5 +9,5"),
        HEADER + STRICT.replace("-7,5 +7,5", "-1,5 +1,5"),
        HEADER + STRICT.replace("-7,5 +7,5", "-900,5 +900,5"),
        HEADER + STRICT.replace("-7,5 +7,5", "-7,99 +7,99"),
        HEADER + STRICT.replace("-7,5 +7,5", "-7 +7"),
        HEADER + STRICT.replace("-7,5 +7,5 @@", "-7,5 +7,5 @@ def f(x, n=10):"),
        HEADER + STRICT.replace("@@ -7,5 +7,5 @@", "@@"),
        HEADER + STRICT.replace("@@ -7,5 +7,5 @@", "@@ ... @@"),
        HEADER + "@@ -10 +10 @@\n-    return y * n\n+    return n * y\n",
        HEADER + "@@ -10,1 +9,0 @@\n-    return y * n\n@@ -10,0 +10,1 @@\n+    return n * y\n",
        HEADER + STRICT.rstrip("\n "),
        "old mode 100644\nnew mode 100755\n" + HEADER + STRICT,
    ],
)
def test_a_diff_is_applied(tmp_path: Path, diff: str) -> None:
    candidate = read(subject_in(tmp_path, MODULE), diff)
    assert candidate.module_text == AFTER
    assert (candidate.first_line, candidate.last_line) == (8, 10)


def test_a_place_off_its_line_is_noted(tmp_path: Path) -> None:
    candidate = read(subject_in(tmp_path, MODULE), HEADER + STRICT.replace("-7,5", "-9,5"))
    assert "hunk 1 of the diff is off by -2 lines" in candidate.notes


@pytest.mark.parametrize("counts", ["@@ -7,5 +7,5 @@", "@@ @@"])
@pytest.mark.parametrize("prose", ["- no copy\n- one product\n", " It is faster:\n- no copy\n"])
def test_prose_after_a_diff_is_left_out(tmp_path: Path, counts: str, prose: str) -> None:
    diff = HEADER + STRICT.replace("@@ -7,5 +7,5 @@", counts).rstrip("\n ")
    candidate = read(subject_in(tmp_path, MODULE), f"{diff}\n\n{prose}")
    assert candidate.module_text == AFTER
    assert "the text after hunk 1 of the diff is left out" in candidate.notes


def test_of_several_places_the_nearest_is_taken(tmp_path: Path) -> None:
    module = "def f():\n    a = 1\n    b = 2\n    a = 1\n    c = 3\n    a = 1\n    return a\n"
    subject = subject_in(tmp_path, module)
    for line, changed in [(1, 1), (2, 1), (4, 3), (5, 5), (6, 5), (60, 5)]:
        diff = f"{HEADER}@@ -{line} +{line} @@\n-    a = 1\n+    a = 7\n"
        lines = read(subject, diff).module_text.splitlines()
        assert lines.index("    a = 7") == changed


def test_hunks_shift_each_other(tmp_path: Path) -> None:
    diff = (
        HEADER
        + "@@ -1,2 +1,4 @@\n import os\n+import re\n+import json\n \n"
        + "@@ -8,3 +10,3 @@\n def f(x, n=10):\n     y = helper(x)\n"
        + "-    return y * n\n+    return n * y\n"
    )
    candidate = read(subject_in(tmp_path, MODULE), diff)
    assert candidate.module_text == AFTER.replace("os\n", "os\nimport re\nimport json\n", 1)
    assert not any("off by" in note for note in candidate.notes)


@pytest.mark.parametrize(
    ("module", "diff", "expected"),
    [
        (
            "def f():\r\n    return 1\r\n",
            "@@ -2 +2 @@\n-    return 1\n+    return 2\n",
            "def f():\r\n    return 2\r\n",
        ),
        (
            "def f():\n    return 1",
            f"@@ -2 +2 @@\n-    return 1\n{CUT}+    return 2\n{CUT}",
            "def f():\n    return 2",
        ),
        (
            "def f():\n    return 1",
            "@@ -2 +2 @@\n-    return 1\n\\ No newline at end of file\n+    return 2\n",
            "def f():\n    return 2\n",
        ),
        (
            "def f():\n    return 1\n",
            "@@ -2 +2 @@\n-    return 1\n+    return 2\n\\ No newline at end of file\n",
            "def f():\n    return 2",
        ),
        (
            "def f():\n    return 1",
            "@@ -2 +2 @@\n-    return 1\n+    return 2\n",
            "def f():\n    return 2",
        ),
        (
            "def f():\n    return 1\n",
            "@@ -0,0 +1 @@\n+import os\n",
            "import os\ndef f():\n    return 1\n",
        ),
        (
            "def f():\n    return 1\n",
            "@@ -2,0 +3,2 @@\n+\n+x = 1\n",
            "def f():\n    return 1\n\nx = 1\n",
        ),
        ("def f():\n    return 1", "@@ -2,0 +3 @@\n+x = 1\n", "def f():\n    return 1\nx = 1"),
        (
            "def f():\n    '''\n--- x\n    '''\n",
            "@@ -3,1 +3,1 @@\n---- x\n+++ y\n",
            "def f():\n    '''\n++ y\n    '''\n",
        ),
    ],
)
def test_line_ends_and_ends_of_files(tmp_path: Path, module: str, diff: str, expected: str) -> None:
    assert read(subject_in(tmp_path, module.encode()), HEADER + diff).module_text == expected


def test_other_files_are_kept(tmp_path: Path) -> None:
    root = project(
        tmp_path,
        {"src/pkg/m.py": MODULE, "src/pkg/util.py": "A = 1\n", "notes.md": "one\n```\ntwo\n"},
    )
    subject = find_subject(root, "pkg.m:f")
    diff = (
        HEADER.replace("m.py", "src/pkg/m.py")
        + STRICT
        + "--- a/src/pkg/util.py\n+++ b/src/pkg/util.py\n@@ -1 +1,2 @@\n A = 1\n+B = 2\n"
        + "--- a/notes.md\n+++ b/notes.md\n@@ -1,3 +1,3 @@\n one\n ```\n-two\n+three\n"
        + "diff --git a/src/pkg/new.py b/src/pkg/new.py\nnew file mode 100644\nindex 000..123\n"
        + "--- /dev/null\n+++ b/src/pkg/new.py\n@@ -0,0 +1,2 @@\n+C = 3\n+D = 4\n"
        + "diff --git a/src/pkg/sub/__init__.py b/src/pkg/sub/__init__.py\nnew file mode 100644\n"
    )
    candidate = read(subject, diff)
    assert candidate.module_text == AFTER
    assert candidate.other_files == {
        "src/pkg/util.py": "A = 1\nB = 2\n",
        "notes.md": "one\n```\nthree\n",
        "src/pkg/new.py": "C = 3\nD = 4\n",
        "src/pkg/sub/__init__.py": "",
    }
    assert any("also changes notes.md, src/pkg/new.py" in note for note in candidate.notes)
    assert "--- /dev/null\n+++ b/src/pkg/new.py\n" in candidate.diff


def test_a_diff_beside_the_module_leaves_it(tmp_path: Path) -> None:
    root = project(tmp_path, {"m.py": MODULE, "u.py": "A = 1\n"})
    subject = find_subject(root, "m:f")
    candidate = read(subject, "--- a/u.py\n+++ b/u.py\n@@ -1 +1 @@\n-A = 1\n+A = 2\n")
    assert candidate.module_text == MODULE
    assert candidate.other_files == {"u.py": "A = 2\n"}
    assert candidate.changed
    assert "the diff does not change m.py" in candidate.notes


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        (
            HEADER + STRICT.replace("helper(x)", "helper(z)"),
            "no such lines contain `y = helper(z)`",
        ),
        (HEADER + STRICT.replace("def f", "def  f"), "hunk 1 does not fit"),
        (HEADER + "@@\n     y = helper(x)\n+    pass\n", "fits in several places"),
        (HEADER + "@@ @@\n+x = 1\n", "neither a line number nor context"),
        (HEADER, "no hunk"),
        ("--- a/none.py\n+++ b/none.py\n" + STRICT, "file 'none.py' is not in"),
        ("--- a/../m.py\n+++ b/../m.py\n" + STRICT, "is not in the project"),
        ("--- /etc/passwd\n+++ /etc/passwd\n" + STRICT, "is not in the project"),
        ("--- a/link/x.py\n+++ b/link/x.py\n@@ -1 +1 @@\n-a\n+b\n", "is outside the project"),
        ("--- /dev/null\n+++ b/link/y.py\n@@ -0,0 +1 @@\n+b\n", "is outside the project"),
        ("--- /dev/null\n+++ b/u.py\n@@ -0,0 +1 @@\n+b\n", "already exists"),
        ("--- a/m.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-import os\n", "deletes a file"),
        (
            "diff --git a/m.py b/n.py\nrename from m.py\nrename to n.py\n" + HEADER + STRICT,
            "renames a file",
        ),
        ("diff --git a/m.py b/n.py\ncopy from m.py\ncopy to n.py\n", "copies a file"),
        (
            "diff --git a/m.py b/m.py\ndeleted file mode 100644\n" + HEADER + STRICT,
            "deletes a file",
        ),
        ("diff --git a/x.png b/x.png\nGIT binary patch\nliteral 1\n", "binary file"),
        ("diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n", "binary file"),
        ("--- a/latin.txt\n+++ b/latin.txt\n@@ -1 +1 @@\n-a\n+b\n", "not UTF-8 text"),
        ("--- a/cookie.py\n+++ b/cookie.py\n@@ -2 +2 @@\n-a\n+b\n", "not in UTF-8"),
        ("--- a/folder\n+++ b/folder\n@@ -1 +1 @@\n-a\n+b\n", "file 'folder' is not in"),
        (f"--- a/{'x' * 400}\n+++ b/{'x' * 400}\n@@ -1 +1 @@\n-a\n+b\n", "is not in the project"),
        (f"--- a/{'x/' * 900}y\n+++ b/{'x/' * 900}y\n@@ -1 +1 @@\n-a\n+b\n", "not in the project"),
        ('--- "a/\\377.py"\n+++ "b/\\377.py"\n@@ -1 +1 @@\n-a\n+b\n', "is not UTF-8"),
        ("--- a/\x00\n+++ b/\x00\n@@ -1 +1 @@\n-a\n+b\n", "not in the project"),
        ("--- a/u.py\n+++ b/u.py\n@@ -1 +1 @@\n-A = 1\n+A = '\ud800'\n", "would not be UTF-8"),
        (HEADER + "@@ -1 +1 @@\n-import os\n+import \x00\n", "NUL byte"),
        (HEADER + STRICT.replace("+    return n * y", "+    return n *"), "invalid syntax"),
        (HEADER + "@@x\n-import os\n", "not a hunk header"),
        ((HEADER + "@@ -1 +1 @@\n-import os\n+import os\n") * 300, "more than 200 files"),
    ],
)
def test_a_diff_that_does_not_apply_is_told(tmp_path: Path, diff: str, said: str) -> None:
    root = project(
        tmp_path / "project",
        {
            "m.py": MODULE,
            "u.py": "A = 1\n",
            "latin.txt": b"\xe9\n",
            "cookie.py": b"# coding: latin-1\na\n",
            "folder/z.py": "",
        },
    )
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.py").write_text("a\n")
    (root / "link").symlink_to(tmp_path / "out")
    reason = refused(find_subject(root, "m:f"), diff, kind="diff")
    assert reason.code == "does-not-parse"
    assert said in reason.text
    assert (root / "m.py").read_text() == MODULE


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("def f(x, n=10):", "def f(x, n=11):", "signature-changed"),
        ("def f(x, n=10):", "def h(x, n=10):", "function-missing"),
        ("def f(x, n=10):", "@staticmethod\ndef f(x, *, n=10):", "signature-changed"),
    ],
)
def test_a_diff_is_checked_as_any_candidate(tmp_path: Path, old: str, new: str, code: str) -> None:
    added = "".join(f"+{line}\n" for line in new.splitlines())
    diff = f"{HEADER}@@ -8 +8 @@\n-{old}\n{added}"
    assert refused(subject_in(tmp_path, MODULE), diff).code == code
