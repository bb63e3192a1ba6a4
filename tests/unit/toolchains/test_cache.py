"""The compile cache gives back what was stored whole, or nothing; it stays within its bound."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import SettingsError, SteelyardWarning
from steelyard.toolchains import CompileCache, EntryCache
from tests.rights import can_give_to

MIB = 1 << 20
STRANGER = 12_345
to_a_stranger = pytest.mark.skipif(
    not can_give_to(STRANGER), reason="files cannot be given to another user here"
)


def disk_bytes(folder: Path) -> int:
    return sum(
        os.stat(os.path.join(path, name)).st_blocks * 512
        for path, _, names in os.walk(folder)
        for name in names
    )


@given(st.lists(st.binary(max_size=200)))
def test_what_was_stored_comes_back_whole(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]
) -> None:
    cache = CompileCache(tmp_path_factory.mktemp("cache"))
    cache.put("key", parts)
    assert cache.get("key") == b"".join(parts)
    assert cache.get("other") is None


def test_an_entry_outlives_the_process(tmp_path: Path) -> None:
    CompileCache(tmp_path).put("key", [b"body"])
    assert CompileCache(tmp_path).get("key") == b"body"


@pytest.mark.parametrize("length", [0, 1, 18, 19, 27, 58, 59, 60, 63])
def test_a_torn_entry_is_removed_and_not_given(tmp_path: Path, length: int) -> None:
    cache = CompileCache(tmp_path)
    cache.put("key", [b"body!"])
    file = tmp_path / "compiled" / "key"
    file.write_bytes(file.read_bytes()[:length])
    assert cache.get("key") is None
    assert not file.exists()


@pytest.mark.parametrize("position", [0, 19, 26, 27, 58, 59, 63])
def test_a_damaged_byte_is_found_out(tmp_path: Path, position: int) -> None:
    cache = CompileCache(tmp_path)
    cache.put("key", [b"body!"])
    file = tmp_path / "compiled" / "key"
    data = bytearray(file.read_bytes())
    data[position] ^= 1
    file.write_bytes(data)
    assert cache.get("key") is None
    cache.put("key", [b"again"])
    assert cache.get("key") == b"again"


def test_it_stays_within_its_bound(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=16)
    for number in range(60):
        cache.put(f"key{number}", [bytes(MIB)])
        assert disk_bytes(tmp_path) <= 16 * MIB
    assert cache.get("key59") is not None
    assert cache.get("key0") is None


def test_many_small_entries_are_counted_at_their_size_on_disk(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=1)
    for number in range(600):
        cache.put(f"key{number}", [b"small"])
    assert disk_bytes(tmp_path) <= MIB


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=16)
    for number in range(10):
        cache.put(f"key{number}", [bytes(MIB)])
        os.utime(tmp_path / "compiled" / f"key{number}", (number, number))
    assert cache.get("key0") is not None
    for number in range(10, 16):
        cache.put(f"key{number}", [bytes(MIB)])
    assert cache.get("key0") is not None
    assert cache.get("key1") is None


def test_headers_count_and_go_too(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=16)
    header = cache.headers / "old" / "bits"
    header.mkdir(parents=True)
    (header / "stdc++.h.gch").write_bytes(bytes(12 * MIB))
    os.utime(cache.headers / "old", (1, 1))
    for number in range(8):
        cache.put(f"key{number}", [bytes(MIB)])
    assert not header.exists()
    assert disk_bytes(tmp_path) <= 16 * MIB


def test_kinds_share_a_folder_and_nothing_else(tmp_path: Path) -> None:
    inputs, compiled = EntryCache("inputs", tmp_path, 1), CompileCache(tmp_path, 16)
    compiled.put("key", [b"compiled"])
    inputs.put("key", [b"input"])
    for number in range(600):
        inputs.put(f"key{number}", [b"small"])
    assert disk_bytes(tmp_path / "inputs") <= MIB
    assert inputs.get("key") is None
    assert compiled.get("key") == b"compiled"


def test_an_entry_too_large_for_the_bound_is_not_kept(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=1)
    cache.put("key", [bytes(MIB)])
    assert cache.get("key") is None
    assert disk_bytes(tmp_path) == 0


WRITER = """
import sys
from pathlib import Path
from steelyard.toolchains import CompileCache
folder, worker = sys.argv[1], int(sys.argv[2])
cache = CompileCache(Path(folder), max_mib=16)
wrong = 0
for number in range(150):
    cache.put(f"key{number % 5}", [bytes([worker]) * (1 + number * 997)])
    found = cache.get(f"key{(number + worker) % 5}")
    wrong += found is not None and len(set(found)) > 1
sys.exit(wrong)
"""


def test_processes_that_write_at_once_never_give_a_mixed_entry(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(worker)])
        for worker in range(1, 4)
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert not list((tmp_path / "compiled").glob("tmp-*"))


def test_threads_share_one_cache(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=1)
    wrong: list[str] = []

    def work(worker: int) -> None:
        for number in range(100):
            cache.put(f"key{number % 3}", [bytes([worker]) * 9_000])
            found = cache.get(f"key{number % 3}")
            if found is not None and len(set(found)) > 1:
                wrong.append(f"{worker}/{number}")

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_it_is_closed_to_other_users(tmp_path: Path) -> None:
    CompileCache(tmp_path / "new" / "cache").put("key", [b"body"])
    for path in [tmp_path / "new" / "cache", *(tmp_path / "new" / "cache").rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0


@to_a_stranger
@pytest.mark.parametrize("part", [".", "compiled", "headers"])
def test_a_folder_of_another_user_is_refused(tmp_path: Path, part: str) -> None:
    CompileCache(tmp_path / "cache")
    os.chown(tmp_path / "cache" / part, STRANGER, -1)
    with pytest.raises(SettingsError, match=r"belongs to user 12345; set cache\.dir"):
        CompileCache(tmp_path / "cache")


@pytest.mark.parametrize("part", ["compiled", "headers", "."])
def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path, part: str) -> None:
    CompileCache(tmp_path / "cache")
    (tmp_path / "cache" / part).chmod(0o777)
    with pytest.raises(SettingsError, match=r"may write to .*; set cache\.dir"):
        CompileCache(tmp_path / "cache")


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "compiled").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SettingsError, match=r"set cache\.dir"):
        CompileCache(tmp_path / "cache")
    cache = CompileCache(tmp_path / "other")
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "other" / "compiled" / "key").symlink_to(tmp_path / "secret")
    assert cache.get("key") is None


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_place_that_is_no_folder_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SettingsError) as caught:
        CompileCache(tmp_path / name)
    assert "\n" not in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_an_entry_that_cannot_be_written_is_a_warning_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard._scratch_folders._warned", [])
    cache = CompileCache(tmp_path)
    (tmp_path / "compiled").rmdir()
    with pytest.warns(SteelyardWarning, match="without a cache"):
        cache.put("key", [b"body"])
    cache.put("key", [b"body"])
    assert cache.get("key") is None


def test_a_folder_that_was_removed_meanwhile_is_no_fault(tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=1)
    (tmp_path / "headers").rmdir()
    for number in range(8):  # enough that room must be made
        cache.put(f"key{number}", [bytes(256 << 10)])
    assert cache.get("key7") is not None
