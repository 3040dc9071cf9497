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

/// The pairs of a pattern as a matrix for each head, a row per query, a column per key, the origin top left; as in
/// figure 3 of the Sparse Transformers paper. Colours tell the pieces apart that the compiler made of the pattern. A
/// cheap value.
class Picture {
public:
  struct Formats {
    std::string svg, png, text, npz;
  };
  explicit Picture(std::shared_ptr<const Formats> formats) : formats(std::move(formats)) {}

  /// Scalable, with a legend of the pieces.
  const std::string &svg() const { return formats->svg; }
  /// The bytes of a PNG file.
  const std::string &png() const { return formats->png; }
  /// Lines of characters: the number of the piece, '#' for the query's own key, '.' unseen, ' ' in the future.
  const std::string &text() const { return formats->text; }
  /// The bytes of a file of numpy arrays: which pairs there are, as pattern0_head0 and so on; with a grid also
  /// pattern0_head0_query, the tokens that the query sees.
  const std::string &npz() const { return formats->npz; }
  /// Writes the format that the name ends with: .svg, .png, .txt or .npz. Replaces the file at once or not at all.
  void save(const std::string &path, Here here = Here::current()) const;

private:
  std::shared_ptr<const Formats> formats;
};

/// Tokens laid out row by row.
struct GridShape {
  int64_t height = 0, width = 0;
};
/// What is drawn besides the pairs.
struct DrawOptions {
  /// Beside the matrix, the tokens laid out row by row on a grid, and which of them one query sees; 0 x 0: no grid.
  GridShape grid = {};
  /// That query; -1: one near the middle.
  int64_t query = -1;
  /// The tiles in which f32 kernels for this machine compute the pairs, and the pairs that they compute for nothing.
  bool tiles = false;
};

/// Draws a pattern over `tokens` queries and keys (1 to 2048), from the same solution that its kernels are made from.
/// Throws Error for patterns that ask for operands (segments), and what is no set.
Picture draw(const Pattern &pattern, int64_t tokens, Here here = Here::current());
Picture draw(const Pattern &pattern, int64_t tokens, const DrawOptions &options, Here here = Here::current());

} // namespace xf

#endif // XF_PICTURE_H
