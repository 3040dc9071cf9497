//===- Picture.h - Patterns as pictures -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the connectivity of figure 3 of the Sparse Transformers paper: a matrix for each head, a row per query, a
// column per key, the origin top left. Pictures are drawn from the solution, pair by pair, so that they show what
// kernels compute and which piece computes it. Formats are functions of the finished picture and independent of the
// pattern stage.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PICTURE_PICTURE_H
#define XF_COMPILER_PATTERN_PICTURE_PICTURE_H

#include "compiler/Pattern/Count/Count.h"

namespace mlir::xf::pattern {

/// The kind of a square of a panel. `Unseen` is no pair of the pattern, `Future` is no pair either and lies after the
/// query in a causal pattern, `Padding` is a masked pair that a tile computes. `Own` and all later kinds are pairs of
/// the pattern: `Own` is the key at the query's own position, and squares from `FirstPiece` on belong to piece number
/// square - FirstPiece, where the pieces past the last colour share it.
enum Square : uint8_t { Unseen, Future, Padding, Own, FirstPiece };
inline constexpr unsigned numPieceColours = 6;

/// A matrix of the pairs of one head, with a row per query; or the keys of one query, laid out on a grid of tokens.
struct Panel {
  std::string title, name; ///< the title for readers, and the name of the numpy array
  int64_t rows, columns;
  SmallVector<uint8_t, 0> squares; ///< row by row
  std::vector<std::string> pieces; ///< descriptions of the pieces, and one that starts "tile by tile" for tiles
  SmallVector<int32_t, 0> tiles;   ///< row by row, the number of the tile that computes the pair, or 0; or empty
  int64_t unit = 1;                ///< the side of a square in units of the picture

  uint8_t at(int64_t row, int64_t column) const { return squares[row * columns + column]; }
  /// Returns whether a line between tiles runs left of (or above) this square; the row or column may be one past the
  /// last.
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

/// The largest number of queries or keys in a picture.
inline constexpr int64_t maxPictureSize = 2048;

/// Returns a number of queries and keys at which a picture shows several periods of the pattern.
int64_t pictureSize(ArrayRef<SolutionAttr> solutions);

/// Options that add tiles and a grid to a picture of pairs.
struct PictureOptions {
  /// A register tile of the kernels and the lanes of its registers; 0 for no tiles.
  int64_t tileRows = 0, tileColumns = 0, lanes = 0;
  /// A grid of as many tokens as keys, on which the keys of `query` are shown; 0 for none.
  int64_t height = 0, width = 0;
  /// A position on the key axis; -1 for one near the middle of the grid.
  int64_t query = -1;
};

/// Verifies that the grid and the query of `options` fit a picture of these sizes; emits one error where they do not.
LogicalResult verifyPicture(const PictureOptions &options, const CallSizes &sizes,
                            function_ref<InFlightDiagnostic()> emitError);

/// Draws one panel for each solution of `pattern`, for the first head with this solution, and with a grid a second
/// panel for the keys of one query. Sizes are at most maxPictureSize.
PictureRow drawPattern(Pattern pattern, ArrayRef<SolutionAttr> solutions, const CallSizes &sizes,
                       const PictureOptions &options = {});

/// Returns an SVG file with titles and a legend of pieces; one square of a panel with unit 1 is one SVG unit.
std::string toSvg(const Picture &picture);
/// Returns a PNG file without text. A panel is about 512 pixels wide.
std::string toPng(const Picture &picture);
/// Returns a file of numpy's NPZ format with a boolean matrix for each panel: pattern0_head0, pattern0_head0_query and
/// so on.
std::string toNpz(const Picture &picture);
/// Returns text with a character for each pair: the number of its piece, '#' for the query's own position, '.' unseen,
/// ' ' in the future, '+' computed and masked.
std::string toText(const Picture &picture);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PICTURE_PICTURE_H
