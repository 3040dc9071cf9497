"""Builds the site of these pages: build.py ROOT TBLGEN BIN PACKAGES OUT [--stage].

Stages copies of the pages in OUT-pages, with the generated reference (reference.py) and what they link to outside of docs: README files
as pages, folders and sources as texts. Then MkDocs makes OUT of them; a warning is an error. PACKAGES is the folder that
requirements.txt is installed in; without MkDocs there or elsewhere, says so and ends with 77. --stage leaves MkDocs out.

MkDocs rather than Sphinx: pages stay plain Markdown, which any viewer of the sources shows.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import reference

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)([^)\s]*\))")
PAGES = {"README.md": "readme.md", "test/bench/README.md": "bench.md"}
ITEM = re.compile(r" *(?:[-*]|\d+\.) ")


class Stage:
    def __init__(self, root, out):
        self.root, self.out = pathlib.Path(root).resolve(), pathlib.Path(out)
        self.sources = set()  # paths from the root of what has to be copied besides

    def place_of(self, path):
        """Where a file or folder of the project is on the site."""
        if path in PAGES:
            return PAGES[path]
        if path.startswith("docs/") and not path.startswith("docs/site/"):
            return path[len("docs/"):]
        self.sources.add(path)
        return f"source/{path}/folder.txt" if (self.root / path).is_dir() else f"source/{path}.txt"

    def link(self, page, match):
        if "://" in match[2]:
            return match[0]
        target = os.path.normpath(os.path.join(os.path.dirname(page), match[2]))
        place = self.place_of(target)
        return match[1] + os.path.relpath(place, os.path.dirname(self.place_of(page)) or ".") + match[3]

    def text_of(self, page):
        text = (self.root / page).read_text(encoding="utf-8")
        # Lists start without a blank line before them, and `<` is no tag.
        lines, code = [], False
        for line in text.splitlines():
            code ^= line.startswith("```")
            if not code and ITEM.match(line) and lines and lines[-1].strip() and not line.startswith(" ") and not ITEM.match(lines[-1]) \
                    and not lines[-1].startswith("  "):
                lines.append("")
            lines.append(line)
        text = "\n".join(lines) + "\n"
        return reference.outside_of_code(text, lambda part: re.sub(r"<(?!!--)", "&lt;", part), indented=True)

    def write(self, place, text):
        path = self.out / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def pages(self):
        below = [path.relative_to(self.root).as_posix() for path in sorted((self.root / "docs").rglob("*.md"))]
        for page in [*below, *PAGES]:
            text = self.text_of(page)
            text = reference.outside_of_code(text, lambda part: LINK.sub(lambda match: self.link(page, match), part), spans=False)
            self.write(self.place_of(page), text)
        for figure in sorted((self.root / "docs" / "figures").rglob("*")):
            if figure.suffix in (".svg", ".png", ".json"):
                place = self.out / figure.relative_to(self.root / "docs")
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(figure, place)
        for path in sorted(self.sources):
            source = self.root / path
            if source.is_dir():
                names = sorted(entry.name + "/" * entry.is_dir() for entry in source.iterdir())
                self.write(self.place_of(path), f"{path}:\n" + "".join(f"  {name}\n" for name in names))
            elif source.exists():
                self.write(self.place_of(path), source.read_text(encoding="utf-8"))


def stage(root, tblgen, binaries, out):
    folder = pathlib.Path(f"{out}-pages")
    shutil.rmtree(folder, ignore_errors=True)
    Stage(root, folder / "pages").pages()
    for name, text in reference.pages(root, tblgen, binaries).items():
        Stage(root, folder / "pages").write(f"reference/{name}", text)
    shutil.copyfile(pathlib.Path(root) / "docs/site/mkdocs.yml", folder / "mkdocs.yml")
    shutil.copyfile(pathlib.Path(root) / "docs/site/style.css", folder / "pages/style.css")
    return folder


def main(root, tblgen, binaries, packages, out, *options):
    folder = stage(root, tblgen, binaries, out)
    if "--stage" in options:
        return 0
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([packages, os.environ.get("PYTHONPATH", "")])}
    mkdocs = [sys.executable, "-m", "mkdocs"]
    if subprocess.run([*mkdocs, "--version"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        print(f"no site: expected MkDocs in {packages} (pip install --target {packages} -r docs/site/requirements.txt)", file=sys.stderr)
        return 77
    command = [*mkdocs, "build", "--strict", "--clean", "--config-file", str(folder / "mkdocs.yml"), "--site-dir", str(pathlib.Path(out).resolve())]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
