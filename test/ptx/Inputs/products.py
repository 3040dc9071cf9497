"""Products of tensor cores over all types, orders of operands and swizzles, against sums of integers.

usage: products.py PTX_RUN SCRATCH [PTXAS]

The operands of wgmma are laid out here after the canonical layouts of CUTLASS (mma_sm90_desc.hpp), apart from how the
machine reads descriptors. Values are small integers, so that every sum is exact.
"""

import random
import struct
import sys

from generated import Machine, bf16, copy_in, f16, f32, kernel

SIZES = {"bf16": 2, "f16": 2, "tf32": 4}
ENCODE = {"bf16": bf16, "f16": f16, "tf32": f32}
MODES = {0: 0, 128: 1, 64: 2, 32: 3}


def layout(row, k, size, swizzle, is_mn):
    """The offset of an element, and the leading and stride byte offsets that go with it."""
    width = swizzle or 16
    byte = (row if is_mn else k) * size
    if swizzle and is_mn:
        leading, stride = 16 * width, 8 * width
        at = byte // width * leading + k // 8 * stride + k % 8 * width + byte % width
    elif is_mn:
        leading, stride = 128, 256
        at = byte // 16 * stride + k // 8 * leading + k % 8 * 16 + byte % 16
    elif swizzle:
        leading, stride = 16, 8 * width
        at = row // 8 * stride + row % 8 * width + byte
    else:
        leading, stride = 128, 256
        at = row // 8 * stride + row % 8 * 16 + byte // 16 * leading + byte % 16
    if swizzle:
        at ^= (at >> 7 & (swizzle // 16 - 1)) << 4
    return at, leading, stride


def place(image, base, matrix, kind, swizzle, is_mn):
    """Writes a matrix of rows along K into the image of shared memory. The descriptor without its start."""
    size = SIZES[kind]
    for row, line in enumerate(matrix):
        for k, value in enumerate(line):
            at, leading, stride = layout(row, k, size, swizzle, is_mn)
            image[base + at:base + at + size] = ENCODE[kind](value).to_bytes(size, "little")
    return leading >> 4 << 16 | stride >> 4 << 32 | MODES[swizzle] << 62


def descriptor(register, base, bits):
    return ("\tadd.s32 \t%%r0, %%base, %d;\n\tshr.u32 \t%%r0, %%r0, 4;\n\tcvt.u64.u32 \t%s, %%r0;\n\tor.b64 \t%s, %s, %d;\n"
            % (base, register, register, register, bits))


def fragment(a, kind):
    """Registers of A as mma.sync has them, lane by lane for each warp of 16 rows."""
    pairs, unit = kind != "tf32", 4 if kind == "tf32" else 8
    lanes = []
    for thread in range(2 * len(a)):
        warp, lane = divmod(thread, 32)
        for register in range(2 * len(a[0]) // unit):
            row = 16 * warp + lane // 4 + register % 2 * 8
            if pairs:
                k = register // 2 * 8 + lane % 4 * 2
                lanes.append(ENCODE[kind](a[row][k]) | ENCODE[kind](a[row][k + 1]) << 16)
            else:
                lanes.append(ENCODE[kind](a[row][register // 2 * 4 + lane % 4]))
    return struct.pack("<%dI" % len(lanes), *lanes)


def fragment_b(b, kind):
    """Of B, whose rows are its columns."""
    pairs, unit = kind != "tf32", 4 if kind == "tf32" else 8
    lanes = []
    for lane in range(32):
        for register in range(len(b[0]) // unit):
            if pairs:
                k = register * 8 + lane % 4 * 2
                lanes.append(ENCODE[kind](b[lane // 4][k]) | ENCODE[kind](b[lane // 4][k + 1]) << 16)
            else:
                lanes.append(ENCODE[kind](b[lane // 4][register * 4 + lane % 4]))
    return struct.pack("<%dI" % len(lanes), *lanes)


def matrix(rows, columns, generator):
    return [[generator.randrange(-4, 5) for _ in range(columns)] for _ in range(rows)]


def compare(machine, name, data, a, b, registers, scale):
    """Register i of thread t holds row 16 (t / 32) + t % 32 / 4 + 8 (i / 2 % 2), column 8 (i / 4) + 2 (t % 4) + i % 2."""
    if data is None:
        return
    got = struct.unpack("<%df" % (len(data) // 4), data)
    for thread in range(2 * len(a)):
        for register in range(registers):
            row = thread // 32 * 16 + thread % 32 // 4 + 8 * (register // 2 % 2)
            column = 8 * (register // 4) + thread % 4 * 2 + register % 2
            expected = scale * sum(x * y for x, y in zip(a[row], b[column]))
            if got[thread * registers + register] != expected:
                return machine.fail(name, "row %d, column %d: expected %g, got %g"
                                    % (row, column, expected, got[thread * registers + register]))


def store(registers):
    text = "\tmul.lo.u32 \t%%r1, %%thread, %d;\n\tcvt.u64.u32 \t%%at, %%r1;\n\tadd.s64 \t%%out, %%out, %%at;\n" % (4 * registers)
    return text + "".join("\tst.global.f32 \t[%%out+%d], %%d%d;\n" % (4 * n, n) for n in range(registers))


def warpgroup(machine, kind, columns, swizzle_a, swizzle_b, a_mn, b_mn, in_registers, generator, negated=False):
    name = "wgmma n%d %s A %s B %s" % (columns, kind, "registers" if in_registers else "%dB%s" % (swizzle_a, " MN" * a_mn),
                                      "%dB%s" % (swizzle_b, " MN" * b_mn))
    depth = 8 if kind == "tf32" else 16
    a, b = matrix(64, depth, generator), matrix(columns, depth, generator)
    image = bytearray(32768)
    base_b = 16384
    if in_registers:
        image[0:2048] = fragment(a, kind)
        body = copy_in(len(image) // 4) + "\tshl.b32 \t%r2, %thread, 4;\n\tadd.s32 \t%r2, %r2, %base;\n"
        body += "\tld.shared.v4.b32 \t{%r4, %r5, %r6, %r7}, [%r2];\n"
        operand = "{%r4, %r5, %r6, %r7}"
    else:
        body = copy_in(len(image) // 4) + descriptor("%desc0", 0, place(image, 0, a, kind, swizzle_a, a_mn))
        operand = "%desc0"
    body += descriptor("%desc1", base_b, place(image, base_b, b, kind, swizzle_b, b_mn))
    registers = columns // 2
    flags = [] if kind == "tf32" else ([int(b_mn)] if in_registers else [int(a_mn), int(b_mn)])
    numbers = "".join(", %d" % flag for flag in [-1 if negated else 1, 1] + flags)
    body += "\twgmma.fence.sync.aligned;\n\twgmma.mma_async.sync.aligned.m64n%dk%d.f32.%s.%s \t{%s}, %s, %%desc1, 0%s;\n" % (
        columns, depth, kind, kind, ", ".join("%%d%d" % n for n in range(registers)), operand, numbers)
    body += "\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned \t0;\n" + store(registers)
    data = machine.run(name, kernel(body), bytes(image), 128 * registers, ["--block=128", "--shared=32768"])
    compare(machine, name, data, a, b, registers, -1 if negated else 1)


def warp(machine, kind, depth, generator):
    name = "mma m16n8k%d %s" % (depth, kind)
    a, b = matrix(16, depth, generator), matrix(8, depth, generator)
    data = fragment(a, kind)
    count_a, count_b = len(data) // 128, len(fragment_b(b, kind)) // 128
    body = "\tmul.wide.u32 \t%%at, %%thread, %d;\n\tadd.s64 \t%%in, %%in, %%at;\n" % (4 * count_a)
    body += "".join("\tld.global.b32 \t%%r%d, [%%in+%d];\n" % (n, 4 * n) for n in range(count_a))
    body += "\tld.param.u64 \t%%in, [in];\n\tmul.wide.u32 \t%%at, %%thread, %d;\n\tadd.s64 \t%%in, %%in, %%at;\n" % (4 * count_b)
    body += "".join("\tld.global.b32 \t%%r%d, [%%in+%d];\n" % (8 + n, len(data) + 4 * n) for n in range(count_b))
    body += "".join("\tmov.f32 \t%%d%d, 0f00000000;\n" % n for n in range(4))
    body += "\tmma.sync.aligned.m16n8k%d.row.col.f32.%s.%s.f32 \t{%%d0, %%d1, %%d2, %%d3}, {%s}, {%s}, {%%d0, %%d1, %%d2, %%d3};\n" % (
        depth, kind, kind, ", ".join("%%r%d" % n for n in range(count_a)), ", ".join("%%r%d" % (8 + n) for n in range(count_b)))
    result = machine.run(name, kernel(body + store(4)), data + fragment_b(b, kind), 128, ["--block=32"])
    compare(machine, name, result, a, b, 4, 1)


machine = Machine(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
generator = random.Random(1)
for kind in SIZES:
    for swizzle in MODES:
        warpgroup(machine, kind, 24, swizzle, swizzle, False, False, False, generator)
        warpgroup(machine, kind, 8, 0, swizzle, False, False, True, generator)
for kind in ("bf16", "f16"):
    for swizzle in MODES:
        warpgroup(machine, kind, 64, swizzle, swizzle, True, False, False, generator)
        warpgroup(machine, kind, 64, swizzle, swizzle, False, True, False, generator)
warpgroup(machine, "bf16", 256, 128, 64, False, True, False, generator)
warpgroup(machine, "bf16", 136, 128, 32, True, True, False, generator)
warpgroup(machine, "f16", 128, 128, 128, False, True, True, generator)
warpgroup(machine, "bf16", 16, 128, 128, False, False, False, generator, negated=True)
for kind, depth in (("bf16", 16), ("f16", 16), ("bf16", 8), ("f16", 8), ("tf32", 8), ("tf32", 4)):
    warp(machine, kind, depth, generator)
sys.exit(machine.end())
