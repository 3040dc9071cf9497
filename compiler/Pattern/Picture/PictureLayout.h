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

/// Which end of a text is at its place.
enum class Anchor { Start, Middle, End };

/// What a picture is drawn on. Lengths are in a unit of the canvas, x grows to the right and y downwards. All letters
/// have one width, 0.62 of `letter`, the height of a line without its gap.
class Canvas {
public:
  virtual ~Canvas() = default;

  /// Returns the side of a square of the panel.
  virtual double sideOf(const Panel &panel) const = 0;
  /// Returns `letter` for texts beside panels of this total width.
  virtual double letterOf(double width) const = 0;
  /// The number of letters at which texts are broken.
  virtual size_t longestLine() const = 0;

  /// Draw a text whose letters stand on y, a filled square whose left upper corner is at (x, y), and a panel.
  virtual void addText(double x, double y, StringRef text, Anchor anchor, double letter) = 0;
  virtual void addSwatch(double x, double y, unsigned square, double letter) = 0;
  virtual void addPanel(const Panel &panel, double x, double y, double letter) = 0;
};

/// The size of what was drawn.
struct Extent {
  double width, height;
};

/// Draws the rows of a picture from top to bottom: titles, panels with the indices of keys and queries, and legends of
/// pieces.
Extent drawPicture(const Picture &picture, Canvas &canvas);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PICTURE_PICTURELAYOUT_H
