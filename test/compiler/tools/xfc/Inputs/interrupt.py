"""Ends xfc --emit=shared by signals: interrupt.py MODEL. Nothing is left of it, no file and no process."""

import os
import pathlib
import signal
import subprocess
import sys
import time

model = os.path.abspath(sys.argv[1])
folder = pathlib.Path("interrupted").absolute()
scratch, output, tools = folder / "tmp", folder / "out", folder / "bin"
for made in (scratch, output, tools):
    made.mkdir(parents=True)
# Says that it runs, and stays.
linker = tools / "ld.lld-22"
linker.write_text(f"#!/bin/sh\necho $$ > {folder}/started.new\nmv {folder}/started.new {folder}/started\nexec sleep 1000\n")
linker.chmod(0o755)


def start(path):
    environment = dict(os.environ, TMPDIR=str(scratch), PATH=path)
    command = ["xfc", model, "--emit=shared", "-o", "library.so"]
    return subprocess.Popen(command, cwd=output, env=environment)


def check(process, number, may_end):
    code = process.wait()
    assert code == -number or (may_end and code == 0), f"expected an end by {number}, got {code}"
    (output / "library.so").unlink(missing_ok=True)
    left = list(scratch.iterdir()) + list(output.iterdir())
    assert not left, f"expected nothing to be left after {number}, got {left}"


numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
for number in numbers:
    signal.signal(number, signal.SIG_DFL)  # what is ignored here stays so in xfc
for number in numbers:
    process = start(f"{tools}{os.pathsep}{os.environ['PATH']}")
    while not (folder / "started").exists():
        assert process.poll() is None, "expected a linker to be started"
        time.sleep(0.001)
    linker_process = int((folder / "started").read_text())
    (folder / "started").unlink()
    process.send_signal(number)
    check(process, number, may_end=False)
    try:
        os.kill(linker_process, 0)
    except ProcessLookupError:
        continue
    sys.exit("expected the linker to end with xfc")

# At other times: from the start to the end of a run, in as many steps as there are tries.
begin = time.monotonic()
assert start(os.environ["PATH"]).wait() == 0
(output / "library.so").unlink()
whole = time.monotonic() - begin
for attempt in range(24):
    process = start(os.environ["PATH"])
    time.sleep(whole * attempt / 24)
    process.send_signal(numbers[attempt % len(numbers)])
    check(process, numbers[attempt % len(numbers)], may_end=True)
