# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: watch-progress.py FIFO terminal|pipe COMMAND..: runs a command that writes to FIFO, reads FIFO after it has shown
something on the terminal that its stderr is (or after 1.5 s), and prints what came there and the exit code."""

import os
import pty
import select
import subprocess
import sys

fifo, kind, *command = sys.argv[1:]
ours, its = pty.openpty() if kind == "terminal" else os.pipe()
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=its)
os.close(its)
select.select([ours], [], [], 60 if kind == "terminal" else 1.5)
with open(fifo, "rb") as file:
    file.read()
seen = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # a terminal that nobody has open any more
        break
    if not part:
        break
    seen += part
print(repr(seen.decode()))
print("exit code", process.wait())
