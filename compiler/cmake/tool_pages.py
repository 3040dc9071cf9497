# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of manuals, and completion for bash, from what `--help` of the tools says.

usage: tool_pages.py VERSION FOLDER TOOL..

Writes FOLDER/NAME.1 for each program, and FOLDER/completion, which completes their options and the values that `--help` lists.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys

ABOUT = {
    "classify": "print what a Vision Transformer sees in images",
    "embed": "compute embeddings of sentences with BERT",
    "generate": "continue a text with GPT-2 or Llama",
    "train_text": "train a language model of bytes on text",
    "xfc": "compile transformers with sparse attention ahead of time",
    "xf-bench": "measure entries of a compiled model",
    "xf-interesting": "say whether a program goes wrong in the way that is asked for",
    "xf-lsp-server": "serve editors of programs of xf",
    "xf-opt": "run passes of xf on MLIR",
    "xf-reduce": "make programs smaller that go wrong",
    "xf-run": "run an entry of a model on given inputs",
    "xf-weights": "list, rename, convert and compare safetensors files",
}


def help_of(tool):
    result = subprocess.run([tool, "--help"], capture_output=True, text=True)
    if result.returncode or not result.stdout.strip():
        sys.exit(f"{tool} --help: expected a text and exit code 0, got exit code {result.returncode}")
    return result.stdout


def escape(line):
    """A line of text for roff: no escapes, no control character at its start, hyphens that can be copied."""
    line = line.rstrip().replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line.startswith((".", "'")) else line


def date():
    """That of the sources where the builder asks for it, so that packages can be built again bit by bit."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc) if seconds else datetime.datetime.now()
    return day.strftime("%Y\\-%m\\-%d")


def manual(name, text, version):
    if name not in ABOUT:
        sys.exit(f"{name}: expected a line in {__file__} that says what it does")
    lines = text.splitlines()
    usage = [line for line in lines if re.match(r"usage: | {7}\S", line)] if lines[0].startswith("usage: ") else []
    synopsis = [line[7:] for line in usage] or [f"{name} [options] FILE"]
    rest = [line for line in lines if line not in usage]
    others = ", ".join(f"\\fB{escape(other)}\\fR(1)" for other in ABOUT if other != name)
    return "\n".join([f'.TH {name.upper()} 1 "{date()}" "xf {version}" "User Commands"', ".SH NAME",
                      f"{escape(name)} \\- {escape(ABOUT[name])}", ".SH SYNOPSIS", ".nf", *map(escape, synopsis), ".fi",
                      ".SH DESCRIPTION", ".nf", *map(escape, rest), ".fi", ".SH SEE ALSO", others]) + "\n"


def options_of(text):
    """Options by name, without `=`, and their values where the text lists them: `--target=cpu|cuda`."""
    options = {}
    for name, values in re.findall(r"(?<![\w-])(--[a-z][\w-]*|-O\d|-o)(=[\w|]+)?", text):
        listed = values[1:].split("|") if "|" in values else []
        options.setdefault(name + "=" * bool(values), []).extend(listed)
    return {name: values for name, values in options.items() if name + "=" not in options}


COMPLETE = """_{word}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} line=${{COMP_LINE:0:COMP_POINT}}
  word=${{line##* }}
  case $word in
{cases}    -*) COMPREPLY=($(compgen -W '{options}' -- "$word")); [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace ;;
    *) COMPREPLY=($(compgen -f -- "$word")); compopt -o filenames ;;
  esac
}}
complete -F _{word} {name}
"""


def completion(name, text):
    options = options_of(text)
    cases = "".join(f"    {option}*) COMPREPLY=($(compgen -W '{' '.join(dict.fromkeys(values))}' -- \"${{word#*=}}\")) ;;\n"
                    for option, values in sorted(options.items()) if values)
    return COMPLETE.format(word=name.replace("-", "_"), name=name, cases=cases, options=" ".join(sorted(options)))


def main(version, folder, tools):
    folder.mkdir(parents=True, exist_ok=True)
    completions = []
    for tool in tools:
        name, text = pathlib.Path(tool).name, help_of(tool)
        (folder / f"{name}.1").write_text(manual(name, text, version))
        completions.append(completion(name, text))
    (folder / "completion").write_text("# Completion of xf's tools, for bash: source it, or install it.\n\n" + "\n".join(completions))


main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:])
