# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The environment in which benchmarks run: to be settled before numpy or torch are imported."""

import os
import sys


def settle(threads="1"):
    """Starts the program anew with so many threads, and with memory that stays with the process when it is freed."""
    if os.environ.get("XF_BENCH_ENVIRONMENT") != "set":
        os.environ.update(XF_BENCH_ENVIRONMENT="set", OMP_NUM_THREADS=threads, MALLOC_MMAP_THRESHOLD_=str(1 << 34),
                          MALLOC_TRIM_THRESHOLD_=str(1 << 34))
        os.execv(sys.executable, [sys.executable, *sys.argv])  # glibc reads them when the process starts
