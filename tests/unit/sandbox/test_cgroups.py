"""Where control groups can be made is found on every kind of machine, on faked trees."""

import os
from pathlib import Path

import pytest

from steelyard.errors import CellError
from steelyard.sandbox._cgroups import Group, Hierarchy, detect, sweep

V2_FILES = {
    "cgroup.controllers": "cpu memory pids\n",
    "cgroup.subtree_control": "cpu memory pids\n",
    "cgroup.procs": "1\n2\n",
}


class Machine:
    """A faked /proc and a faked tree of groups."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.own: list[str] = []
        self.mounts = [
            "23 1 0:5 / /proc rw,nosuid - proc proc rw",
            "24 1 8:1 / / rw - ext4 /dev/x rw",
        ]

    def mount_v1(self, controllers: str, group: str, *, root: str = "/") -> Path:
        point = self.folder / controllers.replace(",", "-")
        self.mounts.append(
            f"30 24 0:26 {root} {point} rw,nosuid shared:9 - cgroup cgroup rw,{controllers}"
        )
        self.own.append(f"4:{controllers}:{group}")
        return self._made(point, group, root)

    def mount_v2(self, group: str, *, root: str = "/", **changes: str) -> Path:
        point = self.folder / "unified"
        self.mounts.append(f"31 24 0:27 {root} {point} rw shared:4 - cgroup2 cgroup2 rw,nsdelegate")
        self.own.append(f"0::{group}")
        place = self._made(point, group, root)
        for name, content in {**V2_FILES, **changes}.items():
            (place / name).write_text(content)
        return place

    def _made(self, point: Path, group: str, root: str) -> Path:
        inside = group.removeprefix(root) if root != "/" else group
        place = point / inside.strip("/")
        place.mkdir(parents=True)
        return place

    def detect(self, accounting: str = "auto") -> Hierarchy:
        cgroup, mountinfo = self.folder / "cgroup", self.folder / "mountinfo"
        cgroup.write_text("".join(f"{line}\n" for line in self.own))
        mountinfo.write_text("".join(f"{line}\n" for line in self.mounts))
        return detect(accounting, proc_cgroup=cgroup, proc_mounts=mountinfo)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch):
    """Makes folders unwritable, for root too."""

    def refuse(*folders: Path) -> None:
        really = os.access
        monkeypatch.setattr(
            os, "access", lambda path, mode: Path(path) not in folders and really(path, mode)
        )

    return refuse


# ------------------------------------------------------------------------------------ version 1


def test_finds_each_controller_of_version_1_in_its_own_tree(machine: Machine) -> None:
    parents = {
        "memory": machine.mount_v1("memory", "/user/me"),
        "cpuacct": machine.mount_v1("cpu,cpuacct", "/"),
        "pids": machine.mount_v1("pids", "/other"),
    }

    found = machine.detect()

    assert (found.version, found.parents) == ("cgroup-v1", parents)


def test_does_without_the_pids_controller(machine: Machine) -> None:
    machine.mount_v1("memory", "/")
    machine.mount_v1("cpuacct", "/")

    assert set(machine.detect().parents) == {"memory", "cpuacct"}


@pytest.mark.parametrize("absent", ["memory", "cpuacct"])
def test_names_the_controller_that_version_1_lacks(machine: Machine, absent: str) -> None:
    for controller in {"memory", "cpuacct", "pids"} - {absent}:
        machine.mount_v1(controller, "/")

    found = machine.detect()

    assert (found.version, found.parents) == ("none", {})
    assert f"no writable {absent} group" in found.why_not


def test_finds_a_group_that_a_container_sees_as_the_root(machine: Machine) -> None:
    memory = machine.mount_v1("memory", "/docker/ab12/inner", root="/docker/ab12")
    machine.mount_v1("cpuacct", "/docker/ab12/inner", root="/docker/ab12")

    assert machine.detect().parents["memory"] == memory
    assert memory.name == "inner"


def test_a_group_outside_of_what_is_mounted_is_none(machine: Machine) -> None:
    for controller in ("memory", "cpuacct"):
        point = machine.mount_v1(controller, "/docker/ab12", root="/docker/ab12")
        (point / "3").mkdir()
    machine.own = [line.replace("ab12", "ab123") for line in machine.own]

    assert machine.detect().version == "none"


def test_a_tree_that_may_not_be_written_is_none(machine: Machine, refuse) -> None:
    refuse(machine.mount_v1("memory", "/"), machine.mount_v1("cpuacct", "/"))

    found = machine.detect()

    assert found.version == "none"
    assert "no writable memory or cpuacct group" in found.why_not


# ------------------------------------------------------------------------------------ version 2


def test_finds_the_one_folder_of_version_2(machine: Machine) -> None:
    folder = machine.mount_v2("/user.slice/me.scope")

    found = machine.detect()

    assert found.version == "cgroup-v2"
    assert found.parents == dict.fromkeys(("memory", "cpuacct", "pids"), folder)


def test_hands_the_controllers_down_where_they_are_not(machine: Machine) -> None:
    folder = machine.mount_v2(
        "/me", **{"cgroup.subtree_control": "", "cgroup.procs": f"{os.getpid()}\n"}
    )

    assert machine.detect().version == "cgroup-v2"
    assert (folder / "cgroup.subtree_control").read_text() == "+memory +cpu +pids"
    assert (folder / "steelyard-supervisor" / "cgroup.procs").read_text() == str(os.getpid())


def test_a_process_of_the_supervisor_uses_the_group_around_it(machine: Machine) -> None:
    leaf = machine.mount_v2("/me/steelyard-supervisor", **{"cgroup.procs": "1\n2\n"})
    for name in ("cgroup.controllers", "cgroup.subtree_control"):
        (leaf.parent / name).write_text("cpu memory pids\n")
    found = machine.detect()
    assert found.version == "cgroup-v2", found.why_not
    assert set(found.parents.values()) == {leaf.parent}


def test_moves_nobody_else_out_of_the_group(machine: Machine) -> None:
    folder = machine.mount_v2(
        "/me", **{"cgroup.subtree_control": "", "cgroup.procs": f"1\n{os.getpid()}\n"}
    )

    machine.detect()

    assert not (folder / "steelyard-supervisor").exists()


def test_says_what_helps_where_controllers_cannot_be_handed_down(machine: Machine) -> None:
    folder = machine.mount_v2("/me", **{"cgroup.subtree_control": ""})
    (folder / "cgroup.subtree_control").unlink()
    (folder / "cgroup.subtree_control").mkdir()

    found = machine.detect()

    assert found.version == "none"
    assert "cgroup.subtree_control" in found.why_not


def test_version_2_without_the_memory_controller_is_none(machine: Machine) -> None:
    machine.mount_v2("/", **{"cgroup.controllers": "cpu pids\n"})

    found = machine.detect()

    assert found.version == "none"
    assert "memory controller is not delegated" in found.why_not


def test_a_folder_of_version_2_that_may_not_be_written_is_none(machine: Machine, refuse) -> None:
    refuse(machine.mount_v2("/me"))

    found = machine.detect()

    assert found.version == "none"
    assert "Delegate=yes" in found.why_not


# ---------------------------------------------------------------------------- both, and neither


def test_a_hybrid_machine_uses_the_tree_that_has_the_controllers(machine: Machine) -> None:
    machine.mount_v1("memory", "/")
    machine.mount_v1("cpuacct", "/")
    machine.mount_v2("/", **{"cgroup.controllers": "", "cgroup.subtree_control": ""})

    assert machine.detect().version == "cgroup-v1"


def test_a_hybrid_machine_whose_old_trees_are_closed_uses_the_new_one(
    machine: Machine, refuse
) -> None:
    refuse(machine.mount_v1("memory", "/"))
    machine.mount_v2("/")

    assert machine.detect().version == "cgroup-v2"


@pytest.mark.parametrize("accounting", ["cgroup-v1", "cgroup-v2"])
def test_looks_for_the_one_kind_that_was_asked_for(machine: Machine, accounting: str) -> None:
    machine.mount_v1("memory", "/")
    machine.mount_v1("cpuacct", "/")
    machine.mount_v2("/")

    assert machine.detect(accounting).version == accounting


def test_none_is_none_whatever_there_is(machine: Machine) -> None:
    machine.mount_v2("/")

    found = machine.detect("none")

    assert (found.version, found.parents) == ("none", {})
    assert "sandbox.accounting" in found.why_not


def test_says_both_reasons_where_there_is_nothing(machine: Machine) -> None:
    found = machine.detect()

    assert found.version == "none"
    assert "cgroup-v1: no writable memory or cpuacct group" in found.why_not
    assert "cgroup-v2: not mounted" in found.why_not


def test_a_machine_without_proc_has_none(tmp_path: Path) -> None:
    found = detect(proc_cgroup=tmp_path / "absent", proc_mounts=tmp_path / "absent")

    assert found.version == "none"
    assert "absent cannot be read" in found.why_not


def test_a_group_with_a_colon_in_its_name_is_found(machine: Machine) -> None:
    folder = machine.mount_v2("/pod:1/me")

    assert machine.detect().parents["memory"] == folder


# ----------------------------------------------------------------------------------- the groups


def test_makes_and_removes_one_folder_in_each_tree(machine: Machine) -> None:
    trees = [machine.mount_v1("memory", "/"), machine.mount_v1("cpuacct", "/")]
    hierarchy = machine.detect()

    first, second = Group(hierarchy), Group(hierarchy)
    assert [len(list(tree.iterdir())) for tree in trees] == [2, 2]
    first.remove()
    second.remove()
    assert [len(list(tree.iterdir())) for tree in trees] == [0, 0]


def test_a_folder_that_is_still_in_use_goes_with_a_later_group(machine: Machine) -> None:
    tree = machine.mount_v2("/me")
    hierarchy = machine.detect()
    before = set(tree.iterdir())
    first = Group(hierarchy)
    (folder,) = set(tree.iterdir()) - before
    (folder / "process").mkdir()
    first.remove()
    assert folder.exists()

    (folder / "process").rmdir()
    Group(hierarchy).remove()
    assert set(tree.iterdir()) == before


def test_says_where_to_look_when_a_group_cannot_be_made(tmp_path: Path) -> None:
    gone = dict.fromkeys(("memory", "cpuacct"), tmp_path / "gone")

    with pytest.raises(CellError, match="steelyard doctor"):
        Group(Hierarchy("cgroup-v1", gone))


@pytest.mark.parametrize(
    ("version", "name", "content"),
    [
        ("cgroup-v1", "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"),
        ("cgroup-v2", "memory.events", "low 0\noom 5\noom_kill 3\noom_group_kill 0\n"),
    ],
)
def test_counts_what_the_kernel_killed(tmp_path: Path, version, name: str, content: str) -> None:
    group = Group(Hierarchy(version, dict.fromkeys(("memory", "cpuacct"), tmp_path)))
    (folder,) = tmp_path.iterdir()

    assert group.kills_for_memory() == 0
    (folder / name).write_text(content)
    assert group.kills_for_memory() == 3


@pytest.mark.parametrize(
    ("version", "names"),
    [
        (
            "cgroup-v1",
            [
                "cgroup.procs",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "memory.stat",
                "cpuacct.usage",
                "pids.max",
                "memory.max_usage_in_bytes",
            ],
        ),
        (
            "cgroup-v2",
            [
                "cgroup.procs",
                "memory.max",
                "memory.current",
                "memory.stat",
                "cpu.stat",
                "pids.max",
                "memory.peak",
            ],
        ),
    ],
)
def test_opens_the_files_in_the_order_that_a_cell_reads_them(
    tmp_path: Path, version, names
) -> None:
    group = Group(Hierarchy(version, dict.fromkeys(("memory", "cpuacct", "pids"), tmp_path)))
    (folder,) = tmp_path.iterdir()
    for name in names:
        (folder / name).write_text(name)

    joins, counters = group.open_files()
    opened = [Path(f"/proc/self/fd/{fd}").readlink().name for fd in (*joins, *counters)]
    for fd in (*joins, *counters):
        os.close(fd)

    assert opened == names


def test_takes_no_group_that_an_earlier_process_of_its_number_left(tmp_path: Path) -> None:
    hierarchy = Hierarchy("cgroup-v2", dict.fromkeys(("memory", "cpuacct", "pids"), tmp_path))
    used = {int(name.rpartition("-")[2]) for name in _made(hierarchy, tmp_path)}
    left = {tmp_path / f"steelyard-{os.getpid()}-{max(used) + step}" for step in (1, 2, 3)}
    for folder in left:
        folder.mkdir()

    assert _made(hierarchy, tmp_path)
    assert all(folder.exists() for folder in left)


def _made(hierarchy: Hierarchy, parent: Path) -> set[str]:
    """The names of the folders that a new group makes."""
    before = {folder.name for folder in parent.iterdir()}
    group = Group(hierarchy)
    made = {folder.name for folder in parent.iterdir()} - before
    group.remove()
    return made


def test_removes_groups_of_processes_that_are_gone(tmp_path: Path) -> None:
    mine, gone, foreign = (
        tmp_path / name
        for name in (f"steelyard-{os.getpid()}-0", "steelyard-4194305-7", "steelyard-supervisor")
    )
    for folder in (mine, gone, foreign):
        folder.mkdir()

    sweep(Hierarchy("cgroup-v2", dict.fromkeys(("memory", "cpuacct", "pids"), tmp_path)))

    assert {folder for folder in (mine, gone, foreign) if folder.exists()} == {mine, foreign}
