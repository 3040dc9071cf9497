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

#ifndef XF_COMPILER_PATTERN_PICTURE_PICTURE_H
#define XF_COMPILER_PATTERN_PICTURE_PICTURE_H

#include "compiler/Pattern/Count/Count.h"

namespace mlir::xf::pattern {

/// What a square of a panel is. Squares from `FirstPiece` on belong to piece number square - FirstPiece; pieces past
/// the last colour share it.
/// `Padding` is computed and left out; `Own` is seen, like all that follow.
enum Square : uint8_t { Unseen, Future, Padding, Own, FirstPiece };
inline constexpr unsigned numPieceColours = 6;

/// The pairs of one head, a row per query; or the keys of one query on a grid of tokens.
struct Panel {
  std::string title, name; ///< what people read, and what numpy arrays are called
  int64_t rows, columns;
  SmallVector<uint8_t, 0> squares; ///< row by row
  std::vector<std::string> pieces; ///< in words; one that says "tile by tile" where there are none
  SmallVector<int32_t, 0> tiles;   ///< row by row, the number of the tile that computes the pair, 0 for none; or empty
  int64_t unit = 1;                ///< the side of a square beside those of other panels

  uint8_t at(int64_t row, int64_t column) const { return squares[row * columns + column]; }
  /// Whether a line between tiles runs left of (above) this square; past the last ones too.
  bool hasLineLeft(int64_t row, int64_t column) const { return tileAt(row, column) != tileAt(row, column - 1); }
  bool hasLineAbove(int64_t row, int64_t column) const { return tileAt(row, column) != tileAt(row - 1, column); }

private:
  int32_t tileAt(int64_t row, int64_t column) const {
    bool isInside = row >= 0 && row < rows && column >= 0 && column < columns;
    return isInside && !tiles.empty() ? tiles[row * columns + column] : 0;
  }
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

/// What is drawn besides the pairs.
struct PictureOptions {
  /// A register tile of the kernels and the lanes of its registers; 0 for no tiles.
  int64_t tileRows = 0, tileColumns = 0, lanes = 0;
  /// A grid of as many tokens as keys, on which the keys of `query` are shown; 0 for none.
  int64_t height = 0, width = 0;
  /// A position on the key axis; -1 for one near the middle of the grid.
  int64_t query = -1;
};

/// The options fit a picture of these sizes, or one error.
LogicalResult verifyPicture(const PictureOptions &options, const CallSizes &sizes,
                            function_ref<InFlightDiagnostic()> emitError);

/// One panel for each solution of `pattern`, of the first head that has it, with a grid one more. Sizes are at most
/// maxPictureSize.
PictureRow drawPattern(Pattern pattern, ArrayRef<SolutionAttr> solutions, const CallSizes &sizes,
                       const PictureOptions &options = {});

/// Scalable, with titles and a legend of pieces; one square is one unit.
std::string toSvg(const Picture &picture);
/// Pixels alone: a square is as many as make a panel about 512 wide.
std::string toPng(const Picture &picture);
/// A boolean matrix for each panel, pattern0_head0, pattern0_head0_query and so on, as numpy reads them from one file.
std::string toNpz(const Picture &picture);
/// A character for each pair: the number of its piece, '.' unseen, ' ' in the future, '+' computed and left out.
std::string toText(const Picture &picture);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PICTURE_PICTURE_H
