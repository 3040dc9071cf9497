# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices of work in processes of their own, so that a crash or a hang of what is tried ends one slice and is found."""

import json
import os
import pathlib
import resource
import shutil
import signal
import sys
import time
import traceback

SECONDS = 900  # of CPU that a slice's own process may take
WALL = 3 * 3600


class Slice:
    """A running slice: a child process that appends its reports to a file."""

    def __init__(self, kind, number, work, folder):
        self.kind, self.number, self.began = kind, number, time.monotonic()
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.setpgid(0, 0)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            run_child(work, self.folder)

    def poll(self):
        """None while it runs, else (reports, cpu seconds): a crash is the last report."""
        pid, status, used = os.wait4(self.pid, os.WNOHANG)
        if not pid:
            if time.monotonic() - self.began < WALL:
                return None
            os.killpg(self.pid, signal.SIGKILL)
            pid, status, used = os.wait4(self.pid, 0)
        reports = read_reports(self.folder)
        if status:
            reports.append(of_crash(reports, status, self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)
        return [r for r in reports if r["outcome"] != "begins"], used.ru_utime + used.ru_stime

    def end(self):
        """Kills the slice and what it has started."""
        os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def wait(self):
        while (done := self.poll()) is None:
            time.sleep(.02)
        return done


def run_child(work, folder):
    """Runs a slice and ends the process."""
    code = 3
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        log = os.open(folder / "stderr", os.O_WRONLY | os.O_CREAT)
        os.dup2(log, 1)
        os.dup2(log, 2)
        with open(folder / "reports", "a") as out:
            def report(case, outcome, message="", **more):
                out.write(json.dumps({"case": case, "outcome": outcome, "message": message, **more}) + "\n")
                out.flush()
            work(folder, report)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def read_reports(folder):
    reports = []
    for line in (folder / "reports").read_text().splitlines() if (folder / "reports").exists() else []:
        try:
            reports.append(json.loads(line))
        except ValueError:
            pass  # the process ended while it wrote
    return reports


def of_crash(reports, status, folder):
    """The report of the case during which a process ended."""
    last = reports[-1] if reports and reports[-1]["outcome"] == "begins" else {"case": None}
    number = os.waitstatus_to_exitcode(status)
    said = (folder / "stderr").read_text(errors="replace")[-1500:] if (folder / "stderr").exists() else ""
    if number < 0:
        kind = "hang" if -number in (signal.SIGXCPU, signal.SIGKILL) else "crash"
        return {**last, "outcome": kind, "message": f"signal {signal.Signals(-number).name}: {said}"}
    return {**last, "outcome": "broken", "message": said}  # a mistake in the tools here
