//===- Picture.h - The attention pattern as a picture -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BYTE_LM_PICTURE_H
#define BYTE_LM_PICTURE_H

#include <xf/pattern.h>

#include <cstdint>
#include <filesystem>

namespace byte_lm {

/// What a square of the picture is: row i, column j of a head.
enum class Cell : uint8_t { future, unseen, seen, own };

/// The connectivity of some heads side by side, as in figure 3 of the Sparse Transformers paper: a row per query, a
/// column per key.
class Picture {
public:
  Picture(const xf::Pattern &pattern, int64_t heads, int64_t size);

  void writeSvg(const std::filesystem::path &path) const;
  void writePng(const std::filesystem::path &path) const;

  Cell at(int64_t head, int64_t i, int64_t j) const { return cells[(head * size + i) * size + j]; }

private:
  std::string svg() const;
  std::vector<uint8_t> png() const;

  int64_t heads, size;
  std::vector<Cell> cells;
};

} // namespace byte_lm

#endif // BYTE_LM_PICTURE_H
