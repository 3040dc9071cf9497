#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and expects the exit code 0, 1 or 2 within a minute of CPU."""

import resource
import subprocess
import sys

resource.setrlimit(resource.RLIMIT_CPU, (60, 62))
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(f"expected exit code 0, 1 or 2, got {code}" if code not in (0, 1, 2) else f"exit code {code}")
sys.exit(code not in (0, 1, 2))
