"""Runs a command while a file is locked: run-locked.py FILE COMMAND.."""

import fcntl
import subprocess
import sys

with open(sys.argv[1], "rb") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    sys.exit(subprocess.call(sys.argv[2:]))
