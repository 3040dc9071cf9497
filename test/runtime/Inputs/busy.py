# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: busy.py COMMAND ..

Runs a command beside six processes that take time on the CPUs that it has.
"""

import os
import subprocess
import sys

cpus = sorted(os.sched_getaffinity(0))[:2]
os.sched_setaffinity(0, cpus)
others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)]
try:
    code = subprocess.run(sys.argv[1:]).returncode
finally:
    for other in others:
        other.kill()
sys.exit(code)
