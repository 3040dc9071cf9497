# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: read-trace.py FILE: checks a trace that libxfrt wrote, and says what is in it."""

import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
names = {event["name"]: event for event in events if event["ph"] == "M"}
threads = [event["args"]["name"] for event in events if event["name"] == "thread_name"]
print(f"{names['process_name']['args']['name']}: {', '.join(threads)}")
spans = collections.defaultdict(list)
for event in events:
    if event["ph"] == "X":
        assert event["dur"] >= 0 and event["ts"] >= 0, event
        spans[event["cat"]].append((event["ts"], event["ts"] + event["dur"], event))
for name, count in collections.Counter(event["name"] for _, _, event in spans["call"]).items():
    print(f"calls of {name}: {count}")


def inside(inner, outer):
    return outer[0] <= inner[0] + 0.002 and inner[1] <= outer[1] + 0.002  # times are rounded to nanoseconds


for launch in spans["launch"]:
    assert any(inside(launch, call) for call in spans["call"]), launch
    parts = [part for part in spans["tiles"] if part[2]["name"] == launch[2]["name"] and inside(part, launch)]
    covered = sorted((part[2]["args"]["first"], part[2]["args"]["tiles"]) for part in parts)
    end = 0
    for first, tiles in covered:
        assert first == end, (launch, covered)
        end += tiles
    assert end == launch[2]["args"]["tiles"], (launch, covered)
assert spans["launch"] and spans["tiles"]
print("every launch has each of its tiles once, inside of it")
print("dropped:", names["dropped_events"]["args"]["count"])
peak = names["peak"]["args"]
assert peak["gflops"] > 0
works = {}
for start, end, launch in spans["launch"]:
    work = launch["args"]
    if "flop" in work:
        rate = work["flop"] / ((end - start) * 1e3)
        assert abs(work["gflops"] - rate) <= 0.01 * rate + 0.01, (work, rate)
        assert abs(work["fraction_of_peak"] - rate / peak["gflops"]) <= 0.01 * rate / peak["gflops"] + 1e-4, work
    works[launch["name"]] = f"{launch['name']} at {work.get('source')}: {work.get('flop')} FLOP, {work.get('bytes')} bytes"
print("\n".join(works.values()))
print(f"peak: {peak['gflops']} GFLOP/s, {'measured' if peak['measured'] else 'given'}")
