"""Bulk tensor copies: swizzles, boxes that reach out of the tensor, ranks, and the way back.

usage: tiles.py PTX_RUN SCRATCH [PTXAS]
"""

import struct
import sys

from generated import Machine, kernel

PROLOGUE = """
	mov.b64 	%map, map;
	cvta.param.u64 	%map, %map;
	setp.ne.u32 	%first, %thread, 0;
	@%first bra 	READY;
	mbarrier.init.shared.b64 	[%base+32768], 1;
	fence.mbarrier_init.release.cluster;
	mov.b32 	%r1, BYTES;
	mbarrier.arrive.expect_tx.shared.b64 	_, [%base+32768], %r1;
	COORDINATES
	add.s32 	%r2, %base, 32768;
	cp.async.bulk.tensor.RANKd.shared::cluster.global.tile.mbarrier::complete_tx::bytes 	[%base], [%map, {LIST}], [%r2];
READY:
	bar.sync 	0;
WAIT:
	mbarrier.try_wait.parity.shared.b64 	%more, [%base+32768], 0;
	@!%more bra 	WAIT;
"""

# Words of shared memory as they lie, to %out.
LINEAR = """
	mov.u32 	%i, %thread;
OUT:
	setp.ge.u32 	%more, %i, WORDS;
	@%more bra 	STORED;
	shl.b32 	%r0, %i, 2;
	add.s32 	%r0, %r0, %base;
	ld.shared.b32 	%word, [%r0];
	mul.wide.u32 	%at, %i, 4;
	add.s64 	%at, %at, %out;
	st.global.b32 	[%at], %word;
	add.s32 	%i, %i, 128;
	bra 	OUT;
STORED:
"""

# The tile to the place with the negated coordinates of a second map.
BACK = """
	mov.b64 	%map, back;
	cvta.param.u64 	%map, %map;
	bar.sync 	0;
	@%first bra 	END;
	cp.async.bulk.tensor.RANKd.global.shared::cta.tile.bulk_group 	[%map, {LIST}], [%base];
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 	0;
END:
"""


# Four words from %base on, to the corner of the tensor that the box's other bytes lie outside of.
CORNER = """
	mov.b64 	%map, map;
	cvta.param.u64 	%map, %map;
	setp.gt.u32 	%first, %thread, WORDS;
	@%first bra 	WRITTEN;
	shl.b32 	%r1, %thread, 2;
	add.s32 	%r1, %r1, %base;
	st.shared.b32 	[%r1], %thread;
	fence.proxy.async.shared::cta;
WRITTEN:
	bar.sync 	0;
	setp.ne.u32 	%first, %thread, 0;
	@%first bra 	END;
	mov.b32 	%r3, 4;
	mov.b32 	%r4, 3;
	cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group 	[%map, {%r3, %r4}], [%base];
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 	0;
END:
"""


def prologue(coordinates, words):
    rank = len(coordinates)
    moves = "\n\t".join("mov.b32 \t%%r%d, %d;" % (3 + n, at) for n, at in enumerate(coordinates))
    return (PROLOGUE + LINEAR).replace("BYTES", str(4 * words)).replace("COORDINATES", moves).replace("RANK", str(rank)).replace(
        "LIST", ", ".join("%%r%d" % (3 + n) for n in range(rank))).replace("WORDS", str(words))


def strides(sizes):
    result = [1]
    for size in sizes:
        result.append(result[-1] * size)
    return result


def positions(box):
    """Of a box, the innermost dimension first to change."""
    count = strides(box)
    for n in range(count[-1]):
        yield [n // step % size for step, size in zip(count, box)]


def element(sizes, at):
    """The value of the tensor there, which counts its elements from 1; 0 outside."""
    if any(not 0 <= x < size for x, size in zip(at, sizes)):
        return 0
    return 1 + sum(x * step for x, step in zip(at, strides(sizes)))


def arguments(sizes, box, swizzle, buffer=0):
    return "--map=%d:f32:%s:%s%s" % (buffer, "x".join(map(str, sizes)), "x".join(map(str, box)), ":%dB" % swizzle if swizzle else "")


def load(machine, sizes, box, coordinates, swizzle):
    name = "box %s at %s, swizzle %d" % (box, coordinates, swizzle)
    words = strides(box)[-1]
    count = strides(sizes)[-1]
    data = struct.pack("<%df" % count, *range(1, count + 1))
    text = kernel(prologue(coordinates, words), ", .param .align 64 .b8 map[128]")
    got = machine.run(name, text, data, words, ["--block=128", "--shared=32776", arguments(sizes, box, swizzle)])
    if got is None:
        return
    got = struct.unpack("<%df" % words, got)
    for n, at in enumerate(positions(box)):
        byte = 4 * n
        byte ^= (byte >> 7 & ((swizzle or 16) // 16 - 1)) << 4
        expected = element(sizes, [x + y for x, y in zip(coordinates, at)])
        if got[byte // 4] != expected:
            return machine.fail(name, "%s: expected %g at byte %d, got %g" % (at, expected, byte, got[byte // 4]))


def back(machine, sizes, box, coordinates, swizzle):
    """What a load brings, a store puts to the same place of another tensor: that inside of it, and nothing else."""
    name = "there and back, box %s at %s, swizzle %d" % (box, coordinates, swizzle)
    count = strides(sizes)[-1]
    data = struct.pack("<%df" % count, *range(1, count + 1))
    rank = str(len(sizes))
    registers = ", ".join("%%r%d" % (3 + n) for n in range(len(sizes)))
    body = prologue(coordinates, strides(box)[-1]).split("\tmov.u32 \t%i, %thread;")[0]
    body += BACK.replace("RANK", rank).replace("LIST", registers)
    text = kernel(body, ", .param .align 64 .b8 map[128], .param .align 64 .b8 back[128]")
    got = machine.run(name, text, data, count, ["--block=128", "--shared=32776", arguments(sizes, box, swizzle), arguments(sizes, box, swizzle, 1)])
    if got is None:
        return
    got = struct.unpack("<%dI" % count, got)
    for n, at in enumerate(positions(sizes)):
        inside = all(0 <= x - start < size for x, start, size in zip(at, coordinates, box))
        expected = struct.unpack("<I", struct.pack("<f", n + 1))[0] if inside else 0xcdcdcdcd
        if got[n] != expected:
            return machine.fail(name, "%s: expected 0x%x, got 0x%x" % (at, expected, got[n]))


def corner(machine, words):
    """A store reads what lies inside of the tensor, and no more: the fifth word on need not have been written."""
    text = kernel(CORNER.replace("WORDS", str(words - 1)), ", .param .align 64 .b8 map[128]")
    name = "a store of %d words" % words
    arguments_of = ["--block=128", "--shared=32776", arguments([8, 4], [8, 4], 0, 1)]
    if words < 4:
        return machine.refuse(name, text, 32, arguments_of, "uninitialised")
    got = machine.run(name, text, bytes(4), 32, arguments_of)
    if got is not None and struct.unpack("<4I", got[-16:]) != (0, 1, 2, 3):
        machine.fail(name, "expected 0 to 3, got %s" % (struct.unpack("<4I", got[-16:]),))


machine = Machine(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
for swizzle, inner in ((0, 20), (32, 8), (64, 16), (128, 32)):
    for coordinates in ((0, 0), (4, 2), (-3, -1), (30, 9)):
        load(machine, [40, 12], [inner, 6], coordinates, swizzle)
        back(machine, [40, 12], [inner, 6], coordinates, swizzle)
corner(machine, 4)
corner(machine, 3)
load(machine, [256], [64], [200], 0)
for copy in (load, back):
    copy(machine, [8, 5, 3], [8, 2, 2], [0, 4, 1], 32)
    copy(machine, [8, 3, 2, 2], [4, 2, 2, 2], [4, 2, 0, 1], 0)
    copy(machine, [4, 3, 2, 2, 2], [4, 2, 1, 2, 2], [0, -1, 1, 1, 0], 0)
sys.exit(machine.end())
