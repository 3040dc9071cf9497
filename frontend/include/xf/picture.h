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

/// A picture of a pattern: one matrix for each head, with a row per query and a column per key. The origin is at the
/// top left, as in figure 3 of the Sparse Transformers paper. Colours distinguish the pieces of the pattern's solution,
/// from which the compiler builds kernels. Copies share the contents.
class Picture {
public:
  struct Formats {
    std::string svg, png, text, npz;
  };
  explicit Picture(std::shared_ptr<const Formats> formats) : formats(std::move(formats)) {}

  /// Returns the picture as an SVG file, with a legend of the pieces.
  const std::string &svg() const { return formats->svg; }
  /// Returns the picture as a PNG file, with a legend of the pieces.
  const std::string &png() const { return formats->png; }
  /// Returns the picture as text, with one character for each query and key: the number of the pair's piece, '#' for
  /// the query's own key, '.' for a pair that the pattern does not have, ' ' for a key after the query, '+' for a
  /// masked pair.
  const std::string &text() const { return formats->text; }
  /// Returns the picture as a file of numpy's NPZ format, with one boolean matrix for each panel. pattern0_head0 and so
  /// on hold the pairs of the pattern. If the picture has a grid, pattern0_head0_query and so on hold the tokens that
  /// the query sees.
  const std::string &npz() const { return formats->npz; }
  /// Writes the picture to a file in the format of its extension: .svg, .png, .txt or .npz. Replaces the file
  /// atomically. Throws Error for any other extension and where writing fails.
  void save(const std::string &path, Here here = Here::current()) const;

private:
  std::shared_ptr<const Formats> formats;
};

/// Extents of a grid on which tokens are laid out row by row.
struct GridShape {
  int64_t height = 0, width = 0;
};
/// Options of draw().
struct DrawOptions {
  /// Extents of a grid that is drawn beside the matrix. It shows the tokens row by row, and marks the keys that one
  /// query sees. 0 x 0: no grid.
  GridShape grid = {};
  /// The query whose keys the grid marks; -1: one near the middle. Requires a grid.
  int64_t query = -1;
  /// Also draws the tiles of the f32 kernels for this machine, and the masked pairs that they compute.
  bool tiles = false;
  /// The head that is drawn, with the keys that its random parts draw; -1: the first head of each pattern of heads().
  int64_t head = -1;
};

/// Draws a pattern over `tokens` queries and keys (1 to 2048), from the solution that its kernels are built from.
/// Throws Error for patterns that need operands (segments, tables, symbols), for patterns that are not sets of pairs,
/// and for a grid or query that does not fit.
Picture draw(const Pattern &pattern, int64_t tokens, Here here = Here::current());
Picture draw(const Pattern &pattern, int64_t tokens, const DrawOptions &options, Here here = Here::current());

} // namespace xf

#endif // XF_PICTURE_H
