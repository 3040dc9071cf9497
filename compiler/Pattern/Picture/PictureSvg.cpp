//===- PictureSvg.cpp - Pictures as SVG -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/PictureColours.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf::pattern;

namespace {
/// Writes the rows of a picture as SVG, from top to bottom.
class SvgWriter {
public:
  void add(const PictureRow &row);
  std::string finish() const;

private:
  void addText(double x, double y, StringRef text, StringRef anchor = "start");
  double addWrapped(double x, double y, StringRef text);
  void addAxes(const Panel &panel, double x, double y);
  void addSwatch(double x, double y, unsigned square);
  void addSquares(const Panel &panel, double x, double y);
  void addLines(const Panel &panel);
  void addLegend(const Panel &panel, double x);

  std::string body;
  llvm::raw_string_ostream os{body};
  double width = 0, height = 0, letter = 1;
};
} // namespace

static std::string colourText(Colour colour) {
  auto [red, green, blue] = colour;
  return llvm::formatv("#{0:x-2}{1:x-2}{2:x-2}", red, green, blue);
}

/// Returns the width of a text whose letters have one width. The letters of some fonts are wider than 0.6 of their
/// height.
static double widthOf(StringRef text, double letter) { return 0.62 * letter * double(text.size()); }

void SvgWriter::addText(double x, double y, StringRef text, StringRef anchor) {
  os << llvm::formatv("<text x=\"{0:f2}\" y=\"{1:f2}\" font-size=\"{2:f2}\" text-anchor=\"{3}\">", x, y, letter,
                      anchor);
  llvm::printHTMLEscaped(text, os);
  os << "</text>\n";
  if (anchor == "start")
    width = std::max(width, x + widthOf(text, letter));
}

/// Writes a text that is broken between words into lines of at most 100 letters. Returns the place of the last line.
double SvgWriter::addWrapped(double x, double y, StringRef text) {
  constexpr size_t longest = 100;
  while (text.size() > longest) {
    size_t end = text.take_front(longest).rfind(' ');
    end = end == StringRef::npos || end == 0 ? longest : end;
    addText(x, y, text.take_front(end));
    text = text.drop_front(end).ltrim();
    y += 1.2 * letter;
  }
  addText(x, y, text);
  return y;
}

/// Returns whether the panel is a matrix of queries and keys, not the keys of one query on a grid.
static bool hasAxes(const Panel &panel) { return panel.unit == 1 && !StringRef(panel.name).ends_with("_query"); }

/// Writes the indices of keys above a panel, and the positions of queries to its left. Both have the step of the keys.
void SvgWriter::addAxes(const Panel &panel, double x, double y) {
  int64_t step = 1, first = panel.columns - panel.rows;
  for (int64_t factor = 2; step * panel.unit < 6 * letter; factor = factor == 2 ? 5 : 2) // 1, 2, 10, 20, 100, ..
    step *= factor;
  for (int64_t key = 0; key < panel.columns; key += step)
    addText(x + (double(key) + 0.5) * double(panel.unit), y - 0.4 * letter, std::to_string(key), "middle");
  for (int64_t row = llvm::alignTo(first, step) - first; row < panel.rows; row += step)
    addText(x - 0.4 * letter, y + (double(row) + 0.5) * double(panel.unit) + 0.35 * letter, std::to_string(first + row),
            "end");
}

void SvgWriter::addSwatch(double x, double y, unsigned square) {
  os << llvm::formatv("<rect x=\"{0:f2}\" y=\"{1:f2}\" width=\"{2:f2}\" height=\"{2:f2}\" fill=\"{3}\"/>\n", x, y,
                      letter, colourText(squareColours[square]));
}

/// Writes the squares of a panel: a path for each colour, with a rectangle for each run of equal squares in a row.
void SvgWriter::addSquares(const Panel &panel, double x, double y) {
  os << llvm::formatv("<g transform=\"translate({0:f2} {1:f2}) scale({2})\" shape-rendering=\"crispEdges\">\n", x, y,
                      panel.unit);
  for (unsigned square = Future; square < FirstPiece + numPieceColours; ++square) {
    if (!llvm::is_contained(panel.squares, square))
      continue;
    os << "<path fill=\"" << colourText(squareColours[square]) << "\" d=\"";
    for (int64_t row = 0; row < panel.rows; ++row)
      for (int64_t begin = 0, end; begin < panel.columns; begin = end + 1) {
        for (end = begin; end < panel.columns && panel.at(row, end) == square; ++end)
          ;
        if (end > begin)
          os << "M" << begin << " " << row << "h" << end - begin << "v1h-" << end - begin << "z";
      }
    os << "\"/>\n";
  }
  if (!panel.tiles.empty())
    addLines(panel);
  os << llvm::formatv(
      "<rect width=\"{0}\" height=\"{1}\" fill=\"none\" stroke=\"#999999\" stroke-width=\"{2:f2}\"/>\n</g>\n",
      panel.columns, panel.rows, letter / 12 / double(panel.unit));
}

/// Writes the lines between tiles. Adjacent sides of squares on one straight line become one line.
void SvgWriter::addLines(const Panel &panel) {
  os << llvm::formatv("<path fill=\"none\" stroke=\"{0}\" stroke-width=\"0.12\" d=\"", colourText(lineColour));
  auto addRuns = [&](int64_t count, auto hasLine, auto addRun) {
    for (int64_t begin = 0, end; begin < count; begin = end + 1) {
      for (end = begin; end < count && hasLine(end); ++end)
        ;
      if (end > begin)
        addRun(begin, end - begin);
    }
  };
  for (int64_t row = 0; row <= panel.rows; ++row)
    addRuns(
        panel.columns, [&](int64_t column) { return panel.hasLineAbove(row, column); },
        [&](int64_t begin, int64_t length) { os << "M" << begin << " " << row << "h" << length; });
  for (int64_t column = 0; column <= panel.columns; ++column)
    addRuns(
        panel.rows, [&](int64_t row) { return panel.hasLineLeft(row, column); },
        [&](int64_t begin, int64_t length) { os << "M" << column << " " << begin << "v" << length; });
  os << "\"/>\n";
}

void SvgWriter::addLegend(const Panel &panel, double x) {
  if (!panel.title.empty())
    addText(x, height += 1.5 * letter, panel.title);
  for (auto [number, piece] : llvm::enumerate(panel.pieces)) {
    height += 1.5 * letter;
    addSwatch(x, height - 0.85 * letter, FirstPiece + std::min<unsigned>(number, numPieceColours - 1));
    height = addWrapped(x + 1.5 * letter, height, piece);
  }
}

void SvgWriter::add(const PictureRow &row) {
  int64_t panelWidth = 0, panelHeight = 0;
  for (const Panel &panel : row.panels) {
    panelWidth += panel.columns * panel.unit + panelGap;
    panelHeight = std::max(panelHeight, panel.rows * panel.unit);
  }
  letter = double(std::max<int64_t>(panelWidth, 64)) / 64;
  height = addWrapped(0, height + 1.5 * letter, row.title) + 2 * letter; // the second is for the indices of keys
  double x = 0;
  for (const Panel &panel : row.panels) {
    if (hasAxes(panel))
      x += widthOf(std::to_string(panel.columns), letter) + 0.6 * letter;
    addSquares(panel, x, height);
    if (hasAxes(panel))
      addAxes(panel, x, height);
    x += double(panel.columns * panel.unit + panelGap);
  }
  width = std::max(width, x - panelGap);
  height += double(panelHeight);
  for (const Panel &panel : row.panels) // below each other: descriptions are long
    addLegend(panel, 0);
  height += letter;
}

std::string SvgWriter::finish() const {
  return llvm::formatv(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:f2} {1:f2}\" font-family=\"monospace\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      width, height, body);
}

std::string mlir::xf::pattern::toSvg(const Picture &picture) {
  SvgWriter writer;
  for (const PictureRow &row : picture)
    writer.add(row);
  return writer.finish();
}
