"""Compares the CPU features that an object lists with those that the runtime can ask the processor for.

    xfc .. --emit=llvm | known_features.py runtime/lib/cpu/Features.cpp WANTED,..
"""

import re
import sys

known = set(re.findall(r'\{"([\w.-]+)", ', open(sys.argv[1], encoding="utf-8").read()))
listed = re.search(r'\\00((?:[\w.-]+,)+[\w.-]+)\\00', sys.stdin.read()).group(1).split(",")
if unknown := set(listed) - known:
    sys.exit(f"expected features that the runtime knows, got {', '.join(sorted(unknown))}")
if missing := set(sys.argv[2].split(",")) - set(listed):
    sys.exit(f"expected {', '.join(sorted(missing))} among the features of the object, got {', '.join(listed)}")
