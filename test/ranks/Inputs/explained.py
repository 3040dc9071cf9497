"""Compares what `xfc explain --mesh` says of each program of a file with what xf-shares says that its ranks sent.

usage: explained.py FILE [OUTPUT-OF-XF-SHARES]

Prints bytes and pairs as shares, and `as sent` where the two are the same. Programs with axes of other names, or with
other chunks than explain takes, are left out.
"""

import json
import re
import subprocess
import sys

HEADER = 8  # bytes of a message
AGREEMENT = 56  # bytes of each message before a rank computes


def explain(text):
    mesh = dict(re.findall(r'"(\w+)" = (\d+)', re.search(r"#xf.mesh<(.*?)>", text).group(1)))
    if not mesh.keys() <= {"data", "sequence", "tensor"}:
        return None
    axes = ",".join("=".join(axis) for axis in mesh.items())
    flops = 1 if "zigzag" in text else 1e24  # zigzag chunks where the balance decides, tokens in order where the wire does
    run = subprocess.run(["xfc", "explain", "-", f"--mesh={axes}", f"--mesh-machine=gpu,flops={flops}", "--json"], input=text,
                         capture_output=True, text=True, check=True)
    mesh = json.loads(run.stdout)[-1]["mesh"]  # of the gradient, with its attention
    return mesh if ("zigzag" in text) == (mesh["chunks"] > 1) else None


programs = open(sys.argv[1]).read().split("// -----")
sent = open(sys.argv[2]).read().splitlines() if len(sys.argv) > 2 else [None] * len(programs)
for text, line in zip(programs, sent):
    name, mesh = re.search(r"@(\w+)", text).group(1), explain(text)
    if not mesh:
        continue
    result = "sends %.4f of a gather, pairs %.4f of the mean" % (mesh["bytes_sent"] / mesh["gather_bytes"], mesh.get("balance", 1))
    if line:
        ranks = 1
        for count in mesh["axes"].values():
            ranks *= count
        agreed = (ranks - 1).bit_length()  # messages
        expected = mesh["messages"] + agreed, mesh["bytes_sent"] + HEADER * mesh["messages"] + AGREEMENT * agreed
        found = tuple(map(int, re.match(name + r" on .*, (\d+) messages, (\d+) bytes sent", line).groups()))
        result += ": as sent" if found == expected else ": explain says %s, ranks sent %s" % (expected, found)
    print(f"{name}: {result}")
