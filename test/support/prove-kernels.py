"""Reports what kernels take on an NVIDIA GPU, and fails where that is not what was promised.

usage: prove-kernels.py FILE.. [--arch=sm_90a] [--kernel=REGEX] [--json] PROMISE..

FILE is a program (.mlir), which `xfc` compiles, PTX, which ptxas assembles, or machine code (.cubin). A line tells each
kernel's registers, local memory and notes of ptxas; where nvdisasm is, more tell its loops over products of warpgroups:

    attend_0f: 168 registers, 0 bytes of stack, 0 of spills, 0 notes, 48 HGMMA, 0 HMMA, 0 loads and stores of local memory
      tile: 163904 bytes of shared memory, 163904 expected; 213 registers in instructions, at most 216 expected
      loop at 3100: 16 HGMMA in 2 chains, at most 5 instructions apart; 66 EX2, 66 of them under products, between waits 66

Promises, for all kernels whose names match:
  --no-spills                 no stack, no spills, no instruction of local memory
  --no-notes                  no (C75..) of ptxas: products of warpgroups run one after the other, or wait where nobody asked
  --max-registers=N
  --as-expected               the kernels have just the shared memory that their tiles were chosen by, and their instructions
                              no more registers; xfc says both in comments of PTX
  --ex2-between-waits=N       some kernel has loops with EX2, and in each N of them at least stand between two waits while a
                              product runs: ptxas moves waits up where nothing holds them
  --back-to-back=N            some kernel has loops with products, and at most N instructions stand between those of a chain
  --products=REGEX:N          kernels with names like that have N HGMMA or HMMA at least
  --need-nvdisasm             where there is none that is a mistake; otherwise promises about instructions are left out
ptxas and nvdisasm are looked for on PATH and in /usr/local/cuda/bin; --ptxas=, --nvdisasm= and --xfc= name others.
Exits with 0, or with 1 where a promise is broken or a kernel does not assemble.
"""

import argparse
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cubin  # noqa: E402
import sass  # noqa: E402


EXPECTED = re.compile(r"// (\w+): \d+ threads, (\d+) bytes of shared memory; expected (\d+) bytes,.* at most (\d+)$", re.M)


@dataclasses.dataclass
class Tile:
    """What xfc says of a kernel, and what it had expected of the kernel's tile."""

    bytes: int
    expected_bytes: int
    expected_registers: int


@dataclasses.dataclass
class Kernel:
    name: str
    figures: cubin.Figures
    tile: Tile | None = None  # None where its tile was not chosen by what fits
    registers: int = 0  # of instructions, else as ptxas says: not where warps change their number
    code: dict | None = None  # counts of instructions; None without nvdisasm
    loops: list[sass.Loop] = dataclasses.field(default_factory=list)

    def lines(self):
        figures = self.figures
        parts = [f"{figures.registers} registers", f"{figures.stack} bytes of stack"]
        if figures.notes is not None:
            parts += [f"{figures.spills} of spills", f"{len(figures.notes)} notes"]
        parts += [f"{number} {name}" for name, number in (self.code or {}).items()]
        yield f"{self.name}: {', '.join(parts)}"
        if tile := self.tile:
            counted = f"{self.registers} registers in instructions, " if self.code else "registers: "
            yield (f"  tile: {tile.bytes} bytes of shared memory, {tile.expected_bytes} expected; {counted}"
                   f"at most {tile.expected_registers} expected")
        yield from (f"  {note}" for note in figures.notes or [])
        for loop in self.loops:
            yield (f"  loop at {loop.first:04x}: {loop.products} HGMMA in {loop.chains} chains, at most"
                   f" {loop.widest_gap} instructions apart; {loop.exponentials} EX2, {loop.hidden} of them under products,"
                   f" between waits {' '.join(map(str, loop.between)) or 'none'}")


def find(name, given):
    return given or shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))


def compile_program(path, options, scratch):
    """The PTX of a program."""
    ptx = os.path.join(scratch, "program.ptx")
    command = [options.xfc, path, "--target=cuda", f"--gpu-arch={options.arch}", "--emit=ptx", "-o", ptx, *options.xfc_option]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "XF_PTXAS": ""})
    if done.returncode:
        raise ValueError(f"{' '.join(command)}\n{done.stderr}")
    return ptx


def read_tiles(ptx):
    with open(ptx, encoding="utf-8") as file:
        return {name: Tile(*map(int, figures)) for name, *figures in EXPECTED.findall(file.read())}


def read_kernels(path, options, scratch):
    machine_code, tiles = path, {}
    if path.endswith(".cubin"):
        figures = cubin.read_cubin(path)
    else:
        ptxas = find("ptxas", options.ptxas)
        if not ptxas:
            raise ValueError("expected ptxas on PATH or in /usr/local/cuda/bin, got none")
        ptx = compile_program(path, options, scratch) if path.endswith(".mlir") else path
        machine_code = os.path.join(scratch, "program.cubin")
        figures, tiles = cubin.assemble(ptxas, options.arch, ptx, machine_code), read_tiles(ptx)
    kernels = [Kernel(name, taken, tiles.get(name), taken.registers) for name, taken in figures.items() if re.search(options.kernel, name)]
    nvdisasm = find("nvdisasm", options.nvdisasm)
    if nvdisasm:
        functions = sass.read_functions(nvdisasm, machine_code)
        for kernel in kernels:
            lines = functions[kernel.name]
            kernel.code = {"HGMMA": sass.count(lines, "HGMMA"), "HMMA": sass.count(lines, "HMMA"),
                           "EX2": sass.count(lines, "MUFU.EX2"),
                           "loads and stores of local memory": sass.count(lines, "LDL", "STL")}
            kernel.registers = sass.registers(lines)
            kernel.loops = sass.product_loops(lines)
    elif options.need_nvdisasm:
        raise ValueError("expected nvdisasm on PATH or in /usr/local/cuda/bin, got none")
    return kernels


def broken_by_kernel(kernel, options):
    """What a kernel takes that it must not."""
    figures, code = kernel.figures, kernel.code or {}
    if options.no_spills and (figures.stack or figures.spills or code.get("loads and stores of local memory")):
        yield "expected everything in registers"
    if options.no_notes and figures.notes:
        yield "expected no notes of ptxas"
    if options.max_registers is not None and figures.registers > options.max_registers:
        yield f"expected at most {options.max_registers} registers, got {figures.registers}"
    if options.as_expected and (tile := kernel.tile):
        if tile.bytes != tile.expected_bytes:
            yield f"expected {tile.expected_bytes} bytes of shared memory, got {tile.bytes}"
        if kernel.code and kernel.registers > tile.expected_registers:  # ptxas says what a block starts with
            yield f"expected at most {tile.expected_registers} registers in instructions, got {kernel.registers}"
    for promise in options.products:
        name, least = promise.rsplit(":", 1)
        products = code.get("HGMMA", 0) + code.get("HMMA", 0)
        if kernel.code and re.search(name, kernel.name) and products < int(least):
            yield f"expected {least} products of tensor cores at least, got {products}"
    for loop in kernel.loops:
        least, most = options.ex2_between_waits, options.back_to_back
        if least is not None and loop.exponentials and max(loop.between, default=0) < least:
            yield f"expected {least} EX2 between two waits of the loop at {loop.first:04x}, got {max(loop.between, default=0)}"
        if most is not None and loop.widest_gap > most:
            yield f"expected products of the loop at {loop.first:04x} within {most} instructions, got {loop.widest_gap}"


def broken_by_all(kernels, options):
    """What no kernel has that some must have: a promise about nothing is broken too."""
    if not kernels:
        yield f"expected kernels with names like '{options.kernel}', got none"
    if options.as_expected and not any(kernel.tile for kernel in kernels):
        yield "expected a kernel whose tile was chosen by what fits, got none"
    if not any(kernel.code for kernel in kernels):
        return
    for promise in options.products:
        name = promise.rsplit(":", 1)[0]
        if not any(re.search(name, kernel.name) for kernel in kernels):
            yield f"expected kernels with names like '{name}', got none"
    loops = [loop for kernel in kernels for loop in kernel.loops]
    if options.back_to_back is not None and not loops:
        yield "expected a loop over products of warpgroups, got none"
    if options.ex2_between_waits is not None and not any(loop.exponentials for loop in loops):
        yield "expected a loop over products of warpgroups with EX2, got none"


def parse(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("files", nargs="+")
    for name in ("--no-spills", "--no-notes", "--as-expected", "--need-nvdisasm", "--json"):
        parser.add_argument(name, action="store_true")
    for name in ("--max-registers", "--ex2-between-waits", "--back-to-back"):
        parser.add_argument(name, type=int)
    parser.add_argument("--products", action="append", default=[])
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--xfc", default="xfc")
    parser.add_argument("--xfc-option", action="append", default=[])
    parser.add_argument("--ptxas")
    parser.add_argument("--nvdisasm")
    return parser.parse_args(arguments)


def main(arguments):
    options, kernels = parse(arguments), []
    for path in options.files:
        with tempfile.TemporaryDirectory() as scratch:
            kernels += read_kernels(path, options, scratch)
    broken = 0
    for kernel in kernels if not options.json else []:
        print("\n".join(kernel.lines()))
        for promise in broken_by_kernel(kernel, options):
            broken += 1
            print(f"  BROKEN: {promise}")
    if options.json:
        print(json.dumps([dataclasses.asdict(kernel) for kernel in kernels], indent=1))
        broken = sum(1 for kernel in kernels for _ in broken_by_kernel(kernel, options))
    for promise in broken_by_all(kernels, options):
        broken += 1
        print(f"BROKEN: {promise}", file=sys.stderr)
    return broken > 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ValueError as error:
        sys.exit(str(error))
