"""count-processes.py WORD: prints how many processes beside this one have a command line with the word, after up to 5 s to end."""

import os
import pathlib
import sys
import time


def count(word):
    found = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += int(path.parent.name) != os.getpid() and word in path.read_text(errors="replace")
        except OSError:  # it has ended
            pass
    return found


for attempt in range(50):
    if not count(sys.argv[1]):
        break
    time.sleep(0.1)
print(count(sys.argv[1]), "processes")
