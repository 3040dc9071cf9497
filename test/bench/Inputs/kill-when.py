# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill-when.py ARCHIVE MEMBER COMMAND..: runs the command until the archive has a member that is not empty, then kills
it with all that it started, as a power cut would. Exit code 0: it was killed so; 1: it ended before."""

import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import time


def holds(archive, member):
    if not os.path.exists(archive):
        return False
    with tarfile.open(archive) as file:  # one that is broken is a failure of the test
        return any(info.name.endswith(member) and info.size > 0 for info in file)


def session(leader):
    """All processes of the leader's session, which survive the leader."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[3]) == leader:
                yield int(stat.parent.name)
        except OSError:
            pass


def main(archive, member, *command):
    process = subprocess.Popen(command, start_new_session=True)
    while process.poll() is None and not holds(archive, member):
        time.sleep(0.1)
    ended = process.returncode is not None
    for number in list(session(process.pid)):
        os.kill(number, signal.SIGKILL)
    process.wait()
    return 1 if ended else 0


sys.exit(main(*sys.argv[1:]))
