# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the names of the tensors that have the same bytes in two safetensors files: unchanged.py FILE FILE"""

import json
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    size = struct.unpack("<Q", content[:8])[0]
    header, data = json.loads(content[8:8 + size]), content[8 + size:]
    return {name: data[slice(*tensor["data_offsets"])] for name, tensor in header.items() if name != "__metadata__"}


first, second = map(read, sys.argv[1:])
print(*(name for name in first if first[name] == second.get(name)), sep="\n")
