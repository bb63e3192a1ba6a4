"""Java's file and main class are found from the source and from what was compiled."""

import io
import zipfile

import pytest

from steelyard.toolchains._java import main_class, source_name

MAIN = b"\xca\xfe\xba\xbe\x01\x00\x04main\x01\x00\x16([Ljava/lang/String;)V"
OTHER = b"\xca\xfe\xba\xbe\x01\x00\x05other"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (b"public class Solution {}", "Solution.java"),
        (b"import java.util.*;\npublic final class Sol_1 { }", "Sol_1.java"),
        (b"class A { public static class Inner {} }\npublic class Outer {}", "Outer.java"),
        (b"class A { public static class Inner {} }", "Main.java"),
        (b"// public class Comment\nclass A {}", "Main.java"),
        (b"/* public class Comment */ class A {}", "Main.java"),
        (b'class A { String s = "} public class Text"; }', "Main.java"),
        (b"public record Point(int x) {}", "Point.java"),
        (b"public class ../../etc/passwd {}", "Main.java"),
        (b"", "Main.java"),
        (b"\xff\x00", "Main.java"),
    ],
)
def test_the_file_is_named_after_the_public_class(source: bytes, name: str) -> None:
    assert source_name(source) == name


def jar(**classes: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "")
        for name, image in classes.items():
            archive.writestr(name.replace("__", "/") + ".class", image)
    return file.getvalue()


def test_the_main_class_is_the_one_with_main() -> None:
    assert main_class(jar(Main=OTHER, Solution=MAIN), "Main.java") == "Solution"


def test_the_class_of_the_file_goes_before_other_mains() -> None:
    assert main_class(jar(Aaa=MAIN, Sol=MAIN, Main=MAIN), "Sol.java") == "Sol"
    assert main_class(jar(Aaa=MAIN, Main=MAIN), "Sol.java") == "Main"


def test_a_package_is_part_of_the_name() -> None:
    assert main_class(jar(app__deep__Main=MAIN), "Main.java") == "app.deep.Main"


def test_where_nothing_has_main_the_jvm_is_left_to_say_so() -> None:
    assert main_class(jar(Main=OTHER), "Main.java") == "Main"
