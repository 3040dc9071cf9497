# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What benchmarks keep: rows of one machine in a file of JSON, and tables of pages that are made of them.

A page has a place for each table, between two remarks, `<!-- SCRIPT writes the table. -->` and `<!-- The table ends. -->`.
"""

import datetime
import json
import os
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]


def rounded(value):
    """Numbers of four digits, which is more than measurements have."""
    if isinstance(value, dict):
        return {key: rounded(of_key) for key, of_key in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def write(path, machine, rows):
    """A row a line, so that differences are of rows."""
    machine = rounded(machine)
    lines = ",\n".join("  " + json.dumps({"group": group} | rounded(row)) for (group, _), row in rows.items())
    path.write_text(f'{{"machine": {json.dumps(machine, indent=1)},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def read(path):
    """(machine, rows by group and name)."""
    if not path.exists():
        return {}, {}
    stored = json.loads(path.read_text(encoding="utf-8"))
    return stored["machine"], {(row.pop("group"), row["name"]): row for row in stored["rows"]}


def processor():
    """The name, family and model that Linux gives."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", text, re.MULTILINE))
    return f"{fields.get('model name', platform.machine())}, family {fields.get('cpu family')}, model {fields.get('model')}"


def describe():
    """The machine, the date and the commit."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True)
    return {"processor": processor(), "cores": os.cpu_count(), "date": datetime.date.today().isoformat(),
            "commit": commit.stdout.strip(), "python": platform.python_version()}


def origin(machine):
    """One line that says where figures come from."""
    versions = "".join(f", {name} {version}" for name, version in machine.get("peers", {}).items())
    return f"{machine['processor']}, {machine['date']}, commit `{machine['commit']}`{versions}."


def table(columns, lines):
    """The lines of a table in Markdown."""
    return ["|" + "|".join(columns) + "|", "|" + "---|" * len(columns)] + ["|" + "|".join(line) + "|" for line in lines]


def replace(page, script, lines):
    """Puts lines between the remarks of a script on a page."""
    text = page.read_text(encoding="utf-8")
    begin, end = f"<!-- {script} writes the table. -->\n", "<!-- The table ends. -->"
    if begin not in text or end not in text.split(begin)[1]:
        raise SystemExit(f"{page}: expected a line {begin.strip()}, and {end} below it")
    before, rest = text.split(begin)
    page.write_text(before + begin + "\n".join(lines) + "\n" + rest[rest.index(end):], encoding="utf-8")
