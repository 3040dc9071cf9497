"""Runs what a page shows: run_page.py ROOT BIN LIB CC CXX PAGE..

Blocks of the pages, from top to bottom, in one folder, which is empty at first:

    ```console    lines `$ COMMAND` run by bash, with BIN on the PATH; the lines that follow one are what it prints, on either
                  stream. `..` stands for any text of a line, a line `..` for any lines; spaces count as one. A command of which
                  nothing is shown may print anything. Each has to succeed.
    ```cpp        of a file that the page links to: lines that follow each other in it.
    ```any        with a first line `// NAME.ext` or `# NAME.ext`: that file, for commands below.
    ```cpp        else: all of the page's together are a translation unit without errors.

`cc` and `c++` are CC and CXX with the headers and libraries of this build. Other blocks are not looked at.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+\.(?:cpp|hpp|c|h|td))[^)]*\)")
FILE = re.compile(r"^(?://|#) ([\w-]+\.\w+)$")
LIMIT = 300  # seconds for a command


def squeeze(line):
    return " ".join(line.split())


def pattern_of(lines):
    text = ""
    for line in map(squeeze, lines):
        text += r"(?:.*\n)*?" if line == ".." else ".*?".join(map(re.escape, line.split(".."))) + r"\n"
    return re.compile(text)


class Page:
    def __init__(self, root, path, folder, environment):
        self.path, self.folder, self.environment = path, folder, environment
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.text = file.read()
        self.include = os.path.join(root, "frontend", "include")
        self.sources = []
        for link in LINK.findall(self.text):
            with open(os.path.join(root, os.path.dirname(path), link), encoding="utf-8") as file:
                self.sources.append([squeeze(line) for line in file])

    def error(self, offset, message):
        return f"{self.path}:{self.text.count(chr(10), 0, offset) + 1}: {message}"

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, timeout=LIMIT, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        return done.returncode, "".join(squeeze(line) + "\n" for line in done.stdout.splitlines())

    def console(self, offset, body):
        for command, shown in re.findall(r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
            code, output = self.run(command)
            if code:
                yield self.error(offset, f"expected exit code 0 from `{command}`, got {code}:\n{output}")
            elif shown and not pattern_of(shown.splitlines()).fullmatch(output):
                yield self.error(offset, f"expected what is shown of `{command}`, got:\n{output[:4000]}")

    def quotes(self, body):
        lines = [squeeze(line) for line in body.splitlines()]
        return any(source[n:n + len(lines)] == lines for source in self.sources for n in range(len(source)))

    def problems(self):
        unit, start = "", 0
        for block in BLOCK.finditer(self.text):
            kind, body = block.groups()
            name = FILE.match(body.partition("\n")[0])
            if kind == "console":
                yield from self.console(block.start(), body)
            elif name:
                with open(os.path.join(self.folder, name[1]), "w", encoding="utf-8") as file:
                    file.write(body.partition("\n")[2])
            elif kind == "cpp" and not self.quotes(body):
                unit, start = unit + body, start or block.start()
        if unit:
            with open(os.path.join(self.folder, "page.cpp"), "w", encoding="utf-8") as file:
                file.write(unit)
            code, output = self.run("c++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only page.cpp")
            if code:
                yield self.error(start, f"expected C++ without errors, or lines of a file that the page links to:\n{output}")


def wrapper(folder, name, command):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec {command}\n")
    os.chmod(path, 0o755)


def main(root, binaries, libraries, cc, cxx, *pages):
    found = []
    with tempfile.TemporaryDirectory() as tools:
        link = f"-L{shlex.quote(libraries)} -Wl,-rpath,{shlex.quote(libraries)}"
        wrapper(tools, "cc", f'{cc} -I{shlex.quote(root)}/runtime/include "$@" {link}')
        wrapper(tools, "c++", f'{cxx} -Wno-unused-command-line-argument -I{shlex.quote(root)}/frontend/include -I{shlex.quote(root)}/runtime/include "$@" {link}')
        path = os.pathsep.join([tools, binaries, os.environ["PATH"]])
        with tempfile.TemporaryDirectory() as folder:
            for page in pages:
                found += Page(root, page, folder, {**os.environ, "PATH": path}).problems()
    print("\n".join(found + [f"{len(pages)} pages, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
