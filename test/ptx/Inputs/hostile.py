"""Feeds ptx-run text that is no PTX, or PTX that it does not know, and checks that each gives one clear error and no crash.

usage: hostile.py PTX_RUN KERNELS SCRATCH

Pieces of a body are wrapped in a kernel; the kernels of the folder KERNELS are cut off at every line and have words of
theirs replaced. Exits with 1 if there is a crash, silence where an error is expected, or more than one line of it.
"""

import os
import random
import subprocess
import sys

HEADER = ".version 8.0\n.target sm_90a\n.address_size 64\n"
DECLARED = ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .shared .b8 s[64];\n"

# What stands in a body, and what its error says.
BODIES = {
    "frobnicate.u32 %r1, %r2;": "expected an opcode that this machine knows, got 'frobnicate.u32'",
    "red.global.add.u32 [%rd1], %r2;": "expected an opcode that this machine knows, got 'red.global.add.u32'",
    "atom.global.add.u32 %r1, [%rd1], %r2;": "expected atom.global.inc.u32, got 'atom.global.add.u32'",
    "add.u32.fast %r1, %r2, %r3;": "expected modifiers that this machine knows of add.u32.fast, got '.fast'",
    "add.u32 %r1, %r2;": "expected more operands of add.u32, got 2",
    "add.u32 %r1, %r2, %r3, %r4;": "expected 3 operands of add.u32, got 4",
    "add.u32 %rd1, %r2, %r3;": "expected a register of 32 bits, got '%rd1' of 64",
    "add.u32 %r1, %q2, %r3;": "expected a special register that this machine knows, got '%q2'",
    "add.u32 %r1, %r99, %r3;": "expected a special register that this machine knows, got '%r99'",
    "add.u32 3, %r2, %r3;": "expected a register to write",
    "add.f32 %r1, %r2, 3;": "expected an operand of type f32, got '3'",
    "add %r1, %r2, %r3;": "expected a type, got 'add'",
    "mul.u32 %r1, %r2, %r3;": "expected .lo, .hi or .wide, got 'mul.u32'",
    "mov.b64 {%r1, %r2, %r3}, %rd1;": "expected a vector of 2 or 4 registers, got 3",
    "mov.u32 %r1, nothing;": "expected a declared name, got 'nothing'",
    "ld.global.v3.u32 {%r1, %r2, %r3}, [%rd1];": "expected another number of elements",
    "ld.global.u32 %r1, %rd1;": "expected an address in brackets, got '%rd1'",
    "ld.global.u32 %r1, [%p1];": "expected a register of 32 bits, got '%p1' of 1",
    "st.global.u32 [%rd1], {%r1, %r2};": "expected another number of elements",
    "@%r1 ret;": "expected a predicate, got '%r1'",
    "bra nowhere;": "expected a label, got 'nowhere'",
    "a: a: ret;": "expected a new label, got 'a' again",
    "call nothing, (%r1);": "expected the name of a function before it is called, got 'nothing'",
    "cvt.u32.f32 %r1, %r2;": "expected a rounding to an integer",
    "cvt.f16.f32 %h1, %r2;": "expected a rounding",
    "setp.equ.u32 %p1, %r1, %r2;": "expected a comparison of u32",
    "shfl.bfly.b32 %r1, %r2, 1, 31;": "expected shfl.sync",
    "bar.sync;": "expected more operands of bar.sync, got 0",
    "bar.arrive 1;": "expected the count of threads of bar.arrive",
    "cp.async.cg.shared.global [%r1], [%rd1], 8;": "expected 16 bytes, or 4 or 8 with .ca, got 8",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;": "expected",
    "setmaxnreg.inc.sync.aligned.u32 100;": "expected a multiple of 8 from 24 to 256, got 100",
    "wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {%r1}, %rd1, %rd2, 1, 1, 1, 0, 0;": "expected a shape",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r1, %r2}, %rd1, %rd2, 1, 1, 1, 0, 0;": "expected another number of elements",
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1};": "expected mma.sync.aligned",
    "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1}, [%r2];": "expected",
    "mbarrier.init.shared.b32 [%r1], 1;": "expected mbarrier of .b64",
    ".reg .b32 %many<4294967295>;": "expected a new name and fewer registers",
    ".local .b8 huge[99999999];": "expected at most",
    ".reg .b24 %x;": "expected a type of a register, got '.b24'",
    "add.u32 %r1, %r2, %r3": "expected ','",
    "add.u32 %r1, %r2, 0x;": "expected an operand, got '0x'",
    "add.u32 %r1, %r2, \"text\";": "expected an operand",
    "ret; ` ;": "expected a name",
    "{" * 2000: "expected at most 1000 open blocks",
}

# Whole texts.
TEXTS = {
    "": "expected '.version', got the end",
    "\0\0\0": "expected '.version', got the end",
    ".version 6.0\n.target sm_90\n": "expected a version of 7.0 to 9.x",
    ".version 8.0\n.target compute_90\n": "expected a target sm_..",
    ".version 8.0\n.target sm_90\n.address_size 32\n": "expected addresses of 64 bits, got 32",
    HEADER + ".visible .entry k(.param .u32 a, .param .u32 a) { ret; }": "expected a new name, got 'a' again",
    HEADER + ".visible .entry k(.param .b8 a[40000]) { ret; }": "expected parameters of at most",
    HEADER + ".visible .entry k();": "expected a body of kernel 'k'",
    HEADER + ".global .u32 x = {1, 2};": "expected at most 1 initial values",
    HEADER + ".global .b8 x[99999999999];": "expected an integer of at most",
    HEADER + ".tex .u32 t;": "expected a directive of a module that this machine knows, got '.tex'",
    HEADER + "/* a comment that does not end": None,
}

program, kernels, scratch = sys.argv[1:]
failed = count = 0


def check(name, text, expected):
    """`expected`: part of the error; None where the text may be fine."""
    global failed, count
    count += 1
    with open(scratch, "w", encoding="utf-8") as file:
        file.write(text)
    try:
        result = subprocess.run([program, scratch, "--kernel=none"], capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        print("%s: expected an end, got none" % name)
        failed += 1
        return
    lines = result.stderr.strip().split("\n")
    good = result.returncode == 1 and len(lines) == 1 and lines[0].startswith("error: ")
    if not good or (expected is not None and expected not in lines[0]):
        print("%s: expected %s, got %d and %s" % (name, expected, result.returncode, result.stderr))
        failed += 1


for body, expected in BODIES.items():
    check(body[:60], HEADER + ".visible .entry k()\n{\n" + DECLARED + body + "\n}\n", expected)
for text, expected in TEXTS.items():
    check(repr(text[-60:]), text, expected)

generator = random.Random(1)
for kernel in sorted(os.listdir(kernels)):
    with open(os.path.join(kernels, kernel), encoding="utf-8") as file:
        lines = file.read().split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith(".version"))
    for end in range(first + 1, len(lines) - 2):
        check("%s cut off at line %d" % (kernel, end), "\n".join(lines[:end])[:-1], None)
    words = sorted({word for line in lines[first:] for word in line.replace(",", " , ").split()})
    for _ in range(300):
        changed = list(lines)
        at = generator.randrange(first, len(lines))
        pieces = changed[at].split(" ")
        pieces[generator.randrange(len(pieces))] = generator.choice(words)
        changed[at] = " ".join(pieces)
        check("%s changed at line %d: %s" % (kernel, at + 1, changed[at]), "\n".join(changed), None)
print("%d texts" % count)
sys.exit(failed > 0)
