"""Runs a command to its end, but kills it first: kill-and-resume.py FOLDER TIMES COMMAND..

Each time it is killed by SIGKILL as soon as FOLDER holds a checkpoint that was not there before. Numbers of threads differ from
run to run.
"""

import os
import subprocess
import sys
import time


def checkpoints(folder):
    return set(os.listdir(folder)) if os.path.isdir(folder) else set()


folder, times, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
killed = 0
for threads in range(1, times):
    before = checkpoints(folder)
    process = subprocess.Popen(command + [f"--threads={threads}"], stdout=sys.stdout)
    while process.poll() is None:
        if any(name.startswith("checkpoint-") for name in checkpoints(folder) - before):
            process.kill()
            break
        time.sleep(0.001)
    killed += process.wait() == -9
assert killed > 0, "expected a run that is killed before its end"
sys.exit(subprocess.call(command + [f"--threads={times}"], stdout=sys.stdout))
