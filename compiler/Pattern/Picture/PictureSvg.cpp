//===- PictureSvg.cpp - Pictures as SVG -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/PictureLayout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf::pattern;

namespace {
/// Writes a picture as SVG. A square of a panel is as many units wide as the panel's `unit`.
class SvgCanvas : public Canvas {
public:
  double sideOf(const Panel &panel) const override { return double(panel.unit); }
  double letterOf(double width) const override { return std::max<double>(width, 64) / 64; }
  size_t longestLine() const override { return 100; }
  void addText(double x, double y, StringRef text, Anchor anchor, double letter) override;
  void addSwatch(double x, double y, unsigned square, double letter) override;
  void addPanel(const Panel &panel, double x, double y, double letter) override;

  std::string finish(const Extent &extent) const;

private:
  void addLines(const Panel &panel);

  std::string body;
  llvm::raw_string_ostream os{body};
};
} // namespace

static std::string colourText(Colour colour) {
  auto [red, green, blue] = colour;
  return llvm::formatv("#{0:x-2}{1:x-2}{2:x-2}", red, green, blue);
}

void SvgCanvas::addText(double x, double y, StringRef text, Anchor anchor, double letter) {
  static constexpr StringLiteral anchors[] = {"start", "middle", "end"};
  os << llvm::formatv("<text x=\"{0:f2}\" y=\"{1:f2}\" font-size=\"{2:f2}\" text-anchor=\"{3}\">", x, y, letter,
                      anchors[static_cast<int>(anchor)]);
  llvm::printHTMLEscaped(text, os);
  os << "</text>\n";
}

void SvgCanvas::addSwatch(double x, double y, unsigned square, double letter) {
  os << llvm::formatv("<rect x=\"{0:f2}\" y=\"{1:f2}\" width=\"{2:f2}\" height=\"{2:f2}\" fill=\"{3}\"/>\n", x, y,
                      letter, colourText(colourOf(square)));
}

/// Writes the squares of a panel: a path for each colour, with a rectangle for each run of equal squares in a row.
void SvgCanvas::addPanel(const Panel &panel, double x, double y, double letter) {
  os << llvm::formatv("<g transform=\"translate({0:f2} {1:f2}) scale({2})\" shape-rendering=\"crispEdges\">\n", x, y,
                      panel.unit);
  for (unsigned square = Future; square < NumSquares; ++square) {
    if (!llvm::is_contained(panel.squares, square))
      continue;
    os << "<path fill=\"" << colourText(colourOf(square)) << "\" d=\"";
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
void SvgCanvas::addLines(const Panel &panel) {
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

std::string SvgCanvas::finish(const Extent &extent) const {
  return llvm::formatv(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:f2} {1:f2}\" font-family=\"monospace\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      extent.width, extent.height, body);
}

std::string mlir::xf::pattern::toSvg(const Picture &picture) {
  SvgCanvas canvas;
  Extent extent = drawPicture(picture, canvas);
  return canvas.finish(extent);
}
