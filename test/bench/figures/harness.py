# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures calls of several programs in one process: they take turns, and a burst of multiply-adds runs before and after each.

A burst takes .4 ms and says what the core gives at that moment. A figure is the fastest of a call's times; the peak is
the 90th percentile of all bursts of the case, so that neither a slow moment nor a single fast one decides.
"""

import ctypes
import dataclasses
import os
import pathlib
import statistics
import subprocess
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[3]
BURST, SHORTEST = 4e-4, 2e-4  # seconds of a burst; what calls are repeated to take at least


class Bursts:
    """Rates of the core that this process runs on."""

    def __init__(self, folder):
        library = pathlib.Path(folder) / "bursts.so"
        sources = [ROOT / "test/bench/figures/bursts.cpp", ROOT / "runtime/tools/Peak.cpp",
                   *(ROOT / "runtime/lib/cpu" / f"{name}.cpp" for name in ("Affinity", "MultiplyAdds", "Quota", "ThreadPool"))]
        if not library.exists() or any(library.stat().st_mtime < source.stat().st_mtime for source in sources):
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-march=native", "-shared", "-fPIC", "-pthread",
                            f"-I{ROOT}", f"-I{ROOT}/runtime/include", *sources, "-o", library], check=True)
        self.shared_library = ctypes.CDLL(library)
        self.shared_library.burst.restype, self.shared_library.burst.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_double]
        self.shared_library.read_stream.restype = ctypes.c_float
        self.shared_library.read_stream.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

    def has(self, element):
        return element == "f32" or bool(self.shared_library.has_peak(1))

    def rate(self, element):
        """GFLOP/s now: of vdpbf16ps for bf16, where the processor has it, and else of f32."""
        return self.shared_library.burst(int(element == "bf16" and self.has(element)), BURST)

    def reader(self, array, threads=1):
        """A call that reads an array of f32 once. It has been written, or all its pages would be one page of zeros."""
        return lambda: self.shared_library.read_stream(array.ctypes.data, array.size, threads)


@dataclasses.dataclass
class Case:
    """One row: what is measured, beside which peers, in which unit, and the project's aim.

    unit   figure                                          work
    peak   FLOP per second over the peak of `element`      FLOP
    stream the time that `base`, a read of as many bytes, takes, or that facts["flop"] of a thread take at the peak, over the time
    pair   time per pair over that of `base`               pairs, of xf and of `base`
    ratio  time over that of `base`
    times  time of `base` over this
    s      seconds of a processor, once
    """
    name: str
    topic: str
    unit: str
    build: typing.Callable  # lab -> calls by name, 'xf' first; for `s`: lab -> seconds by name
    work: float = 0
    element: str = "f32"
    goal: float | None = None
    base: str | None = None
    base_work: float = 0
    facts: dict = dataclasses.field(default_factory=dict)  # for plots: N, FLOP, bytes

    def figure(self, times, name, peak):
        """Of the call `name` by the seconds of all calls."""
        if self.unit == "s":
            return times[name]
        if self.unit == "peak":
            return self.work / times[name] / peak / 1e9
        if self.unit == "stream":
            return max(times[self.base], self.facts["flop"] / peak / 1e9) / times[name]
        ratio = times[name] / times[self.base]
        if self.unit == "pair":
            return ratio * self.base_work / self.work
        return ratio if self.unit == "ratio" else 1 / ratio

    def is_met(self, figure):
        """Whether a figure, as the page prints it, reaches the aim."""
        if self.goal is None:
            return None
        return round(figure, 2) <= self.goal if self.unit in ("pair", "ratio", "s") else round(figure, 2) >= self.goal


def seconds(call, repetitions=1):
    """By the clock, or of processors where that is less: with one thread, what other processes take does not count."""
    clock, processor = time.perf_counter(), time.process_time()
    for _ in range(repetitions):
        call()
    processor, clock = time.process_time() - processor, time.perf_counter() - clock
    return min(clock, processor) / repetitions


def first_seconds(calls):
    """Of each call that works, once caches are warm: calls that take seconds need no second one. Peers that fail are named."""
    times = {}
    for name, call in calls.items():
        try:
            times[name] = seconds(call)
            if times[name] < 1:
                times[name] = seconds(call)
        except Exception as error:  # what a peer cannot do is a result, too
            if name == "xf":
                raise
            print(f"  {name}: {str(error).splitlines()[0][:160]}", flush=True)
    return times


def take_turns(calls, bursts, element, options):
    """Seconds of each call in each round, and all rates of bursts. Slow calls take part in as many rounds as fit their time,
    spread over all, so that a disturbed moment is of all."""
    first = first_seconds(calls)
    most = options.rounds or 60
    counts = {name: max(min(3, most) if name == "xf" else 1, min(most, int(options.seconds / max(t, SHORTEST))))
              for name, t in first.items()}
    repetitions = {name: max(1, int(SHORTEST / t)) for name, t in first.items()}
    times = {name: [] if t < 1 or name == "xf" else [(t, 0.0)] for name, t in first.items()}
    rates, rounds = [bursts.rate(element)], max(counts.values())
    for number in range(rounds):
        for name, count in counts.items():
            if number * count // rounds != (number + 1) * count // rounds:
                taken = seconds(calls[name], repetitions[name])
                rates.append(bursts.rate(element))
                times[name].append((taken, min(rates[-2:])))
    return times, sorted(rates)


def close(calls):
    """Frees the memory of this project's calls, which their handles hold."""
    for call in calls.values():
        getattr(call, "close", lambda: None)()


def measure(case, lab, options):
    """A row of the results."""
    calls = case.build(lab)
    if case.unit == "s":
        times, peak, undisturbed = calls, None, []
    else:
        found, rates = take_turns(calls, lab.bursts, case.element, options)
        close(calls)
        peak = rates[int(len(rates) * 0.9)]
        times = {name: min(t for t, _ in of_name) for name, of_name in found.items()}
        undisturbed = [t for t, rate in found["xf"] if rate >= 0.95 * peak]
    row = {"name": case.name, "topic": case.topic, "unit": case.unit, "element": case.element, "goal": case.goal,
           "figure": case.figure(times, "xf", peak), "peers": {}, "seconds": times, "peak": peak}
    row["met"] = case.is_met(row["figure"])
    row["peers"] = {name: case.figure(times, name, peak) for name in times if name not in ("xf", case.base)}
    if case.facts:
        row["facts"] = case.facts
    if case.unit == "peak" and undisturbed:
        row["median"] = case.figure({"xf": statistics.median(undisturbed)}, "xf", peak)
    return row
