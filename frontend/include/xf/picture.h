//===- xf/picture.h - Pictures of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   draw(strided(128), 512).save("strided.svg");
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
    std::string svg, png, text;
  };
  explicit Picture(std::shared_ptr<const Formats> formats) : formats(std::move(formats)) {}

  /// Scalable, with a legend of the pieces.
  const std::string &svg() const { return formats->svg; }
  /// The bytes of a PNG file.
  const std::string &png() const { return formats->png; }
  /// Lines of characters: the number of the piece, '#' for the query's own key, '.' unseen, ' ' in the future.
  const std::string &text() const { return formats->text; }
  /// Writes the format that the name ends with: .svg, .png or .txt. Replaces the file at once or not at all.
  void save(const std::string &path, Here here = Here::current()) const;

private:
  std::shared_ptr<const Formats> formats;
};

/// Draws a pattern over `tokens` queries and keys (1 to 2048), from the same solution that its kernels are made from.
/// Throws Error for patterns that the compiler does not solve: random ones, segments, and what is no set.
Picture draw(const Pattern &pattern, int64_t tokens, Here here = Here::current());

} // namespace xf

#endif // XF_PICTURE_H
