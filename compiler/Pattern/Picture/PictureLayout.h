//===- PictureLayout.h - Where the parts of a picture go --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PICTURE_PICTURELAYOUT_H
#define XF_COMPILER_PATTERN_PICTURE_PICTURELAYOUT_H

#include "compiler/Pattern/Picture/PictureColours.h"

namespace mlir::xf::pattern {

/// Which point of a text lies at the position where the text is drawn.
enum class Anchor { Start, Middle, End };

/// A surface that a picture is drawn on. Lengths are in a unit of the canvas; x grows to the right and y downwards. In
/// all functions, `letter` is the height of a line of text without the gap to the next line. All letters are 0.62
/// `letter` wide.
class Canvas {
public:
  virtual ~Canvas() = default;

  /// Returns the side of a square of the panel.
  virtual double sideOf(const Panel &panel) const = 0;
  /// Returns the height of letters (`letter`) for texts beside panels that are `width` wide together.
  virtual double letterOf(double width) const = 0;
  /// Returns the number of letters after which a text is broken into lines.
  virtual size_t longestLine() const = 0;

  /// Draws a text whose letters stand on the line y. `anchor` tells which point of the text is at x.
  virtual void addText(double x, double y, StringRef text, Anchor anchor, double letter) = 0;
  /// Draws a filled square whose upper left corner is at (x, y), in the colour of the Square `square`.
  virtual void addSwatch(double x, double y, unsigned square, double letter) = 0;
  /// Draws a panel whose upper left corner is at (x, y).
  virtual void addPanel(const Panel &panel, double x, double y, double letter) = 0;
};

/// The size of the area that was drawn, in units of the canvas.
struct Extent {
  double width, height;
};

/// Draws the rows of a picture from top to bottom: titles, panels with the indices of keys and queries, and legends of
/// pieces.
Extent drawPicture(const Picture &picture, Canvas &canvas);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PICTURE_PICTURELAYOUT_H
