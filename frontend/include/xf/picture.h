//===- xf/picture.h - Pictures of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pictures of patterns and of attention weights:
//
//   draw(strided(128), 512).save("strided.svg");
//   draw(strided(6), 36, {.grid = {6, 6}, .query = 21}).save("query.png");
//   draw(run.call("logits_maps", inputs).at("attention0")).save("map.png"); // weights, see xf/maps.h
//
//===----------------------------------------------------------------------===//

#ifndef XF_PICTURE_H
#define XF_PICTURE_H

#include "xf/array.h"
#include "xf/pattern.h"

namespace xf {

/// A picture of a pattern, or of weights: one matrix for each head, with a row per query and a column per key. The
/// origin is at the top left, as in figure 3 of the Sparse Transformers paper. The compiler solves a pattern into
/// pieces and builds kernels from them; each piece has its own colour. Copies share the contents.
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
  /// Extents of a grid that is drawn beside the matrix. The grid shows the tokens row by row, and marks the keys that
  /// one query sees. 0 x 0: no grid.
  GridShape grid = {};
  /// The query whose keys the grid marks; -1: one near the middle. Requires a grid.
  int64_t query = -1;
  /// Whether to draw the tiles of the f32 kernels for this machine, too, and the masked pairs that the tiles compute.
  bool tiles = false;
  /// The head that is drawn, with the keys that its random parts draw; -1: the first head of each pattern of heads().
  int64_t head = -1;
};

/// Draws a pattern over `tokens` queries and keys (1 to 2048), from the solution that its kernels are built from.
/// Throws Error for patterns that need operands (segments, tables, symbols), for patterns that are not sets of pairs,
/// and for a grid or query that does not fit.
Picture draw(const Pattern &pattern, int64_t tokens, Here here = Here::current());
Picture draw(const Pattern &pattern, int64_t tokens, const DrawOptions &options, Here here = Here::current());

/// Options of draw() for weights.
struct MapPicture {
  std::string title = "attention";
  /// The number of the query of the first row, and the number of the first key.
  int64_t first_row = 0, first_key = 0;
  /// Extents of a grid on which the keys of each row are laid out, row by row. 0 x 0: no grid.
  GridShape grid = {};
  /// The weight that gets the darkest colour. 0: the largest weight of each head (with a grid: of each row).
  double darkest = 0;
};
/// Draws weights, as attention_weights and Program::attention_maps return them: [rows, keys], [heads, rows, keys] or
/// [batch, heads, rows, keys]. Each head has a matrix, in which a weight of 0 is white; negative weights are brown.
/// With a grid, each row has a picture of its own. Throws Error for weights that are infinite or NaN, above 2048 rows
/// or keys or 256 panels, and for a grid that does not fit.
Picture draw(const Array &weights, const MapPicture &options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_PICTURE_H
