# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel of xfrt for pip (PEP 517). It is for Python 3 on any platform. If $XFRT_LIBRARY names a libxfrt.so,
the wheel contains this library and is for this platform only. Equal files give equal bytes.
"""

import base64
import hashlib
import importlib.util
import os
import pathlib
import re
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "xfrt"
VERSION = re.search(r'^__version__ = "(.*)"$', (PACKAGE / "__init__.py").read_text(), re.MULTILINE)[1]
METADATA = f"""Metadata-Version: 2.1
Name: xfrt
Version: {VERSION}
Summary: Attention and transformers compiled by xf, called from Python
License: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
License-File: NOTICE
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: torch
Requires-Dist: torch; extra == "torch"
"""

# What importing this file has left beside it.
cached = pathlib.Path(importlib.util.cache_from_source(__file__))
cached.unlink(missing_ok=True)
if cached.parent.is_dir() and not any(cached.parent.iterdir()):
    cached.parent.rmdir()


def write(directory, files, platform="any"):
    """Writes the wheel with the files {name: bytes}. Returns the name of the wheel."""
    info, tag = f"xfrt-{VERSION}.dist-info", f"py3-none-{platform}"
    pure = str(platform == "any").lower()
    files = {**files, f"{info}/METADATA": METADATA.encode(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: xfrt\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode()}
    for name in ("LICENSE", "NOTICE"):
        if (text := HERE.parents[1] / name).exists():
            files[f"{info}/{name}"] = text.read_bytes()
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"xfrt-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def build_wheel(directory, config_settings=None, metadata_directory=None):
    files = {f"xfrt/{path.name}": path.read_bytes() for path in sorted(PACKAGE.iterdir()) if path.suffix in (".py", ".pyi", ".typed")}
    library = os.environ.get("XFRT_LIBRARY")
    if not library:
        return write(directory, files)
    if not os.path.isfile(library):  # pip is in another folder than who started it
        raise FileNotFoundError(f"expected $XFRT_LIBRARY to be the path of libxfrt.so from /, got '{library}'")
    files["xfrt/libxfrt.so"] = pathlib.Path(library).read_bytes()
    return write(directory, files, re.sub(r"[-.]", "_", sysconfig.get_platform()))


def build_editable(directory, config_settings=None, metadata_directory=None):
    return write(directory, {"xfrt.pth": f"{HERE}\n".encode()})


def build_sdist(directory, config_settings=None):
    raise NotImplementedError("expected a wheel to be asked for: xfrt has no other form")
