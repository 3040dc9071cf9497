"""Checks that a PNG, an SVG and numpy arrays show the squares of a text picture: check-pictures.py TEXT PNG SVG NPZ."""

import re
import struct
import sys
import xml.etree.ElementTree
import zlib

import numpy

COLOURS = {".": "ffffff", " ": "e2e2e2", "+": "fce2c8", "#": "14366b", "0": "6ba3d6", "1": "2e70b0"}
LINE, FRAME, TEXT, PAPER = "5a5a5a", "999999", "000000", "ffffff"


def read_text(path):
    """The matrices of every row of the picture: lists of lines."""
    rows = []
    for line in open(path).read().splitlines():
        if line.startswith("#xf."):
            rows.append([])
        if re.match(r"#xf\.|heads? \d|query \d|\d+: ", line):
            new_panel = True
            continue
        if new_panel:
            rows[-1].append([])
            new_panel = False
        rows[-1][-1].append(line)
    return rows


def read_png(path):
    """Width, height and the colour of every pixel as hexadecimal digits."""
    data, chunks, at = open(path, "rb").read(), {}, 8
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += 12 + length
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, kind) == (8, 3) and name == b"IEND"
    palette, raw = chunks[b"PLTE"], zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (width + 1)
    lines = [raw[y * (width + 1) + 1 : (y + 1) * (width + 1)] for y in range(height)]
    return width, height, [[palette[3 * n : 3 * n + 3].hex() for n in line] for line in lines]


def frames_of(pixels):
    """(top, left, bottom, right) inside of every frame, from top to bottom and left to right."""
    found = []
    for y, line in enumerate(pixels[:-1]):
        for x, colour in enumerate(line[:-1]):
            if colour == pixels[y][x + 1] == pixels[y + 1][x] == FRAME and FRAME not in (pixels[y - 1][x], line[x - 1], pixels[y + 1][x + 1]):
                right = next(n for n in range(x, len(line)) if line[n] != FRAME) - 1
                bottom = next(n for n in range(y, len(pixels)) if pixels[n][x] != FRAME) - 1
                found.append((y + 1, x + 1, bottom, right))
    return found


def words_of(pixels, top, bottom, left, right):
    """The middles of the words of a strip: letters are at most two dots apart."""
    black = [x for x in range(left, right) if any(pixels[y][x] == TEXT for y in range(top, bottom))]
    starts = [x for number, x in enumerate(black) if number == 0 or x - black[number - 1] > 10]
    ends = [x for number, x in enumerate(black) if number == len(black) - 1 or black[number + 1] - x > 10]
    return [(start + end) / 2 for start, end in zip(starts, ends)]


def check_png(rows, path):
    """Every panel is in a frame, below indices of keys that are where the squares are; below all is text with swatches."""
    width, height, pixels = read_png(path)
    frames, panels = frames_of(pixels), [panel for row in rows for panel in row]
    assert len(frames) == len(panels), (frames, len(panels))
    for (top, left, bottom, right), panel in zip(frames, panels):
        scale = 512 // len(panel[0])
        assert (bottom - top, right - left) == (len(panel) * scale, len(panel[0]) * scale), (top, left, bottom, right)
        for y, line in enumerate(panel):
            for x, letter in enumerate(line):
                for dy, dx in ((0, 0), (scale - 1, scale - 1)): # lines between tiles are left and above
                    got = pixels[top + y * scale + dy][left + x * scale + dx]
                    assert got in (COLOURS[letter], LINE if dy == 0 else None), (top, left, y, x, letter, got)
    top, left, _, right = frames[0] # always a matrix
    keys = [(x - left) / (512 // len(panels[0][0])) for x in words_of(pixels, top - 24, top - 6, left - 24, right + 24)]
    steps = {round(after - before, 1) for before, after in zip(keys, keys[1:])}
    assert len(keys) >= 2 and abs(keys[0] - 0.5) < 0.2 and max(steps) - min(steps) < 0.4 and round(min(steps)) in (1, 2, 10, 20, 100), keys
    last = max(bottom for _, _, bottom, _ in frames)
    below = {colour for line in pixels[last + 2 :] for colour in line}
    assert {TEXT, PAPER, COLOURS["0"]} <= below, below


def check_svg(rows, path):
    """Every group is a matrix; its paths cover each square that is not white once, in the square's colour. Texts are inside of the picture, and
    indices start with those of the first key and query."""
    space = "{http://www.w3.org/2000/svg}"
    root = xml.etree.ElementTree.parse(path).getroot()
    groups = root.findall(space + "g")
    _, _, width, _ = map(float, root.get("viewBox").split())
    texts = [(text.get("text-anchor"), float(text.get("x")), 0.61 * float(text.get("font-size")) * len(text.text), text.text) for text in root.findall(space + "text")]
    assert all(x >= 0 and x + long <= width for anchor, x, long, _ in texts if anchor == "start"), texts
    assert all(x >= long for anchor, x, long, _ in texts if anchor == "end"), texts
    assert {"middle", "end"} <= {anchor for anchor, _, _, _ in texts} and ("middle", "0") in {(anchor, text) for anchor, _, _, text in texts}, texts
    panels = [panel for row in rows for panel in row]
    assert len(groups) == len(panels)
    for group, panel in zip(groups, panels):
        squares = [[COLOURS["."]] * len(panel[0]) for _ in panel]
        for run in group.findall(space + "path"):
            for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", run.get("d")):
                for column in range(int(x), int(x) + int(width)):
                    assert squares[int(y)][column] == COLOURS["."]
                    squares[int(y)][column] = run.get("fill")[1:]
        assert squares == [[COLOURS[letter] for letter in line] for line in panel]


def check_npz(rows, path):
    with numpy.load(path) as arrays:
        assert len(arrays.files) == sum(map(len, rows))
        names = iter(arrays.files)
        for number, row in enumerate(rows):
            for panel in row:
                name, expected = next(names), [[letter not in ".+ " for letter in line] for line in panel]
                assert re.fullmatch(rf"pattern{number}_head\d+(_query)?", name), name
                assert (arrays[name] == numpy.array(expected)).all()


text, png, svg, npz = sys.argv[1:]
matrices = read_text(text)
assert matrices
check_png(matrices, png)
check_svg(matrices, svg)
check_npz(matrices, npz)
