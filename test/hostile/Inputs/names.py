"""Prints a program whose entries and tensors have names that C does not like."""

NAMES = [
    b"a b", b"a_x20b", b"a_b", b"int", b"class", b"x*/y", b'q"\n#error "', "\u00fcber".encode(), "\u202e".encode(),
    b"??/", b"1a", b"", b"NULL", b"__LINE__", b"context", b"arguments", b"/* // \\", b"%n", b"\xff", b"load", b"Model",
    b"L" * 65536, b"L" * 65535 + b"M",
]


def quoted(name):
    plain = lambda c: 32 <= c < 127 and c not in b'"\\'
    return '"' + "".join(chr(c) if plain(c) else "\\%02X" % c for c in name) + '"'


def function(entry, names):
    arguments = ", ".join("%%a%d: tensor<2xf32> {xf.name = %s}" % (n, quoted(name)) for n, name in enumerate(names))
    results = ", ".join("tensor<2xf32> {xf.name = %s}" % quoted(name) for name in names)
    body = "".join("  %%r%d = xf.neg %%a%d : tensor<2xf32>\n" % (n, n) for n in range(len(names)))
    values = ", ".join("%%r%d" % n for n in range(len(names)))
    types = ", ".join("tensor<2xf32>" for _ in names)
    return "func.func @%s(%s) -> (%s) {\n%s  return %s : %s\n}\n" % (quoted(entry), arguments, results, body, values, types)


print(function(b"all", NAMES))
for name in NAMES:
    if name:
        print(function(name, [b"x"]))
