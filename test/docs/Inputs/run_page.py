"""Does what pages show, as a reader would: run_page.py ROOT BUILD [--left-out=COMMAND].. PAGE..

The reader has a clone of ROOT, whose build is BUILD, a home and a PATH as a fresh Debian has, and nothing else in the environment. One
shell does all pages, in order: it begins in the clone and keeps its folder and its variables from command to command. Blocks of a page,
from top to bottom:

    ```console    lines `$ COMMAND` run by bash; the lines that follow one are what it prints, on either stream. `..` stands for any
                  text of a line, a line `..` for any lines; spaces count as one. A command of which nothing is shown may print
                  anything. Each has to succeed. Of one that is left out nothing is run or compared.
    ```cpp        of a file that the page links to: lines that follow each other in it.
    ```any        with a first line `// NAME.ext` or `# NAME.ext`: that file, for commands below.
    ```cpp        else: all of the page's together are a translation unit without errors, with the flags of `pkg-config xf`.
    ```python     a program that runs without errors; PyTorch is that of the build, and where there is none, what names it does not run.

Other blocks are not looked at. Commands that stand outside of a block are a mistake, and so is leaving out what no page shows.
"""

import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+\.(?:cpp|hpp|c|h|td))[^)]*\)")
FILE = re.compile(r"^(?://|#) ([\w-]+\.\w+)$")
STRAY = re.compile(r"^    (?:[A-Z_]+=\S+ |sudo |time )?(?:build/|\.ci/|test/|cmake |docker |pip|python3|mpirun|apt|cc |c\+\+ |xf)", re.MULTILINE)
LIMIT = 300  # seconds for a command


def squeeze(line):
    return " ".join(line.split())


def pattern_of(lines):
    text = ""
    for line in map(squeeze, lines):
        text += r"(?:.*\n)*?" if line == ".." else ".*?".join(map(re.escape, line.split(".."))) + r"\n"
    return re.compile(text)


class Shell:
    """What a reader's commands leave behind for the next ones: a folder and an environment."""

    def __init__(self, clone, home, left_out):
        self.folder, self.home, self.left_out = clone, home, dict.fromkeys(left_out, 0)
        self.torch = os.path.join(clone, "build", "release", "torch")
        self.environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home}

    def run(self, command):
        state = os.path.join(self.home, ".state")
        done = subprocess.run(["bash", "-c", f"trap 'pwd > {state}; env -0 >> {state}' EXIT\n{command}"], cwd=self.folder,
                              env=self.environment, timeout=LIMIT, text=True, errors="replace", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        with open(state, encoding="utf-8") as file:
            self.folder, _, variables = file.read().partition("\n")
        self.environment = dict(variable.split("=", 1) for variable in variables.split("\0") if variable)
        return done.returncode, "".join(squeeze(line) + "\n" for line in done.stdout.splitlines())

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)


class Page:
    def __init__(self, root, path, shell):
        self.path, self.shell = path, shell
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.text = file.read()
        self.sources = []
        for link in LINK.findall(self.text):
            with open(os.path.join(root, os.path.dirname(path), link), encoding="utf-8") as file:
                self.sources.append([squeeze(line) for line in file])

    def error(self, offset, message):
        return f"{self.path}:{self.text.count(chr(10), 0, offset) + 1}: {message}"

    def console(self, offset, body):
        for command, shown in re.findall(r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
            said = re.sub(r" +#.*", "", command)
            if said in self.shell.left_out:
                self.shell.left_out[said] += 1
                continue
            code, output = self.shell.run(command)
            if code:
                yield self.error(offset, f"expected exit code 0 from `{command}`, got {code}:\n{output}")
            elif shown and not pattern_of(shown.splitlines()).fullmatch(output):
                yield self.error(offset, f"expected what is shown of `{command}`, got:\n{output[:4000]}")

    def quotes(self, body):
        lines = [squeeze(line) for line in body.splitlines()]
        return any(source[n:n + len(lines)] == lines for source in self.sources for n in range(len(source)))

    def problems(self):
        for stray in STRAY.finditer(BLOCK.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), self.text)):
            yield self.error(stray.start(), f"expected a command in a block of the console, got '{stray[0].strip()}' at the beginning of a line")
        unit, start = "", 0
        for block in BLOCK.finditer(self.text):
            kind, body = block.groups()
            name = FILE.match(body.partition("\n")[0])
            if kind == "console":
                yield from self.console(block.start(), body)
            elif name:
                self.shell.write(name[1], body)
            elif kind == "cpp" and not self.quotes(body):
                unit, start = unit + body, start or block.start()
            elif kind == "python":
                if "torch" in body and not os.path.isdir(self.shell.torch):
                    continue
                self.shell.write("page.py", body)
                code, output = self.shell.run(f"PYTHONPATH={self.shell.torch} python3 page.py")
                if code:
                    yield self.error(block.start(), f"expected a program that runs, got {code}:\n{output}")
        if unit:
            self.shell.write("page.cpp", unit)
            code, output = self.shell.run("c++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only page.cpp $(pkg-config --cflags xf)")
            if code:
                yield self.error(start, f"expected C++ without errors, or lines of a file that the page links to:\n{output}")


def clone_of(root, build, folder):
    """A folder that looks like a clone of the project that was built, in which commands may write."""
    os.makedirs(os.path.join(folder, "build"))
    os.symlink(build, os.path.join(folder, "build", "release"))
    for name in os.listdir(root):
        if name not in ("build", ".git"):
            os.symlink(os.path.join(root, name), os.path.join(folder, name))
    return folder


def main(root, build, *arguments):
    left_out = [argument.partition("=")[2] for argument in arguments if argument.startswith("--left-out=")]
    pages = [argument for argument in arguments if not argument.startswith("--")]
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        os.mkdir(home)
        shell = Shell(clone_of(root, build, os.path.join(folder, "xf")), home, left_out)
        found = [problem for page in pages for problem in Page(root, page, shell).problems()]
    found += [f"expected a page to show `{command}`, which is left out" for command, count in shell.left_out.items() if not count]
    print("\n".join(found + [f"{len(pages)} pages, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
