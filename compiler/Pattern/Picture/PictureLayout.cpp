//===- PictureLayout.cpp - Where the parts of a picture go ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/PictureLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf::pattern;

namespace {
class Layout {
public:
  explicit Layout(Canvas &canvas) : canvas(canvas) {}

  void add(const PictureRow &row);
  Extent extent() const { return {width, height}; }

private:
  void addText(double x, double y, StringRef text, Anchor anchor = Anchor::Start);
  double addWrapped(double x, double y, StringRef text);
  void addAxes(const Panel &panel, double x, double y);
  void addLegend(const Panel &panel, double x);

  Canvas &canvas;
  double width = 0, height = 0, letter = 1;
};
} // namespace

/// Returns the width of a text. Allows 0.62 of the height for each letter, because some fonts have letters wider than
/// 0.6.
static double widthOf(StringRef text, double letter) { return 0.62 * letter * double(text.size()); }

void Layout::addText(double x, double y, StringRef text, Anchor anchor) {
  canvas.addText(x, y, text, anchor, letter);
  if (anchor == Anchor::Start)
    width = std::max(width, x + widthOf(text, letter));
}

/// Draws a text that is broken between words into lines. Returns the y of the last line.
double Layout::addWrapped(double x, double y, StringRef text) {
  size_t longest = canvas.longestLine();
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

/// Draws the indices of keys above a panel, and the positions of queries to its left, both at the same step.
void Layout::addAxes(const Panel &panel, double x, double y) {
  double side = canvas.sideOf(panel);
  int64_t step = 1, first = panel.firstRow.value_or(panel.columns - panel.rows), firstKey = panel.firstColumn;
  for (int64_t factor = 2; double(step) * side < 6 * letter; factor = factor == 2 ? 5 : 2) // 1, 2, 10, 20, 100, ..
    step *= factor;
  for (int64_t key = llvm::alignTo(firstKey, step) - firstKey; key < panel.columns; key += step)
    addText(x + (double(key) + 0.5) * side, y - 0.4 * letter, std::to_string(firstKey + key), Anchor::Middle);
  for (int64_t row = llvm::alignTo(first, step) - first; row < panel.rows; row += step)
    addText(x - 0.4 * letter, y + (double(row) + 0.5) * side + 0.35 * letter, std::to_string(first + row), Anchor::End);
}

void Layout::addLegend(const Panel &panel, double x) {
  if (!panel.title.empty())
    addText(x, height += 1.5 * letter, panel.title);
  for (auto [number, piece] : llvm::enumerate(panel.pieces)) {
    height += 1.5 * letter;
    canvas.addSwatch(x, height - 0.85 * letter, FirstPiece + std::min<unsigned>(number, numPieceColours - 1), letter);
    height = addWrapped(x + 1.5 * letter, height, piece);
  }
}

void Layout::add(const PictureRow &row) {
  double panelWidth = 0, panelHeight = 0;
  for (const Panel &panel : row.panels) {
    panelWidth += double(panel.columns) * canvas.sideOf(panel) + panelGap;
    panelHeight = std::max(panelHeight, double(panel.rows) * canvas.sideOf(panel));
  }
  letter = canvas.letterOf(panelWidth);
  height = addWrapped(0, height + 1.5 * letter, row.title) + 2 * letter; // the second is for the indices of keys
  double x = 0;
  for (const Panel &panel : row.panels) {
    if (panel.hasAxes)
      x += widthOf(std::to_string(panel.firstRow.value_or(0) + panel.columns), letter) + 0.6 * letter;
    canvas.addPanel(panel, x, height, letter);
    if (panel.hasAxes)
      addAxes(panel, x, height);
    x += double(panel.columns) * canvas.sideOf(panel) + panelGap;
  }
  width = std::max(width, x - panelGap);
  height += panelHeight;
  for (const Panel &panel : row.panels) // below each other: descriptions are long
    addLegend(panel, 0);
  height += letter;
}

Extent mlir::xf::pattern::drawPicture(const Picture &picture, Canvas &canvas) {
  Layout layout(canvas);
  for (const PictureRow &row : picture)
    layout.add(row);
  return layout.extent();
}
