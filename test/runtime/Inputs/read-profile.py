# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: read-profile.py FILE [LEAST]: checks a profile that libxfrt wrote as JSON, and says what is in it, sorted by name;
with LEAST, the steps of each entry account for at least this fraction of its time."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    profile = json.load(file)
assert profile["peak_gflops"] > 0
threads = profile["threads"]
print(f"{profile['model']}, {threads} thread{'s' if threads > 1 else ''}, "
      f"{'measured' if profile['peak_is_measured'] else 'given'} peak")
for entry in profile["entries"]:
    print(f"{entry['entry']}: {entry['calls']} calls")
    times = [step["nanoseconds"] for step in entry["steps"]]
    assert times == sorted(times, reverse=True), times
    assert 0 < sum(times) <= entry["nanoseconds"], entry
    if len(sys.argv) > 2:
        assert sum(times) >= float(sys.argv[2]) * entry["nanoseconds"], (sum(times), entry["nanoseconds"])
    for step in sorted(entry["steps"], key=lambda step: (step["op"], step["source"])):
        flop, number = (step.get(name, "unknown") for name in ("flop", "bytes"))
        print(f"{step['op']} {step['source']}, {step['runs']} runs, {flop} FLOP, {number} bytes")
