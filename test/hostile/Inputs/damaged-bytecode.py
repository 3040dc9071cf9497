# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: damaged-bytecode.py PROGRAM TOOL ..

Replaces up to nine bytes at 40 places by those of the largest number of a length, and has each tool read the program.
"""

import subprocess
import sys

program, *tools = sys.argv[1:]
with open(program, "rb") as file:
    good = file.read()
for tool in tools:
    ended = []
    for n in range(40):
        place = 5 + (len(good) - 14) * n // 40
        damage = b"\x00" + b"\xff" * 8 if n % 2 else b"\xff"  # a number of nine bytes, or of one
        with open("damaged.mlirbc", "wb") as file:
            file.write(good[:place] + damage + good[place + len(damage):])
        code = subprocess.run([tool, "damaged.mlirbc"], capture_output=True).returncode
        if code < 0 or code > 128:
            ended.append((place, code))
    print(f"{tool}: 40 files, {len(ended)} by a signal", *ended)
