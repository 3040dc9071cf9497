//===- PictureColours.h - The colours of pictures ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PICTURE_PICTURECOLOURS_H
#define XF_COMPILER_PATTERN_PICTURE_PICTURECOLOURS_H

#include "compiler/Pattern/Picture/Picture.h"
#include <array>

namespace mlir::xf::pattern {

using Colour = std::array<uint8_t, 3>;
inline constexpr Colour paper = {255, 255, 255};

/// The colours of squares, indexed by Square. Blues come first, as in the Sparse Transformers paper. Most eyes can tell
/// the other colours apart.
inline constexpr Colour squareColours[FirstPiece + numPieceColours] = {
    paper,          {226, 226, 226}, {252, 226, 200}, {20, 54, 107},   {107, 163, 214},
    {46, 112, 176}, {240, 170, 90},  {130, 190, 150}, {200, 130, 180}, {150, 140, 120}};

/// Returns the colour of a square. Weights go from the paper to dark blue, or to brown if they are negative.
inline Colour colourOf(unsigned square) {
  if (square < FirstShade)
    return square < FirstPiece + numPieceColours ? squareColours[square] : paper;
  Colour dark = square < FirstNegative ? Colour{8, 40, 92} : Colour{130, 60, 0}, colour;
  int part = int((square - FirstShade) % numShades) + 1;
  for (unsigned n = 0; n < colour.size(); ++n)
    colour[n] = uint8_t(paper[n] + (dark[n] - paper[n]) * part / int(numShades));
  return colour;
}

/// The colour of lines between tiles.
inline constexpr Colour lineColour = {90, 90, 90};

/// The width of the gap between two panels, in squares.
inline constexpr int64_t panelGap = 8;

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PICTURE_PICTURECOLOURS_H
