"""What machine code of NVIDIA GPUs says of a kernel's loops: where products stand, and what runs beside them.

Reads what `nvdisasm -c` prints. A loop is a natural loop of the flow of control: blocks that the compiler moved behind the
kernel, where warps poll barriers, belong to the loops that jump there.
"""

import dataclasses
import re
import subprocess

LABEL = re.compile(r"(\.L_x_\d+):$")
FUNCTION = re.compile(r"\.text\.(\w+):$")
INSTRUCTION = re.compile(r"\s+/\*([0-9a-f]{4,})\*/\s+(?:@(!?U?P\w+) )?([A-Z][\w.]*)(.*?) ?;")


@dataclasses.dataclass
class Instruction:
    address: int
    opcode: str
    operands: str
    guard: str | None

    def target(self):
        """The label that it jumps to."""
        found = re.search(r"\((\.L_x_\d+)\)", self.operands)
        return found[1] if found and self.opcode.startswith(("BRA", "CALL")) else None

    def ends_block(self):
        return self.opcode.startswith(("BRA", "BRX", "JMP", "EXIT", "RET"))

    def falls_through(self):
        """Whether what follows may run after it."""
        always = self.guard in (None, "PT", "UPT") and not re.match(r"\s*(!?U?P\d|.*, *U?P\d)", self.operands)
        return not (self.ends_block() and always)


def read_functions(nvdisasm, cubin):
    """The lines of each function: instructions, and labels as strings."""
    text = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
    functions, lines = {}, None
    for line in text.splitlines():
        if function := FUNCTION.match(line):
            lines = functions[function[1]] = []
        elif label := LABEL.match(line):
            lines.append(label[1])
        elif found := INSTRUCTION.match(line):
            lines.append(Instruction(int(found[1], 16), found[3], found[4], found[2]))
    return functions


class Flow:
    """Blocks of instructions in order of their addresses, and which may follow which."""

    def __init__(self, lines):
        self.blocks, labels, fresh = [], {}, True
        for line in lines:
            if isinstance(line, str):
                fresh = True
                labels[line] = len(self.blocks)
                continue
            if fresh:
                self.blocks.append([])
            self.blocks[-1].append(line)
            fresh = line.ends_block()
        self.next = [self.followers(number, labels) for number in range(len(self.blocks))]

    def followers(self, number, labels):
        last = self.blocks[number][-1]
        found = {labels[last.target()]} if last.target() in labels and last.ends_block() else set()
        return {block for block in found | ({number + 1} if last.falls_through() else set()) if block < len(self.blocks)}

    def dominators(self):
        """For each block that runs, those that run before it on every way from the entry."""
        before = [set() for _ in self.blocks]
        for number, followers in enumerate(self.next):
            for follower in followers:
                before[follower].add(number)
        found, waiting = {0: {0}}, [0]
        while waiting:
            number = waiting.pop()
            for follower in self.next[number]:
                ways = [found[block] for block in before[follower] if block in found]
                fresh = set.intersection(*ways) | {follower} if follower else {0}
                if found.get(follower) != fresh:
                    found[follower] = fresh
                    waiting.append(follower)
        return found, before

    def loops(self):
        """The blocks of each loop, by its first."""
        dominators, before = self.dominators()
        found = {}
        for number in dominators:
            for header in self.next[number] & dominators[number]:
                body, waiting = found.setdefault(header, {header}), [number]
                while waiting:
                    block = waiting.pop()
                    if block not in body:
                        body.add(block)
                        waiting += before[block]
        return found


@dataclasses.dataclass
class Loop:
    """A loop with products of warpgroups and no such loop inside."""

    first: int  # address
    products: int  # HGMMA
    chains: int  # that are committed together
    widest_gap: int  # instructions between two products of a chain
    exponentials: int  # EX2
    hidden: int  # of them, while a product runs
    between: list[int]  # EX2 between two waits that follow each other, where a product runs from the first to the second


def measure(instructions):
    """A loop whose instructions are these. What runs at its start is what runs at its end: it is gone through twice."""
    gap = running = 0
    since_wait, inside = None, False
    for _ in range(2):
        products = chains = widest = exponentials = hidden = 0
        between = []
        for instruction in instructions:
            opcode = instruction.opcode
            if opcode.startswith("HGMMA"):
                products += 1
                widest = max(widest, gap) if inside else widest
                gap, inside = 0, "gsb0" not in instruction.operands
                chains, running = (chains, running) if inside else (chains + 1, running + 1)
                continue
            gap += 1
            if opcode.startswith("MUFU.EX2"):
                exponentials += 1
                hidden += running > 0
                since_wait = since_wait + 1 if since_wait is not None else None
            elif opcode.startswith("WARPGROUP.DEPBAR"):
                between += [since_wait] if since_wait is not None else []
                running = min(running, int(instruction.operands.split(",")[1], 16))
                since_wait = 0 if running else None
    return Loop(instructions[0].address, products, chains, widest, exponentials, hidden, between)


def product_loops(lines):
    """The innermost loops with products of warpgroups, in the order of their addresses."""
    flow = Flow(lines)
    has_products = {number for number, block in enumerate(flow.blocks) if any(i.opcode.startswith("HGMMA") for i in block)}
    loops = [body for body in flow.loops().values() if body & has_products]
    innermost = [body for body in loops if not any(other < body for other in loops)]
    measured = [measure([i for number in sorted(body) for i in flow.blocks[number]]) for body in innermost]
    return sorted(measured, key=lambda loop: loop.first)


def count(lines, *prefixes):
    return sum(isinstance(line, Instruction) and line.opcode.startswith(prefixes) for line in lines)


def registers(lines):
    """How many registers the instructions name."""
    names = (name for line in lines if isinstance(line, Instruction) for name in re.findall(r"\bR(\d+)\b", line.operands))
    return max(map(int, names), default=-1) + 1
