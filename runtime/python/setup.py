# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A wheel for every Python 3: of any platform, unless $XFRT_LIBRARY names a libxfrt.so to carry, which is of this one."""

import os
import pathlib
import shutil

import setuptools
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70
    from wheel.bdist_wheel import bdist_wheel

LIBRARY = os.environ.get("XFRT_LIBRARY")


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        place = pathlib.Path(self.build_lib) / "xfrt" / "libxfrt.so"
        place.unlink(missing_ok=True)  # of an earlier wheel
        if LIBRARY:
            shutil.copy2(LIBRARY, place)


class Wheel(bdist_wheel):
    def get_tag(self):
        python, abi, platform = super().get_tag()
        return "py3", "none", self.plat_name.replace("-", "_").replace(".", "_") if LIBRARY else "any"

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not LIBRARY


setuptools.setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": Wheel})
