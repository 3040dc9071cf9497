"""What assembled kernels take: read from machine code (ELF), and from what `ptxas -v` says of it."""

import dataclasses
import re
import struct
import subprocess

# Attributes of .nv.info, each with a symbol and a number.
REGISTERS, FRAME = 0x2F, 0x11
SYMBOL_AND_NUMBER = 0x04
ENTRY = re.compile(r"Compiling entry function '(\w+)'")
LOCAL = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


@dataclasses.dataclass
class Figures:
    """What a kernel takes. Spills and notes are None where only machine code is known."""

    registers: int = 0
    stack: int = 0
    spills: int | None = None  # bytes stored and loaded
    notes: list[str] | None = None  # `(C7512) Potential Performance Loss: ..`


def text_at(table, offset):
    return table[offset:table.index(b"\0", offset)].decode()


def read_sections(elf):
    """Name and (contents, size) of each section."""
    start, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, start + n * size) for n in range(count)]
    _, _, _, _, at, length = headers[names][:6]
    table = elf[at:at + length]
    return {text_at(table, name): (elf[at:at + length] if kind != 8 else b"", length)
            for name, kind, _, _, at, length, *_ in headers}


def read_symbols(sections):
    symbols, names = sections[".symtab"][0], sections[".strtab"][0]
    return [text_at(names, struct.unpack_from("<I", symbols, at)[0]) for at in range(0, len(symbols), 24)]


def read_cubin(path):
    """The figures of each kernel of a file of machine code."""
    with open(path, "rb") as file:
        elf = file.read()
    if not elf.startswith(b"\x7fELF"):
        raise ValueError(f"{path}: expected machine code")
    sections = read_sections(elf)
    symbols, info, at = read_symbols(sections), sections[".nv.info"][0], 0
    found = {name.removeprefix(".text."): Figures() for name in sections if name.startswith(".text.")}
    while at < len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        if form == SYMBOL_AND_NUMBER and attribute in (REGISTERS, FRAME):
            symbol, number = struct.unpack_from("<II", info, at + 4)
            if figures := found.get(symbols[symbol]): # else a function inside a kernel's section
                setattr(figures, "registers" if attribute == REGISTERS else "stack", number)
        at += 4 + (size if form == SYMBOL_AND_NUMBER else 0)
    return found


def assemble(ptxas, architecture, ptx, cubin):
    """Assembles, and returns the figures of each kernel with what ptxas said; raises with its words where it fails."""
    done = subprocess.run([ptxas, "-v", f"-arch={architecture}", ptx, "-o", cubin], capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"{ptx}: expected ptxas to assemble it for {architecture}, got\n{done.stdout}{done.stderr}")
    found, kernel = read_cubin(cubin), None
    for figures in found.values():
        figures.notes, figures.spills = [], 0
    for line in (done.stdout + done.stderr).splitlines():
        if entry := ENTRY.search(line):
            kernel = found[entry[1]]
        elif local := LOCAL.search(line):
            kernel.stack, kernel.spills = max(kernel.stack, int(local[1])), kernel.spills + int(local[2]) + int(local[3])
        elif "(C75" in line:
            text = line[line.index("(C75"):]
            named = re.search(r"function '(\w+)'", text)  # notes come before the line of their kernel
            for figures in [found[named[1]]] if named and named[1] in found else found.values():
                figures.notes.append(text)
    return found
