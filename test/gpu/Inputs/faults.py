"""The faults that mutate.py injects: a kernel, what is changed in it, and how that must show."""

import dataclasses
import re
from collections.abc import Callable


@dataclasses.dataclass
class Program:
    """An entry of faults.mlir, or its gradient, for one kind of GPU."""

    entry: str
    architecture: str
    is_gradient: bool = False
    operands: int = 3
    tolerance: float = 0.03  # of bf16

    @property
    def name(self):
        return f"{self.entry}{' gradient' if self.is_gradient else ''}, {self.architecture}"

    @property
    def capability(self):
        return {"sm_80": "8.0", "sm_90a": "9.0"}[self.architecture]

    @property
    def inputs(self):
        return [f"arg{n}" for n in range(self.operands)] + ["d_result0"] * self.is_gradient

    @property
    def results(self):
        return [f"d_arg{n}" for n in range(self.operands)] if self.is_gradient else ["result0"]


PROGRAMS = [
    Program("attend", "sm_90a"), Program("attend", "sm_90a", is_gradient=True, tolerance=0.15), Program("product", "sm_90a"),
    Program("listed", "sm_90a"), Program("listed", "sm_90a", is_gradient=True, tolerance=0.15),
    Program("attend", "sm_80"), Program("attend", "sm_80", is_gradient=True, tolerance=0.15), Program("product", "sm_80"),
    Program("softmax", "sm_80", operands=1, tolerance=1e-5), Program("scan", "sm_80"),
]


@dataclasses.dataclass
class Fault:
    program: str
    family: str  # of kernels
    number: int  # of the family's kernel
    name: str
    change: Callable[[str], str]
    kinds: tuple[str, ...]  # of reports, or "wrong numbers"


# ------------------------------------------------------------------------------------------------------------------------
# Changes
# ------------------------------------------------------------------------------------------------------------------------


def replace(pattern, new, which=0):
    """Replaces the occurrence `which` from 1 on, from the last on where it is below 0, or all of them."""

    def change(kernel):
        found = list(re.finditer(pattern, kernel))
        if which:
            found = found[which - 1:which] if which > 0 else found[len(found) + which:][:1]
        for match in reversed(found):
            text = new(match) if callable(new) else match.expand(new)
            kernel = kernel[:match.start()] + text + kernel[match.end():]
        return kernel

    return change


def drop(opcode, which=0):
    return replace(r"(?:@!?%\w+\s+)?(?<![\w.])" + opcode + r"[^;]*;", "", which)


def drop_each(take_away, *which):
    """Takes several occurrences away, the farthest from where they are counted first."""

    def change(kernel):
        for number in sorted(which, key=abs, reverse=True):
            kernel = take_away(number)(kernel)
        return kernel

    return change


def drop_waits(*which):
    return drop_each(lambda number: replace(WAIT, "setp.eq.u32 P1, 0, 0;", number), *which)


def drop_barriers(*which):
    """Of a warp."""
    return drop_each(lambda number: drop(r"bar\.warp\.sync", number), *which)


def scale_constants(pattern, factor):
    """Multiplies constants above 1 in registers that `pattern` names."""

    def change(kernel):
        registers = set(re.findall(pattern, kernel))
    
        def scale(match):
            register, constant = match.groups()
            is_scaled = register in registers and constant != "1"
            return f"mov.b32 \t{register}, {int(int(constant) * factor)};" if is_scaled else match[0]

        return re.sub(r"mov\.b32 \t(%r\d+), (\d+);", scale, kernel)

    return change


def swap_coordinates(match):
    """The first two of a box's coordinates, which may be all."""
    first, second, *alone = match.groups()
    return f"{{{second}, {first}, " if first else f"{{{alone[1]}, {alone[0]}}}], ["


def change_descriptors(change_bits):
    """Changes the constant parts of descriptors: swizzle in bits 62 and 63, the stride of 8 rows in bits 32 to 45."""
    return replace(r"(or\.b64 [^;]*, )(46116\d{14});", lambda match: f"{match[1]}{change_bits(int(match[2]))};")


def forget_rescale(kernel):
    """Takes 1 for the exponential that most products have as a factor, itself or where a row's reference moved."""
    names = re.findall(r"ex2\.approx\.ftz\.f32 \t(%\w+),", kernel)
    chosen = dict(re.findall(r"selp\.f32 \t(%\w+), (%\w+), 0f3F800000, %\w+;", kernel))
    factors = [chosen.get(name, name) for pair in re.findall(r"mul\.(?:rn\.)?(?:ftz\.)?f32 \t%\w+, (\S+), (\S+);", kernel)
               for name in pair]
    uses = {name: factors.count(name) for name in names}
    most = max(uses.values())
    rescales = "|".join(name for name in names if uses[name] == most)
    return replace(rf"ex2\.approx\.ftz\.f32 \t({rescales}),[^;]*;", r"mov.b32 \t\1, 0f3F800000;")(kernel)


def drop_exchange(distance):
    """Lanes take their own value for that of the lane so far away."""
    return replace(rf"shfl\.sync\.bfly\.b32 \t(%\w+), (%\w+), {distance},[^;]*;", r"mov.b32 \t\1, \2;")


NO_MASK = replace(r"selp\.f32 \t(%\w+), (%\w+), 0fFF800000, %\w+;", r"mov.b32 \t\1, \2;")


def shift_mask(kernel):
    """Bounds of masks count or leave out one more."""
    opposite = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
    predicates = set(re.findall(r"selp\.f32 [^;]*0fFF800000, (%\w+);|selp\.f32 \t%\w+, 0fFF800000, %\w+, (%\w+);", kernel))
    names = "|".join(re.escape(name) for pair in predicates for name in pair if name)
    return re.sub(rf"setp\.(lt|le|gt|ge)(\.\w+ \t(?:{names}),)", lambda match: f"setp.{opposite[match[1]]}{match[2]}", kernel)


def leave_out_columns(kernel):
    """At edges, rows of a warp seem to see 32 columns less."""
    ends = "|".join(re.findall(r"redux\.sync\.max\.s32 \t(%r\d+),", kernel))
    return re.sub(rf"(setp\.[gl][te]\.s32 \t%p\d+, (?:{ends}), )(\d+);", lambda match: f"{match[1]}{int(match[2]) + 32};", kernel)


# ------------------------------------------------------------------------------------------------------------------------
# Faults
# ------------------------------------------------------------------------------------------------------------------------
WRONG = ("wrong numbers",)
RACE = ("race",)
UNORDERED = ("race", "uninitialised")
STUCK = ("deadlock",)
BEYOND = ("out of bounds", "race", "uninitialised")

WAIT = r"mbarrier\.try_wait[^;]*;"

COORDINATES = r"\{(%\w+), (%\w+), |\{(%\w+), (%\w+)\}\], \["

# Kernels whose warps have roles: copies into rings of stages, products of warpgroups.
GROUPS = [
    ("no barrier after the initialisation of mbarriers", drop(r"bar\.sync", 1), RACE),
    ("no fence after the initialisation of mbarriers", drop(r"fence\.mbarrier_init"), ("missing proxy fence",)),
    ("empty barriers of half of the arrivals", scale_constants(r"mbarrier\.init[^;]*, (%r\d+);", 0.5), RACE + STUCK),
    ("empty barriers of twice the arrivals", scale_constants(r"mbarrier\.init[^;]*, (%r\d+);", 2), STUCK),
    ("half of the bytes expected", scale_constants(r"expect_tx[^;]*, (%r\d+);", 0.5), RACE + STUCK),
    ("twice the bytes expected", scale_constants(r"expect_tx[^;]*, (%r\d+);", 2), STUCK),
    ("no wait of the first that are written", drop_waits(1), RACE + STUCK),
    ("no wait for any stage", drop_waits(0), UNORDERED),
    ("no arrival at empty barriers", drop(r"mbarrier\.arrive\.shared"), STUCK),
    ("all lanes copy", replace(r"elect\.sync \t(%\w+)\|(%\w+), -1;", r"setp.eq.u32 \t\2, 0, 0;"), RACE + STUCK),
    ("coordinates of a box in the wrong order", replace(COORDINATES, swap_coordinates), WRONG + RACE),
    ("no wait for products", drop(r"wgmma\.wait_group"), ("in flight",)),
    ("no commit of the first product", drop(r"wgmma\.commit_group", 1), ("in flight", "race")),
    ("no fence before products", drop(r"wgmma\.fence"), ("in flight",)),
    ("descriptors of 64 bytes of swizzle", change_descriptors(lambda bits: bits ^ (3 << 62)), WRONG + BEYOND),
    ("descriptors of half of the stride", change_descriptors(lambda bits: bits - (32 << 32)), WRONG),
    ("a step along K of twice the length", replace(r"add\.s64 db, (%rd\d+), 2;", r"add.s64 db, \1, 4;"), WRONG),
    ("right operands transposed", replace(r", 0;(?= add| \})", ", 1;"), WRONG),
    ("products that forget their sums", replace("db, 1, 1, 1", "db, 0, 1, 1"), WRONG),
    ("more registers than were given away", replace(r"(setmaxnreg\.inc\S+ \t)\d+;", r"\g<1>248;"), STUCK),
]
# Kernels of products of warps.
PRODUCTS = [
    ("registers of A in the wrong order",
     replace(r"(mma\.sync\S*\s+\{[^}]*\},\s+\{)(%\w+), (%\w+), (%\w+),", r"\1\2, \4, \3,"), WRONG),
    ("products that forget a sum", replace(r"(mma\.sync[^;]*,\s+\{[^}]*\},\s+\{)%\w+", r"\g<1>0f00000000"), WRONG),
]
BARRIERS = [
    ("no barriers", drop(r"bar\.sync"), UNORDERED),
]
# Kernels whose blocks pass through stages of shared memory.
STAGES = [
    ("no wait for copies", drop(r"cp\.async\.wait_group"), UNORDERED),
    ("copies that belong to no group", drop(r"cp\.async\.commit_group"), UNORDERED),
    ("copies of half of the bytes", replace(r"(selp\.b32 \t%r\d+), 16, 0,", r"\1, 8, 0,"), WRONG),
]
FRAGMENTS = [
    ("fragments transposed", replace(r"(ldmatrix\S*x4)\.shared", r"\1.trans.shared"), WRONG),
]
TRANSPOSED = [
    ("fragments that are not transposed", replace(r"(ldmatrix\S*)\.trans", r"\1"), WRONG),
    ("no barrier beside the vote on values that are not finite",
     replace(r"bar\.red\.or\.pred \t(%\w+), 0, (%\w+);", r"mov.pred \t\1, \2;"), RACE),
]
MASKS = [
    ("no rescale", forget_rescale, WRONG),
    ("no mask", NO_MASK, WRONG),
    ("a mask of one more", shift_mask, WRONG),
]
BOUNDS = [
    ("bounds that are passed by one", replace(r"setp\.lt\.(s64|s32)", r"setp.le.\1"), BEYOND),
]
BALLOT = r"vote\.sync\.ballot\.b32 \t(%r\d+), (%p\d+), -1;"
# Kernels whose streamed blocks are those that a producer warp finds and names in records: the walk is at the end of the kernel.
LISTED = [
    ("no wait before a record is written", drop_waits(-3), RACE),
    ("no waits before a block is written", drop_waits(-3, -2), RACE + STUCK),
    ("records that nobody writes", drop(r"st\.shared\.v2", -1), ("uninitialised",)),
    ("records of the block in the other order", replace(r"(st\.shared\.v2\S* \t\S+ \{)(%r\d+), (%r\d+)", r"\1\3, \2", -1), WRONG + STUCK + BEYOND),
    ("blocks that the walk forgets", replace(BALLOT, r"mov.b32 \t\1, 1;", -2), WRONG + STUCK),
    ("blocks that are never masked", replace(BALLOT, r"mov.b32 \t\1, -1;", -1), WRONG),
    ("no barriers of warps", drop(r"bar\.warp\.sync"), UNORDERED),
]
# Each in its kernel.
OTHERS = {
    ("attend, sm_90a", "attend", 0): MASKS + [
        ("columns left out that rows see", leave_out_columns, WRONG),
        ("no turn given to the other group", drop(r"bar\.arrive"), STUCK),
        ("a turn that is not waited for", drop(r"bar\.sync \t%r\d+, 256", 1), STUCK),
        ("no fence between sums and the copies of rows", drop(r"fence\.proxy\.async"), ("missing proxy fence",)),
        ("no barrier between sums and the copies of rows", drop(r"bar\.warp\.sync", -2), RACE),
        ("no wait for copies of rows", drop(r"cp\.async\.bulk\.wait_group"), RACE + ("in flight",)),
        ("first products that add to what nobody wrote", replace(r"db, %p\d+, 1, 1", "db, 1, 1, 1"), ("uninitialised",)),
    ],
    ("attend gradient, sm_90a", "attend_vjp", 0): [
        ("no barrier before rows are copied", drop(r"bar\.sync", 2), RACE),
        ("no barrier behind the copy of rows", drop(r"bar\.sync", 3), RACE),
        ("no fence between rows and products", drop(r"fence\.proxy\.async"), ("missing proxy fence",)),
    ],
    ("attend gradient, sm_90a", "attend_vjp", 2): [
        ("no barrier before keys are copied", drop(r"bar\.sync", 2), RACE),
        ("no barrier behind the copy of keys", drop(r"bar\.sync", 3), RACE),
        ("no fence between keys and products", drop(r"fence\.proxy\.async"), ("missing proxy fence",)),
    ],
    ("listed, sm_90a", "attend", 0): LISTED[2:],
    ("listed gradient, sm_90a", "attend_vjp", 0): LISTED + [
        ("no barriers between the masks of two blocks", drop_barriers(1, 2), RACE),
        ("no barrier behind words of masks", drop(r"bar\.warp\.sync", 3), UNORDERED),
    ],
    ("listed gradient, sm_90a", "attend_vjp", 2): LISTED + [
        ("no barriers between the masks of two blocks", drop_barriers(2, 3), RACE),
        ("no barrier behind words of masks", drop(r"bar\.warp\.sync", 4), UNORDERED),
        ("no wait before numbers of rows", drop_waits(2), RACE),
        ("walks of two warps that differ", replace(BALLOT, r"mov.b32 \t\1, 1;", 1), WRONG + STUCK + UNORDERED),
    ],
    ("product, sm_90a", "matmul", 0): [
        ("no barrier before sums leave", drop(r"bar\.sync", 2), RACE),
        ("no barrier behind sums that leave", drop(r"bar\.sync", 3), UNORDERED),
    ],
    ("attend, sm_80", "attend", 0): STAGES + PRODUCTS + FRAGMENTS + TRANSPOSED + MASKS + BOUNDS + [
        ("lanes that do not exchange", drop_exchange(1), WRONG),
    ],
    ("attend gradient, sm_80", "attend_vjp", 0): STAGES + PRODUCTS + FRAGMENTS + TRANSPOSED + BOUNDS,
    ("attend gradient, sm_80", "attend_vjp", 1): STAGES + PRODUCTS + FRAGMENTS + TRANSPOSED + BOUNDS,
    ("product, sm_80", "matmul", 0): BARRIERS + STAGES + PRODUCTS + FRAGMENTS + [
        ("no barrier between runs of terms", drop(r"bar\.sync", -1), UNORDERED),
        ("bounds that are passed by one", replace(r"setp\.ge\.(s64|s32)", r"setp.gt.\1"), BEYOND),
    ],
    ("softmax, sm_80", "softmax", 0): BOUNDS + [
        ("no barrier behind maxima of warps", drop(r"bar\.sync", 1), UNORDERED),
        ("no barrier before sums of warps", drop(r"bar\.sync", 2), RACE),
        ("no barrier behind sums of warps", drop(r"bar\.sync", 3), RACE),
        ("lanes that do not exchange", drop_exchange(16), WRONG),
        ("minima", replace(r"max\.(\S+) ", r"min.\1 "), WRONG),
        ("a partial result at an odd place", replace(r"(st\.shared\S* \t\[%\w+)\]", r"\1+2]", 1), ("misaligned",)),
    ],
    ("scan, sm_80", "scan_keys", 0): BARRIERS + PRODUCTS + BOUNDS,
    ("scan, sm_80", "scan_join", 0): BOUNDS,
    ("scan, sm_80", "scan_queries", 0): BARRIERS + PRODUCTS + BOUNDS + [
        ("no barrier between chunks", drop(r"bar\.sync", -1), UNORDERED),
    ],
}

FAULTS = [Fault(program, family, number, *what)
          for (program, family, number), others in OTHERS.items()
          for what in (GROUPS if program.endswith("sm_90a") and not program.startswith("listed") else []) + others]
