# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: processes.py small.so

Children call a model of their parent's, load their own, and end both.
"""

import collections
import gc
import multiprocessing
import sys
import threading

import numpy as np

import xfrt

X = np.ones((5, 4), "f4")


def is_right(model):
    return np.array_equal(model.scale(X).twice, X + X)


def child(path, models):
    """Exit code 0: all right; 1: wrong; 2: the parent's model is in a call of the parent's."""
    code = 0
    try:
        code = 0 if all(map(is_right, models)) else 1
    except xfrt.Error as error:
        code = 2 if error.status == "busy" else 1
    models.clear()
    gc.collect()
    own = xfrt.load(path, threads=4)
    sys.exit(code if is_right(own) else 1)


def run(method, path, models, rounds):
    counts = collections.Counter()
    for _ in range(rounds):
        process = multiprocessing.get_context(method).Process(target=child, args=(path, models))
        process.start()
        process.join(30)
        counts["hangs" if process.is_alive() else process.exitcode] += 1
        process.kill()
    return counts


def main(path):
    models = [xfrt.load(path, threads=4)]  # the only reference, which a child gives up
    is_right(models[0])
    counts = run("fork", path, models, 12)
    print(f"fork: {counts.pop(0, 0)} right, {counts.pop(2, 0)} busy", *counts)
    stops = threading.Event()

    def call():
        while not stops.is_set():
            is_right(models[0])

    thread = threading.Thread(target=call)
    thread.start()
    counts = run("fork", path, models, 12)
    stops.set()
    thread.join()
    print(f"fork beside a call: {counts.pop(0, 0) + counts.pop(2, 0)} right or busy", *counts)
    counts = run("spawn", path, models, 1)  # pickled: loaded anew
    print(f"spawn: {counts.pop(0, 0)} right, {counts.pop(2, 0)} busy", *counts)
    print("parent:", "right" if is_right(models[0]) else "wrong")


if __name__ == "__main__":
    main(sys.argv[1])
