"""The faults that mutate.py injects: what is replaced by what, and how it must show."""

from typing import NamedTuple, Tuple

KERNELS = {
    "rows.ptx": "--grid=2 --block=128 --buffer=f32:2000:random(1) --buffer=f32:2 --scalar=s32:1000 --print=1".split(),
    "stages.ptx": ("--block=64 --shared=2560 --buffer=bf16:2048:random(1) --buffer=bf16:512:random(2) --buffer=f32:256 "
                   "--scalar=u32:4 --scalar=f32:0.5 --print=2").split(),
    "pipeline.ptx": ("--block=256 --shared=32800 --memory=bf16:20480:random(1) --memory=bf16:10240:random(2) "
                     "--memory=bf16:2048 --map=0:bf16:320x64:64x64:128B --map=1:bf16:320x32:64x32:128B "
                     "--map=2:bf16:32x64:32x64:64B --buffer=f32:20:0.5 --scalar=u32:5 --print=2").split(),
}


class Fault(NamedTuple):
    kernel: str
    name: str
    old: str
    new: str
    kinds: Tuple[str, ...]  # of reports, or "wrong numbers"
    which: int = 0  # of the places, all for 0


WRONG = ("wrong numbers",)
RACE = ("race",)
STUCK = ("deadlock",)

FAULTS = [
    # Barriers and shared memory of a plain kernel.
    Fault("rows.ptx", "no barrier after the first store", "bar.sync \t0;", "", RACE, 1),
    Fault("rows.ptx", "no barrier in the middle of the tree", "bar.sync \t0;", "", RACE, 2),
    Fault("rows.ptx", "no barrier before the last step", "bar.sync \t0;", "", RACE, 7),
    Fault("rows.ptx", "a barrier of half of the threads", "bar.sync \t0;", "bar.sync \t0, 64;", ("race", "barrier misuse"), 1),
    Fault("rows.ptx", "a barrier for too few threads", "bar.sync \t0;", "bar.sync \t0, 96;", ("barrier misuse", "deadlock", "race"), 1),
    Fault("rows.ptx", "two barriers that some pass each", "bar.sync \t0;", "@%p1 bar.sync \t1;", ("race", "deadlock", "misuse"), 2),
    Fault("rows.ptx", "a row that ends one step late", "setp.lt.s32 \t%p3, %r40, %r3;", "add.s32 \t%r3, %r3, 128;\n\tsetp.lt.s32 \t%p3, %r40, %r3;\n\tsub.s32 \t%r3, %r3, 127;", ("out of bounds", "wrong numbers")),
    Fault("rows.ptx", "a stride of elements instead of bytes", "mul.wide.s32 \t%rd6, %r4, 4;", "mul.wide.s32 \t%rd6, %r4, 2;", ("misaligned", "wrong numbers")),
    Fault("rows.ptx", "an index beyond shared memory", "[%rd3+256]", "[%rd3+512]", ("out of bounds",)),
    Fault("rows.ptx", "a partner that was never written", "st.shared.b32 \t[%rd3], %r39;", "@%p1 st.shared.b32 \t[%rd3], %r39;", ("uninitialised",)),
    Fault("rows.ptx", "a result that all blocks write", "mov.u32 \t%r1, %ctaid.x;", "mov.u32 \t%r1, %ctaid.y;", RACE),
    Fault("rows.ptx", "a sum that begins undefined", "mov.b32 \t%r39, 0f00000000;", "", ("uninitialised",)),
    Fault("rows.ptx", "a sum that loses its accumulator", "fma.rn.f32 \t%r39, %r5, %r5, %r39;", "mul.rn.f32 \t%r39, %r5, %r5;", WRONG),
    # Stages of cp.async.
    Fault("stages.ptx", "a wait for one group too few", "cp.async.wait_group \t1;", "cp.async.wait_group \t2;", ("race", "uninitialised")),
    Fault("stages.ptx", "no commit of the first stage", "cp.async.commit_group;", "", ("race", "uninitialised"), 1),
    Fault("stages.ptx", "no wait at all", "cp.async.wait_group \t1;", "", ("race", "uninitialised")),
    Fault("stages.ptx", "no barrier between copies and reads", "bar.sync \t0;", "", RACE, 1),
    Fault("stages.ptx", "no barrier before a stage is reused", "bar.sync \t0;", "", RACE, 2),
    Fault("stages.ptx", "one stage instead of two", "and.b32 \t%r21, %r20, 1;", "mov.b32 \t%r21, 0;", ("race", "uninitialised")),
    Fault("stages.ptx", "stages that overlap", "shl.b32 \t%r22, %r21, 10;", "shl.b32 \t%r22, %r21, 9;", ("race", "uninitialised")),
    Fault("stages.ptx", "no rescale", "mul.rn.f32 \t%f2, %f2, %f9;", "", WRONG),
    Fault("stages.ptx", "a fragment that is not transposed", "x2.trans.shared", "x2.shared", WRONG),
    Fault("stages.ptx", "registers of A swapped", "{%r30, %r31, %r32, %r33}, {%r34", "{%r30, %r32, %r31, %r33}, {%r34", WRONG),
    Fault("stages.ptx", "a product that forgets its accumulator", "{%r34, %r35}, {%f0, %f1, %f2, %f3};", "{%r34, %r35}, {0f00000000, 0f00000000, 0f00000000, 0f00000000};", WRONG),
    Fault("stages.ptx", "a tile of A too many", "setp.ge.u32 \t%p2, %r20, %r3;", "setp.gt.u32 \t%p2, %r20, %r3;", ("out of bounds", "in flight", "race")),
    Fault("stages.ptx", "a copy to an odd place", "add.s32 \t%r5, %r2, %r4;", "add.s32 \t%r5, %r2, %r4; add.s32 \t%r5, %r5, 8;", ("misaligned",)),
    Fault("stages.ptx", "a matrix row between two", "shl.b32 \t%r17, %r13, 4;", "shl.b32 \t%r17, %r13, 3;", ("misaligned",)),
    # A pipeline of bulk copies and wgmma.
    Fault("pipeline.ptx", "no fence after the initialisation of mbarriers", "fence.mbarrier_init.release.cluster;", "", ("missing proxy fence",)),
    Fault("pipeline.ptx", "no barrier after the initialisation of mbarriers", "bar.sync \t0;", "", ("race", "barrier misuse"), 1),
    Fault("pipeline.ptx", "an empty barrier of too few arrivals", "mov.b32 \t%r6, 4;", "mov.b32 \t%r6, 2;", ("race", "barrier misuse")),
    Fault("pipeline.ptx", "an empty barrier of too many arrivals", "mov.b32 \t%r6, 4;", "mov.b32 \t%r6, 8;", STUCK),
    Fault("pipeline.ptx", "too few bytes expected", "mov.b32 \t%r15, 12304;", "mov.b32 \t%r15, 12288;", ("race", "uninitialised", "barrier misuse")),
    Fault("pipeline.ptx", "half of the bytes expected", "mov.b32 \t%r15, 12304;", "mov.b32 \t%r15, 8192;", ("race", "uninitialised", "barrier misuse")),
    Fault("pipeline.ptx", "too many bytes expected", "mov.b32 \t%r15, 12304;", "mov.b32 \t%r15, 12320;", STUCK),
    Fault("pipeline.ptx", "no wait for the full stage", "@P1 bra.uni \tDONE;", "bra.uni \tDONE;", ("race", "uninitialised"), 2),
    Fault("pipeline.ptx", "a full stage that is not waited for", "mbarrier.try_wait.parity.shared.b64 \tP1, [%r14+32768], %r22, 10000000;", "setp.eq.u32 \tP1, 0, 0;", ("race", "uninitialised")),
    Fault("pipeline.ptx", "an empty stage that is not waited for", "mbarrier.try_wait.parity.shared.b64 \tP1, [%r14+32784], %r12, 10000000;", "setp.eq.u32 \tP1, 0, 0;", RACE),
    Fault("pipeline.ptx", "a wrong parity of the empty stage", "mov.b32 \t%r12, 1;", "mov.b32 \t%r12, 0;", STUCK),
    Fault("pipeline.ptx", "a parity that never flips", "xor.b32 \t%r22, %r22, %r11;", "", ("race", "deadlock", "uninitialised")),
    Fault("pipeline.ptx", "no arrival at the empty stage", "@%p6 mbarrier.arrive.shared.b64 \t_, [%r14+32784];", "", STUCK),
    Fault("pipeline.ptx", "an arrival before the product has ended", "wgmma.wait_group.sync.aligned \t0;\n\t@%p6 mbarrier.arrive.shared.b64 \t_, [%r14+32784];",
          "@%p6 mbarrier.arrive.shared.b64 \t_, [%r14+32784];\n\twgmma.wait_group.sync.aligned \t0;", RACE),
    Fault("pipeline.ptx", "no wait for the product", "wgmma.wait_group.sync.aligned \t0;", "", ("in flight",)),
    Fault("pipeline.ptx", "a wait that leaves the product", "wgmma.wait_group.sync.aligned \t0;", "wgmma.wait_group.sync.aligned \t1;", ("in flight",)),
    Fault("pipeline.ptx", "no commit of the product", "wgmma.commit_group.sync.aligned;", "", ("in flight",)),
    Fault("pipeline.ptx", "no fence after the rescale", "wgmma.fence.sync.aligned;", "", ("in flight",)),
    Fault("pipeline.ptx", "a write of an accumulator after the fence", "wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned;\n\tmul.rn.f32 \t%f0, %f0, 0f3F800000;", ("in flight",)),
    Fault("pipeline.ptx", "no rescale", "mul.rn.f32 \t%f9, %f9, %f16;", "", WRONG),
    Fault("pipeline.ptx", "a descriptor of 64 bytes of swizzle", "or.b64 \t%rd10, %rd10, 4611686293305360384;", "or.b64 \t%rd10, %rd10, 9223372311732748288;", WRONG),
    Fault("pipeline.ptx", "a stride between rows that is too short", "or.b64 \t%rd10, %rd10, 4611686293305360384;", "or.b64 \t%rd10, %rd10, 4611686155866406912;", WRONG),
    Fault("pipeline.ptx", "B taken for MN-major", "%rd10, %rd11, 1, 1, 1, 0, 0;", "%rd10, %rd11, 1, 1, 1, 0, 1;", ("wrong numbers", "uninitialised", "out of bounds")),
    Fault("pipeline.ptx", "an accumulator that is thrown away", "%rd10, %rd11, 1, 1, 1, 0, 0;", "%rd10, %rd11, 0, 1, 1, 0, 0;", WRONG),
    Fault("pipeline.ptx", "a step along K that is too long", "add.s64 \t%rd12, %rd10, 2;", "add.s64 \t%rd12, %rd10, 4;", WRONG),
    Fault("pipeline.ptx", "an unswizzled result", "xor.b32 \t%r45, %r42, %r43;", "mov.b32 \t%r45, %r42;", ("wrong numbers", "race", "uninitialised")),
    Fault("pipeline.ptx", "no proxy fence before the copy of the result", "fence.proxy.async.shared::cta;", "", ("missing proxy fence",)),
    Fault("pipeline.ptx", "no barrier before the copy of the result", "bar.sync \t1, 128;", "", ("race", "uninitialised")),
    Fault("pipeline.ptx", "a barrier of all threads that the producer does not reach", "bar.sync \t1, 128;", "bar.sync \t1, 256;", STUCK),
    Fault("pipeline.ptx", "no wait for the copy of the result", "cp.async.bulk.wait_group.read \t0;", "", ("in flight",)),
    Fault("pipeline.ptx", "no commit of the copy of the result", "cp.async.bulk.commit_group;", "", ("in flight",)),
    Fault("pipeline.ptx", "more registers than the producer gave away", "setmaxnreg.inc.sync.aligned.u32 \t216;", "setmaxnreg.inc.sync.aligned.u32 \t240;", STUCK),
    Fault("pipeline.ptx", "a stage of B inside of A", "add.s32 \t%r18, %r18, 16384;", "add.s32 \t%r18, %r18, 14336;", ("race", "wrong numbers")),
    Fault("pipeline.ptx", "a tile one column late", "add.s32 \t%r13, %r13, 64;", "add.s32 \t%r13, %r13, 65;", WRONG),
    Fault("pipeline.ptx", "a lane instead of an elected one", "elect.sync \t_|%p3, -1;", "setp.ne.u32 \t%p3, %r1, 1000;", ("barrier misuse", "race", "deadlock")),
    Fault("pipeline.ptx", "one warp of the warpgroup without a product", "wgmma.fence.sync.aligned;", "setp.eq.u32 \t%p8, %r4, 5;\n\t@%p8 wgmma.fence.sync.aligned;\n\twgmma.fence.sync.aligned;", ("warpgroup",)),
    Fault("pipeline.ptx", "one warp that leaves before the last wait", "wgmma.wait_group.sync.aligned \t0;",
          "sub.u32 \t%r55, %r3, 1;\n\tsetp.eq.u32 \t%p8, %r10, %r55;\n\tsetp.eq.and.u32 \t%p8, %r4, 6, %p8;\n\t@%p8 bra \t$end;\n\twgmma.wait_group.sync.aligned \t0;",
          ("warpgroup", "deadlock")),
    Fault("pipeline.ptx", "descriptors that differ within a warpgroup", "shl.b32 \t%r26, %r11, 12;", "shl.b32 \t%r26, %r4, 12;", ("warpgroup",)),
]
