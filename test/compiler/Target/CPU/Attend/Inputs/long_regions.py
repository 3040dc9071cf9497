# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What LLVM is given for a score of many integer operations: long_regions.py KIND [--program].

Prints how many more instructions the largest basic block, and all of them, have for each of 200 further operations. Their scheduling
takes time with the square of a block's length. A division of a register of 64-bit integers counts as what LLVM makes of it: its lanes are taken out,
divided and put back, one by one. 1000 operations with 250 divisions took half a minute so. With --program, prints the program.
"""

import re
import subprocess
import sys
import tempfile

FEW, MANY = 200, 400
KINDS = {
    "sums": ["arith.addi {x}, %i : index", "arith.subi {x}, %j : index", "arith.muli {x}, %three : index", "arith.maxsi {x}, %j : index"],
    "remainders": ["arith.addi {x}, %i : index", "arith.muli {x}, %three : index", "arith.remsi {x}, %thousand : index"],
    "varying": ["arith.addi {x}, %i : index", "arith.remsi {x}, %i : index"],
    "quotients": ["arith.addi {x}, %i : index", "arith.floordivsi {x}, %three : index"],
}
PROGRAM = """
func.func @f(%q: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {{
  %o = xf.attention %q, %q, %q pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) {{
    %three = arith.constant 3 : index
    %thousand = arith.constant 1001 : index
{body}
    %n = arith.index_cast {last} : index to i64
    %r = arith.sitofp %n : i64 to f32
    %y = arith.addf %s, %r : f32
    xf.yield %y : f32
  }} : (tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}}
"""


def program(kind, count):
    lines, last = [], "%j"
    for n in range(count):
        lines.append(f"    %x{n} = " + KINDS[kind][n % len(KINDS[kind])].format(x=last))
        last = f"%x{n}"
    return PROGRAM.format(body="\n".join(lines), last=last)


def instructions(block):
    lanes = re.findall(r" = [su](?:div|rem) <(\d+) x i64>", block)
    return len(re.findall(r"^  \S", block, re.MULTILINE)) + 3 * sum(map(int, lanes))


def count_instructions(kind, count):
    """Of the largest block, and of all."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(program(kind, count))
        file.flush()
        text = subprocess.run(["xfc", file.name, "--mcpu=x86-64-v3", "--emit=llvm"], capture_output=True, check=True, text=True).stdout
    blocks = [instructions(block) for block in re.split(r"^\S+:|^define|^\}", text, flags=re.MULTILINE)]
    return max(blocks), sum(blocks)


kind = sys.argv[1]
if sys.argv[2:] == ["--program"]:
    sys.exit(print(program(kind, FEW)))
block, total = ((many - few) / (MANY - FEW) for few, many in zip(count_instructions(kind, FEW), count_instructions(kind, MANY)))
print(f"{kind}: {block:.0f} of the largest block, {total:.0f} in all")
