//===- Picture.h - Patterns as pictures -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws patterns as in figure 3 of the Sparse Transformers paper: a matrix for each head, with a row for each query, a
// column for each key, and the origin at the top left. Pictures are drawn from the solution, pair by pair. So they show
// what kernels compute, and which piece computes it. The functions that write a format, such as toSvg, read only the
// finished picture.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PICTURE_PICTURE_H
#define XF_COMPILER_PATTERN_PICTURE_PICTURE_H

#include "compiler/Pattern/Count/Count.h"

namespace mlir::xf::pattern {

/// The kind of a square of a panel. Three kinds are not pairs of the pattern. `Padding` is a masked pair that a tile
/// computes, `Future` is a key after the query in a causal pattern, and `Unseen` is any other. The other kinds are
/// pairs of the pattern. `Own` is the key at the query's own position. `FirstPiece` + n is a pair of the piece with
/// index n, where pieces after the last colour share that colour. In a picture of weights, a weight other than 0 is
/// `FirstShade` + n if it is positive and `FirstNegative` + n if it is negative, and darker for larger n.
enum Square : uint8_t {
  Unseen,
  Future,
  Padding,
  Own,
  FirstPiece,
  FirstShade = 16,
  FirstNegative = 48,
  NumSquares = 80
};
inline constexpr unsigned numPieceColours = 6, numShades = 32;

/// A picture for one head. It shows either the matrix of its pairs, with a row for each query, or the keys of one
/// query, laid out on a grid of tokens.
struct Panel {
  std::string title, name; ///< the title for readers, and the name of the numpy array
  int64_t rows, columns;
  SmallVector<uint8_t, 0> squares; ///< the kinds of all squares (Square), row by row
  std::vector<std::string> pieces; ///< descriptions of the pieces, and one that starts "tile by tile" for tiles
  SmallVector<int32_t, 0> tiles;   ///< row by row, the tile that computes the pair, or 0; empty without tiles
  int64_t unit = 1;                ///< the side of a square in units of the picture
  bool hasAxes = true;             ///< whether rows and columns are numbered
  std::optional<int64_t> firstRow = std::nullopt; ///< the number of the first row, or none: the position of a query
  int64_t firstColumn = 0;                        ///< the number of the first column
  std::vector<float> weights = {};                ///< row by row, in a picture of weights

  uint8_t at(int64_t row, int64_t column) const { return squares[row * columns + column]; }
  /// Returns whether a line between tiles runs along the left side of a square. `row` or `column` may be one past the
  /// last.
  bool hasLineLeft(int64_t row, int64_t column) const { return tileAt(row, column) != tileAt(row, column - 1); }
  /// Returns whether a line between tiles runs along the upper side of a square. `row` or `column` may be one past the
  /// last.
  bool hasLineAbove(int64_t row, int64_t column) const { return tileAt(row, column) != tileAt(row - 1, column); }

private:
  int32_t tileAt(int64_t row, int64_t column) const {
    bool isInside = row >= 0 && row < rows && column >= 0 && column < columns;
    return isInside && !tiles.empty() ? tiles[row * columns + column] : 0;
  }
};

/// The panels of one pattern's heads, side by side.
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
  /// The rows and columns of a register tile of the kernels, and the lanes of a register. If they are 0, no tiles are
  /// drawn.
  int64_t tileRows = 0, tileColumns = 0, lanes = 0;
  /// The height and width of the grid of tokens on which the keys of `query` are shown. The grid has one token for each
  /// key. If height and width are 0, no grid is drawn.
  int64_t height = 0, width = 0;
  /// The query whose keys are shown on the grid, as a position on the key axis. -1 stands for a position near the
  /// middle of the grid.
  int64_t query = -1;
  /// The head that the picture shows. If the pattern is random, these are the keys drawn for this head. -1 stands for
  /// the first head of each solution.
  int64_t head = -1;
};

/// Verifies that the grid and the query of `options` fit a picture of these sizes. Emits one error and fails if they do
/// not.
LogicalResult verifyPicture(const PictureOptions &options, const CallSizes &sizes,
                            function_ref<InFlightDiagnostic()> emitError);

/// Draws one row of panels for `pattern`. By default, each solution has a panel, which shows the first head with this
/// solution. If `options` chooses a head, only this head has a panel, and its solution must have the random draws of
/// this head. If `options` has a grid, each panel is followed by a second one, which shows the keys of one query on the
/// grid. Sizes are at most maxPictureSize.
PictureRow drawPattern(Pattern pattern, ArrayRef<SolutionAttr> solutions, const CallSizes &sizes,
                       const PictureOptions &options = {});

/// Weights to draw. `values` has `batches` x `heads` x `rows` x `columns` numbers, in row-major order.
struct DrawnWeights {
  ArrayRef<double> values;
  int64_t batches, heads, rows, columns;

  /// Returns weights of the shape [rows, columns], [heads, rows, columns] or [batches, heads, rows, columns]. An absent
  /// size counts as 1.
  static DrawnWeights of(ArrayRef<double> values, ArrayRef<int64_t> shape) {
    size_t rank = shape.size();
    return {values, rank > 3 ? shape[0] : 1, rank > 2 ? shape[rank - 3] : 1, shape[rank - 2], shape[rank - 1]};
  }
};

/// What a picture of weights shows beside the weights, and how.
struct WeightsOptions {
  std::string title;                     ///< of the picture
  int64_t firstRow = 0, firstColumn = 0; ///< the numbers of the first row and of the first column
  int64_t height = 0, width = 0;         ///< of a grid of tokens on which the columns of each row are laid out, or 0
  double darkest = 0;                    ///< the weight of the darkest colour; 0: the largest of a panel
};

/// Draws one row of panels for each batch entry, with a panel for each head or, with a grid, for each row of each head.
/// Emits one error and fails if there are too many panels, rows or columns, if the columns do not fit the grid, or if a
/// weight is infinite or NaN.
FailureOr<Picture> drawWeights(const DrawnWeights &weights, const WeightsOptions &options,
                               function_ref<InFlightDiagnostic()> emitError);

/// Returns an SVG file with titles, the indices of queries and keys, and a legend of pieces. A square of a panel is as
/// many SVG units wide as the panel's `unit`.
std::string toSvg(const Picture &picture);
/// Returns a PNG file with the same titles, indices and legends. A panel of up to 512 columns is 257 to 512 pixels
/// wide; a larger one has one pixel for each column.
std::string toPng(const Picture &picture);
/// Returns a file of numpy's NPZ format that holds a boolean matrix for each panel, with names such as pattern0_head0
/// and pattern0_head0_query, or a matrix of f32 for a panel of weights.
std::string toNpz(const Picture &picture);
/// Returns text with one character for each pair. A digit is the index of the pair's piece, where '5' stands for all
/// pieces from the sixth on. '#' is the query's own position, '.' an unseen pair, ' ' a pair in the future, and '+' a
/// masked pair that a tile computes. A weight is ' ' for 0, or one of ".:-=+*#%@", which becomes darker with its size.
std::string toText(const Picture &picture);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PICTURE_PICTURE_H
