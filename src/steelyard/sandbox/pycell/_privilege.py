"""Drop the cell's privileges, and restrict candidates that see the host's files."""

import os
import resource
import stat
import struct
from contextlib import suppress

from steelyard.sandbox._wire import Namespace, SetupFlag
from steelyard.sandbox.pycell import _kernel as kernel
from steelyard.sandbox.pycell._messages import Setup
from steelyard.sandbox.pycell._stage import stage
from steelyard.sandbox.pycell._view import DEVICES

_QUOTAS = {
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_SIGPENDING: 64,
    resource.RLIMIT_MEMLOCK: 64 << 10,
    resource.RLIMIT_NOFILE: 1024,
}
"""What a user namespace holds of the first three counts for the user who made it, too."""

# A supervisor must end the candidate, become it and clean up after it.
_CAP_DAC_OVERRIDE, _CAP_FOWNER, _CAP_KILL, _CAP_SETGID, _CAP_SETUID = 1, 3, 5, 6, 7
_KEPT = (
    1 << _CAP_KILL | 1 << _CAP_SETUID | 1 << _CAP_SETGID | 1 << _CAP_DAC_OVERRIDE | 1 << _CAP_FOWNER
)
_LAST_CAPABILITY = 63

# Landlock's access rights.
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1, 2, 4, 8, 1 << 14
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_ALL_NETWORK = 0b11  # bind and connect
_ALL_SCOPES = 0b11  # abstract sockets and signals stay inside


class Landlock:
    """The rules for a candidate that sees the host's files; not in force if `abi` is 0."""

    def __init__(self, setup: Setup) -> None:
        self.abi = kernel.landlock_abi()
        if not self.abi:
            return
        files = _all_file_rights(self.abi)
        network = _ALL_NETWORK if self.abi >= 4 else 0
        scopes = _ALL_SCOPES if self.abi >= 6 else 0
        size = 24 if self.abi >= 6 else 16 if self.abi >= 4 else 8
        with stage("landlock"):
            self._rules = kernel.landlock_ruleset(struct.pack("=3Q", files, network, scopes)[:size])
            for source, _ in setup.mounts:
                self._allow(source, _EXECUTE | _READ_FILE | _READ_DIR)
            for device in DEVICES:
                self._allow(f"/{device}", _WRITE_FILE | _READ_FILE)
            self._allow(setup.work, files)

    def _allow(self, path: str, access: int) -> None:
        try:
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        if not stat.S_ISDIR(os.fstat(target).st_mode):
            access &= _OF_FILES
        kernel.landlock_allow(self._rules, target, access)
        os.close(target)

    def restrict(self) -> None:
        """Apply the rules to this process for good."""
        if self.abi:
            kernel.landlock_restrict(self._rules)


def _all_file_rights(abi: int) -> int:
    return 0xFFFF if abi >= 5 else 0x7FFF if abi >= 3 else 0x3FFF if abi == 2 else 0x1FFF


def drop_privilege(setup: Setup, uid: int) -> None:
    """Reduce this process to its user id and a supervisor's capabilities, under the filter."""
    root = setup.head.flags & SetupFlag.ROOT_MAP
    with stage("drop privilege"):
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        if root or setup.head.namespaces & Namespace.USER:
            for capability in range(_LAST_CAPABILITY + 1):
                try:
                    kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
                except OSError:  # beyond the kernel's last capability
                    break
            kernel.prctl(kernel.PR_SET_KEEPCAPS, 1)
            if root:
                os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            kernel.set_capabilities(_KEPT)
        else:
            kernel.set_capabilities(0)
        # The only value at which the host's core handler does not start either.
        with suppress(ValueError):  # a lower hard limit is set
            resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
        for quota, most in _QUOTAS.items():
            if not 0 <= resource.getrlimit(quota)[1] <= most:
                resource.setrlimit(quota, (most, most))
    if setup.filter:
        with stage("seccomp"):
            kernel.install_filter(setup.filter)
