# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: add-work.py FILE: compares, for each host program of a dump, the sum of xft.flop over its launches with that of the
entry. Of launches for calls that hold parameters and for those that do not, the latter count."""

import re
import struct
import sys


def number(text):
    return struct.unpack(">d", bytes.fromhex(text[2:]))[0] if text.startswith("0x") else float(text)


entry, expected, found, launches = None, 0, 0, 0


def finish():
    if entry:
        print(f"{entry}: {'equal' if abs(found - expected) <= 1e-9 * expected else f'expected {expected}, got {found}'}, "
              f"{launches} launches")


with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        flop = re.search(r"xft\.flop = (\S+) : f64", line)
        if line.lstrip().startswith("func.func"):
            finish()
            entry = None
            if "xft.entry" in line:
                entry = re.search(r"@(\w+)\(", line).group(1)
                expected, found, launches = number(flop.group(1)), 0, 0
        elif flop and "xft.if_held" not in line:
            found += number(flop.group(1))
            launches += 1
finish()
