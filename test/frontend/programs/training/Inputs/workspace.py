# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""workspace.py RUNTIME ONE RANK RANKS STAGE: compares the workspaces of a training step in two objects, without running one.

That of one of RANKS ranks is at most its part of one rank's and two stages of STAGE bytes.
"""

import ctypes
import pathlib
import sys


def workspace(runtime, path):
    model = (ctypes.c_char * 1).in_dll(ctypes.CDLL(path), f"xfrt_model_{pathlib.Path(path).stem}")
    size = ctypes.c_size_t()
    entry = runtime.xfrt_find_entry(ctypes.byref(model), b"train")
    if runtime.xfrt_workspace_size(ctypes.byref(model), entry, None, 0, 1, ctypes.byref(size)):
        runtime.xfrt_message.restype = ctypes.c_char_p
        sys.exit(runtime.xfrt_message(None).decode())
    return size.value


runtime = ctypes.CDLL(sys.argv[1])
one, rank = workspace(runtime, sys.argv[2]), workspace(runtime, sys.argv[3])
ranks, stage = int(sys.argv[4]), int(sys.argv[5])
limit = one / ranks + 2 * stage
print(f"one {one} bytes, one of {ranks} ranks {rank}: {rank / one:.4f}, {'within' if rank <= limit else 'above'} {limit:.0f}")
