"""Whether the limits of a plan's steps add up to what the plan may take: plan-seconds.py PLAN SECONDS [PLAN SECONDS ..]"""

import pathlib
import sys

for plan, most in zip(sys.argv[1::2], map(int, sys.argv[2::2])):
    lines = [line.partition("#")[0].split() for line in pathlib.Path(plan).read_text().splitlines()]
    seconds = sum(int(line[1]) for line in lines if line)
    assert 0 < seconds <= most, f"{plan}: expected at most {most} s, got {seconds}"
