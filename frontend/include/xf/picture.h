//===- xf/picture.h - Pictures of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   draw(strided(128), 512).save("strided.svg");
//   draw(strided(6), 36, {.grid = {6, 6}, .query = 21}).save("query.png");
//
//===----------------------------------------------------------------------===//

#ifndef XF_PICTURE_H
#define XF_PICTURE_H

#include "xf/pattern.h"

namespace xf {

/// A picture of a pattern: one matrix for each head, with a row per query, a column per key and the origin top left, as
/// in figure 3 of the Sparse Transformers paper. Colours distinguish the pieces into which the compiler splits the
/// pattern. A handle that is cheap to copy.
class Picture {
public:
  struct Formats {
    std::string svg, png, text, npz;
  };
  explicit Picture(std::shared_ptr<const Formats> formats) : formats(std::move(formats)) {}

  /// Returns the bytes of an SVG file, with a legend of the pieces.
  const std::string &svg() const { return formats->svg; }
  /// Returns the bytes of a PNG file.
  const std::string &png() const { return formats->png; }
  /// Returns the picture as lines of characters: the number of the piece, '#' for the query's own key, '.' for a pair
  /// that the pattern does not have, ' ' for a key after the query.
  const std::string &text() const { return formats->text; }
  /// Returns the bytes of a file of numpy arrays. The arrays pattern0_head0 and so on hold which pairs the pattern has;
  /// with a grid, pattern0_head0_query and so on hold the tokens that the query sees.
  const std::string &npz() const { return formats->npz; }
  /// Writes the picture to a file in the format of its extension: .svg, .png, .txt or .npz. Replaces the file
  /// atomically. Throws Error for another extension and where writing fails.
  void save(const std::string &path, Here here = Here::current()) const;

private:
  std::shared_ptr<const Formats> formats;
};

/// Extents of a grid on which tokens are laid out row by row.
struct GridShape {
  int64_t height = 0, width = 0;
};
/// Options of draw.
struct DrawOptions {
  /// Grid to draw beside the matrix, with the tokens laid out row by row and those that one query sees marked; 0 x 0:
  /// no grid.
  GridShape grid = {};
  /// Query whose keys the grid marks; -1: a query near the middle. Requires a grid.
  int64_t query = -1;
  /// Draws the tiles in which f32 kernels for this machine compute the pairs, and the masked pairs.
  bool tiles = false;
};

/// Draws a pattern over `tokens` queries and keys (1 to 2048), from the same solution as its kernels. Throws Error for
/// patterns that need operands (segments) and for patterns that are not sets of pairs.
Picture draw(const Pattern &pattern, int64_t tokens, Here here = Here::current());
Picture draw(const Pattern &pattern, int64_t tokens, const DrawOptions &options, Here here = Here::current());

} // namespace xf

#endif // XF_PICTURE_H
