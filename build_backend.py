"""Build with scikit-build-core, and with zig from PyPI where this machine has no C compiler.

The package `ziglang` is a whole compiler, which CMakeLists.txt then finds. Nothing but the build
requires it, and only on such machines. If the caller names a compiler, that one is taken.
"""

import os
import platform
import shutil

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F403

Config = dict[str, list[str] | str] | None


def get_requires_for_build_wheel(config_settings: Config = None) -> list[str]:
    """Return what a wheel is built with."""
    return [*build.get_requires_for_build_wheel(config_settings), *_compiler(config_settings)]


def get_requires_for_build_editable(config_settings: Config = None) -> list[str]:
    """Return what an editable installation is built with."""
    return [*build.get_requires_for_build_editable(config_settings), *_compiler(config_settings)]


def _compiler(config_settings: Config) -> list[str]:
    named = "CC" in os.environ or any("CMAKE_C_COMPILER" in key for key in config_settings or ())
    found = named or any(map(shutil.which, ("cc", "gcc", "clang")))
    has_wheel = platform.system() == "Linux" and platform.machine() in ("x86_64", "aarch64")
    return ["ziglang>=0.17"] if has_wheel and not found else []
