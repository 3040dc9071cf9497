"""usage: drop_waits.py MODEL.so OUT.so: the model, whose kernels no longer wait for their copies."""

import os
import re
import sys

with open(sys.argv[1], "rb") as file:
    model = file.read()
model, count = re.subn(rb"cp\.async\.wait_group \t\d;", b"cp.async.wait_group \t9;", model)
assert count > 0, "expected kernels that wait for copies, got none"
with open(sys.argv[2], "wb") as file:
    file.write(model)
os.chmod(sys.argv[2], 0o755)
