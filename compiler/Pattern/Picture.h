//===- Picture.h - Patterns as pictures -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connectivity of figure 3 of the Sparse Transformers paper: a matrix for each head, a row per query, a column per
// key, the origin top left. Drawn from the solution, pair by pair, so that a picture shows what kernels compute and
// which piece computes it. Formats are functions of the finished picture: a new one needs nothing of the pattern stage.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PICTURE_H
#define XF_COMPILER_PATTERN_PICTURE_H

#include "compiler/Pattern/Count.h"

namespace mlir::xf::pattern {

/// What a square of a matrix is. Squares from `FirstPiece` on belong to piece number square - FirstPiece; pieces past
/// the last colour share it.
enum Square : uint8_t { Unseen, Future, Own, FirstPiece };
inline constexpr unsigned numPieceColours = 6;

/// The pairs of one head.
struct Panel {
  std::string title;
  int64_t rows, columns;
  SmallVector<uint8_t, 0> squares; ///< row by row
  std::vector<std::string> pieces; ///< in words; one that says "tile by tile" where there are none

  uint8_t at(int64_t row, int64_t column) const { return squares[row * columns + column]; }
};

/// The heads of one pattern, side by side.
struct PictureRow {
  std::string title;
  std::vector<Panel> panels;
};
using Picture = std::vector<PictureRow>;

/// The largest number of queries or keys that is drawn.
inline constexpr int64_t maxPictureSize = 2048;

/// A number of queries and keys at which the picture shows several periods of the pattern.
int64_t pictureSize(ArrayRef<SolutionAttr> solutions);

/// One panel for each solution of `pattern`. Sizes are at most maxPictureSize.
PictureRow drawPattern(Pattern pattern, ArrayRef<SolutionAttr> solutions, const CallSizes &sizes);

/// Scalable, with titles and a legend of pieces; one square is one unit.
std::string toSvg(const Picture &picture);
/// Pixels alone: a square is as many as make a panel about 512 wide.
std::string toPng(const Picture &picture);
/// A boolean matrix for each panel, pattern0_head0 and so on, as numpy reads them from one file.
std::string toNpz(const Picture &picture);
/// A character for each pair: the number of its piece, '.' unseen, ' ' in the future.
std::string toText(const Picture &picture);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PICTURE_H
