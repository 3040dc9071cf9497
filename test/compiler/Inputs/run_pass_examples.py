"""Runs the examples in the descriptions of passes.

usage: run_pass_examples.py ROOT

The description of every pass of a compiler/**/Passes.td shows what the pass does:

    Before `-xf-plan-arena`:
    ```mlir
    ..
    ```
    After:
    ```mlir
    ..
    ```

`xf-opt` runs the pass, with the options that stand there, on the first block and has to print the second one. In that one
white space, names of values and a `module` around it do not matter; a token `..` stands for any tokens, and at the end of a
name for the rest of it. Prints one line per violation, `file: message`; exits with 1 if there is one.
"""

import os
import re
import subprocess
import sys

PASS = re.compile(r'^def (\w+) : Pass<"([^"]*)".*?^}', re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"Before `(-[^`]*)`:\s*```mlir\n(.*?)```\s*After:\s*```mlir\n(.*?)```", re.DOTALL)
TOKEN = re.compile(r"%[\w$.-]+|[][{}()<>,]|[^][{}()<>,\s%]+")
GAP = ".."


def find_passes(root):
    """The file, name, flag and text of each pass."""
    for folder, folders, files in os.walk(os.path.join(root, "compiler")):
        folders.sort()
        if "Passes.td" in files:
            path = os.path.join(folder, "Passes.td")
            with open(path, encoding="utf-8") as file:
                for found in PASS.finditer(file.read()):
                    yield os.path.relpath(path, root), *found.groups(), found.group()


def run(options, text):
    command = ["xf-opt", "-", "-mlir-print-local-scope", *options.split()]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None, done.stderr


def tokens_of(text):
    text = re.sub(r"//.*", "", text).strip()
    if module := re.fullmatch(r"module \{(.*)\}", text, re.DOTALL):
        text = module[1]
    return TOKEN.findall(text)


def match_token(wanted, token, names):
    """The names of values, {wanted: printed}, behind a token that matches; or None."""
    if wanted.startswith("%") and token.startswith("%"):
        return names if names.get(wanted) == token else None if wanted in names else {**names, wanted: token}
    if wanted != token and not (wanted.endswith(GAP) and token.startswith(wanted[:-len(GAP)])):
        return None
    return {} if wanted == "func.func" else names  # each function has names of its own


def match(wanted, tokens, names, reached):
    """Whether the tokens match; `reached` notes the fewest tokens that were left to match."""
    while wanted and wanted[0] != GAP:
        names = match_token(wanted[0], tokens[0], names) if tokens else None
        if names is None:
            reached[0] = min(reached[0], len(wanted))
            return False
        wanted, tokens = wanted[1:], tokens[1:]
    if not wanted:
        return not tokens
    return any(match(wanted[1:], tokens[at:], names, reached) for at in range(len(tokens) + 1))


def check_example(options, before, after):
    printed, error = run(options, before)
    if printed is None:
        return "expected an example that runs, got " + error.strip()
    wanted = tokens_of(after)
    if not set(wanted) - {GAP}:
        return "expected an example with something after the pass"
    reached = [len(wanted) + 1]
    if match(wanted, tokens_of(printed), {}, reached):
        return None
    missed = wanted[-reached[0]:] if reached[0] <= len(wanted) else ["the end"]
    return "expected '%s', got\n%s" % (" ".join(missed[:8]), printed)


def check(root):
    count = 0
    for path, name, flag, text in find_passes(root):
        examples = EXAMPLE.findall(text)
        count += len(examples)
        if not examples:
            yield "%s: %s: expected an example, Before `-%s` and After, in the description" % (path, name, flag)
        for options, before, after in examples:
            if options.split("=")[0] != "-" + flag:
                yield "%s: %s: expected an example of -%s, got %s" % (path, name, flag, options)
            if message := check_example(options, before, after):
                yield "%s: %s: %s" % (path, name, message)
    if not count:
        yield "%s: expected passes with examples" % root
    print("%d examples" % count)


violations = list(check(sys.argv[1]))
print("\n".join(violations))
sys.exit(bool(violations))
