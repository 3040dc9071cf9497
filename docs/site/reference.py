"""Writes the pages of docs/reference: reference.py ROOT TBLGEN BIN OUT.

From TableGen: xf.md, xft.md (ops, attributes, types, enums of the dialects), passes.md. From the tools' --help: tools.md. From the
comments of the public headers of the runtime: c-api.md. TBLGEN is mlir-tblgen, BIN the folder of the tools.

Doxygen and clang-doc were rejected: headers have one form, a comment above each declaration (test/layering/Inputs/check_headers.py), so
that a page is a page of Python, and test/docs/Inputs/check_reference.py looks for what libraries, headers and tools have and a page lacks,
which neither does.
"""

import html
import json
import os
import pathlib
import re
import subprocess
import sys

# Stages with passes, in the order in which they run (compiler/Pipeline/Pipeline.cpp).
STAGES = ["Expand", "Gradient", "Fuse", "Pattern", "Partition", "Tile", "Memory", "Target"]
TOOLS = [["xfc"], ["xf-opt"], ["xf-run"], ["xf-bench"], ["xf-weights"], ["xf-weights", "list"], ["xf-weights", "rename"],
         ["xf-weights", "convert"], ["xf-weights", "diff"], ["xf-reference"], ["xf-lsp-server"], ["xf-reduce"], ["xf-interesting"], ["classify"], ["embed"], ["generate"],
         ["train_text"]]
HEADERS = ["xfrt.h", "communicator.h", "parameters.h", "dlpack.h", "model.h", "checksum.h"]
CXX_HEADERS = ["error.hpp", "tensor.hpp", "xfrt.hpp"]


def output_of(command, text=None):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"expected 0 from {' '.join(map(str, command))}, got {done.returncode}:\n{done.stdout}")
    return done.stdout


def run_tablegen(tblgen, root, text, *options):
    include = [f"-I{root}", f"-I{pathlib.Path(tblgen).resolve().parent.parent / 'include'}"]
    return output_of([tblgen, *options, *include, "-"], text)


def including(files):
    return "".join(f'include "{file}"\n' for file in files)


def tablegen(tblgen, root, files, *options):
    """The page that mlir-tblgen makes of the files, without its first line, a remark."""
    return run_tablegen(tblgen, root, including(files), *options).split("\n", 1)[1]


def outside_of_code(text, change, spans=True, indented=False):
    """`text` with what stands outside of blocks of code changed; with `spans` also outside of `code` in a line, with
    `indented` also outside of lines that four spaces make code."""
    code = [r"^```.*?^```$"] + [r"`[^`\n]*`"] * spans + [r"^    [^\n]*$"] * indented
    parts = re.split(f"({'|'.join(code)})", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


def tidy(text):
    """Blank lines before blocks of code, which directly follow a line of text, `<` as it is, links to the specification."""
    text = re.sub(r"(?<=[^\n])\n```mlir", r"\n\n```mlir", text)
    text = outside_of_code(text, lambda part: html.escape(part, quote=False).replace("*", "&#42;"))
    return re.sub(r"(?:spec|docs/specification\.md,) section (\d+)", r"[specification](../specification.md), section \1", text)


def with_factors(page, tblgen, root, files):
    """The page with the row of dimension factors of each op that has one, before its traits, and how rows are read."""
    records = json.loads(run_tablegen(pathlib.Path(tblgen).with_name("llvm-tblgen"), root, including(files), "--dump-json"))
    rows = {record["opName"]: record["factors"] for record in records.values() if isinstance(record, dict) and record.get("factors")}
    for op, row in rows.items():
        page = re.sub(rf"(### `xf\.{op}`.*?\n)(Traits|Interfaces): ", lambda found: f"{found[1]}Dimension factors: `{row}`\n\n{found[2]}: ",
                      page, count=1, flags=re.DOTALL)
    interfaces = run_tablegen(tblgen, root, pathlib.Path(root, "dialects/xf/Interfaces/XfInterfaces.td").read_text(encoding="utf-8"),
                              "-gen-op-interface-docs")
    notation = re.search(r"## DimensionFactorsOpInterface.*?\n(.*?)\n### Methods", interfaces, re.DOTALL)[1]
    return page.rstrip() + f"\n\n## Dimension factors\n{notation}"


def dialect(tblgen, root, name):
    files = sorted(file.relative_to(root) for file in pathlib.Path(root, "dialects", name, "IR").glob("*.td"))
    page = tablegen(tblgen, root, files, "-gen-dialect-doc", f"-dialect={name}")
    page = with_factors(page, tblgen, root, files) if name == "xf" else page
    return tidy(page).replace(f"# '{name}' Dialect", f"# The dialect {name}", 1)


def passes(tblgen, root):
    page = "# Passes\n\nIn the order of their stages ([design](../design.md)); each runs alone in `xf-opt`.\n\n[TOC]\n\n"
    for stage in STAGES:
        page += f"## The stage {stage.lower()}\n" + tidy(tablegen(tblgen, root, [f"compiler/{stage}/Passes.td"], "-gen-pass-doc")) + "\n"
    return page


def help_of(binaries, words):
    text = output_of([os.path.join(binaries, words[0]), *words[1:], "--help"])
    if words[0] != "xf-opt":
        return text
    # Of its thousands of options all but the passes are LLVM's and MLIR's.
    lines, keep, chosen = text.splitlines(), False, []
    for line in lines:
        keep = line.startswith("      --xf-") or keep and re.match(r"        +--", line)
        chosen += [line.rstrip()] if keep else []
    return "usage: xf-opt [options] FILE.mlir\nRuns passes one by one, as mlir-opt does, with all of its options.\n\n" + "\n".join(chosen) + "\n"


def tools(binaries):
    page = "# Tools\n\nWhat `--help` says. Exit codes: [the runtime](../runtime.md#exit-codes-of-the-tools).\n\n[TOC]\n\n"
    for words in TOOLS:
        page += f"## {' '.join(words)}\n\n```\n{help_of(binaries, words)}```\n\n"
    return page


def statement(lines, number):
    """(the statement or definition that begins at a line, the number of the line after it)."""
    if lines[number].startswith("#"):
        return lines[number], number + 1
    code, depth = [], 0
    for number in range(number, len(lines)):
        code.append(lines[number])
        depth += lines[number].count("{") - lines[number].count("}")
        if depth == 0 and lines[number].rstrip().endswith((";", "}")):
            break
    text = "\n".join(code)
    return text.split(" {", 1)[0] + ";" if text.startswith("static inline") else text, number + 1


def comment_at(lines, number):
    """The lines of the comment that begins at line `number`, none if it begins none, and the line behind them."""
    comment = []
    while lines[number].startswith("///"):
        comment.append(lines[number][4:])
        number += 1
    return comment, number


def declarations(text):
    """(comment, code) of the declarations of a header; functions below one comment are together."""
    lines, number = text.splitlines(), 0
    while number < len(lines):
        comment, number = comment_at(lines, number)
        if not comment and not lines[number].startswith(("typedef enum", "XFRT_API")):
            number += 1
            continue
        code, number = statement(lines, number)
        while comment and code.startswith("XFRT_API") and number < len(lines) and lines[number].startswith("XFRT_API"):
            more, number = statement(lines, number)
            code += "\n" + more
        yield " ".join(comment), code


def names_of(code):
    """The names that a declaration introduces."""
    if code.startswith("#define"):
        return [re.match(r"#define (\w+)", code)[1]]
    if kind := re.match(r"typedef (?:enum|struct) (\w+)", code):
        return [kind[1]]
    return re.findall(r"^typedef .*?\(\*(\w+)\)" if code.startswith("typedef") else r"\b(xfrt_\w+)\(", code)


def names_of_cxx(code):
    """The class or the function of a namespace that a declaration introduces."""
    named = re.search(r"^(?:class|struct|concept) (\w+)", code, re.MULTILINE) or re.search(r"(\w+)\(", code)
    return [f"xfrt::{named[1]}"] if named else []


def classes(text):
    """(comment, code) of the classes of a C++ header, what is public of them, and of the functions of a namespace."""
    lines, number = text.splitlines(), 0
    while number < len(lines):
        comment, number = comment_at(lines, number)
        if comment and re.match(r"(class|struct|template|constexpr|inline|\[\[noreturn)", lines[number]):
            code, number = statement(lines, number)
            if not re.search(r"\w::~?\w+\(", code.split("{")[0]):  # a member, which its class declares
                yield " ".join(comment), public_part(code)
        else:
            number += 1


def public_part(code):
    """A class without what is private, a function without its body."""
    head = code.split(" {\n")[0]
    if not re.search(r"^(class|struct) ", code, re.MULTILINE):
        return head + ";"
    kept, shown = [], True
    for line in code.splitlines():
        if line in ("private:", "protected:", "public:"):
            shown = line != "private:"
        if shown or line == "};":
            kept.append(line)
    return "\n".join(kept)


def c_api(root):
    page = ("# The C and C++ interface\n\nDeclarations and comments of `runtime/include/xfrt`; the order of things is in"
            " [the runtime](../runtime.md). The headers of C++ are layers of inline functions above those of C.\n\n[TOC]\n\n")
    for header in HEADERS + CXX_HEADERS:
        text = (pathlib.Path(root) / "runtime/include/xfrt" / header).read_text(encoding="utf-8")
        introduction = re.findall(r"^//(?: (.*))?$", text.split("#ifndef")[0].split("//\n", 3)[-1], re.MULTILINE)
        page += f"## xfrt/{header}\n\n"
        page += "```\n" + "\n".join(introduction).strip() + "\n```\n\n"
        is_cxx = header in CXX_HEADERS
        for comment, code in classes(text) if is_cxx else declarations(text):
            names = names_of_cxx(code) if is_cxx else names_of(code)
            if names:
                title = ", ".join(f"`{name}`" for name in names)
                page += f"### {title}\n\n{html.escape(comment, quote=False)}\n\n```{'cpp' if is_cxx else 'c'}\n{code}\n```\n\n".replace("\n\n\n\n", "\n\n")
    return page


def pages(root, tblgen, binaries):
    """{name: text} of the pages."""
    return {"xf.md": dialect(tblgen, root, "xf"), "xft.md": dialect(tblgen, root, "xft"), "passes.md": passes(tblgen, root),
            "tools.md": tools(binaries), "c-api.md": c_api(root)}


def main(root, tblgen, binaries, out):
    os.makedirs(out, exist_ok=True)
    for name, text in pages(root, tblgen, binaries).items():
        (pathlib.Path(out) / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
