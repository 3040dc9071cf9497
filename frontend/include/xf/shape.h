//===- xf/shape.h - Element types, dimensions, shapes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_SHAPE_H
#define XF_SHAPE_H

#include "xf/error.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace xf {

/// Element types. f16 and bf16 only store elements; kernels compute them in f32.
enum class Dtype { f32, f64, f16, bf16, i32, i64, boolean };
inline constexpr Dtype f32 = Dtype::f32, f64 = Dtype::f64, f16 = Dtype::f16, bf16 = Dtype::bf16;
inline constexpr Dtype i32 = Dtype::i32, i64 = Dtype::i64, boolean = Dtype::boolean;

/// Returns the name of an element type in the IR and in the tools: "f32", "f64", "f16", "bf16", "i32", "i64" or "i1".
const char *name(Dtype dtype);
/// Returns the number of bytes of one element; a boolean has one byte.
size_t size_of(Dtype dtype);
bool is_float(Dtype dtype);

/// Range of the sizes that a named dimension may have at run time, both bounds included.
struct DimRange {
  int64_t min = 0;
  int64_t max = std::numeric_limits<int32_t>::max();
};

/// How the ranks of an axis share a dimension. Each has one part, in their order; or several chunks in
/// zigzag, so that on a causal pattern, whose rows cost more the later they stand, all ranks have the same work: 2
/// chunks for each of 4 ranks go to the ranks 0 1 2 3 3 2 1 0.
struct Placement {
  static constexpr int64_t mostChunks = 64;
  int64_t chunks = 1; ///< of each rank, at most mostChunks

  /// Returns which elements of a dimension of `size` a rank of so many has: ranges begin, end, in the order in which
  /// they lie in its tensors. Throws Error where chunks of equal size do not make up the dimension.
  std::vector<std::pair<int64_t, int64_t>> runs(int64_t size, int64_t rank, int64_t ranks,
                                                Here here = Here::current()) const;
};

namespace detail {
struct SizeData;
}

/// One size of a shape: a static number, a named size that inputs determine at a call, a size computed from named ones,
/// or an unknown size that is computed at run time. All dimensions of one name have one size.
///
/// Sizes are values: sums, differences, products and quotients of them are sizes, "tokens + 1" or "batch * tokens".
/// Expressions that are equal as polynomials are equal sizes. A tensor of a size that cannot be, such as "tokens - 9"
/// of at most 8 tokens, is an Error where the tensor is made.
class Dim {
public:
  Dim(int64_t size) : size(size) {}
  Dim(std::string name, DimRange range);
  static Dim unknown() { return Dim(dynamic); }

  bool is_static() const { return size >= 0; }
  /// Returns true for a named size and for one that is computed from named ones.
  bool is_named() const { return symbol != nullptr; }
  /// Returns the static size, or -1 for a dynamic dimension.
  int64_t value() const { return size; }
  /// Returns the name of a named dimension; an expression, such as "tokens + 1", of a computed one.
  const std::string &name() const { return symbol->name; }
  DimRange range() const { return symbol->range; }

  /// Returns the same size, sharded over an axis of the program's mesh, after the axes that it is sharded over already:
  /// dim("length").over("sequence"). Tensors that have the dimension have this sharding; a static size has it in the
  /// shape where it stands. Throws Error for an axis that the dimension has.
  Dim over(std::string axis, Here here = Here::current()) const;
  /// The same with zigzag chunks: dim("length").over("sequence", {.chunks = 2}). A rank's tensors then have its chunks
  /// in ascending order (docs/scale-out.md). Throws Error for chunks that cannot be, and where the dimension has axes.
  Dim over(std::string axis, Placement placement, Here here = Here::current()) const;
  /// Returns the axes of the mesh over which the dimension is sharded, outermost first.
  const std::vector<std::string> &axes() const;
  /// Returns how many chunks of the dimension each rank has: 1 unless it has zigzag chunks.
  int64_t chunks() const { return zigzag; }

  /// Returns true if both sizes are known to be equal: equal static numbers, or equal names.
  bool operator==(const Dim &other) const;
  /// Returns true if both sizes may be equal: equal static numbers, equal names, equal expressions, or at least one
  /// unknown size. A name never equals a number or another name. A quotient, which is rounded, may equal anything that
  /// its range allows.
  bool may_equal(const Dim &other) const;

private:
  static constexpr int64_t dynamic = -1;
  struct Symbol {
    std::string name;
    DimRange range;
    std::shared_ptr<const detail::SizeData> data; ///< of a computed size
  };
  int64_t size;
  std::shared_ptr<const Symbol> symbol;
  std::shared_ptr<const std::vector<std::string>> shards; ///< axes; null: none
  int64_t zigzag = 1;

  friend struct detail::SizeData;
};

/// Arithmetic on sizes. A quotient is rounded down; the divisor is at least 1. Where a reshape has to divide exactly, a
/// call with sizes that do not is an error. A static result is a number. The result of an operation on an unknown size
/// is unknown.
Dim operator+(const Dim &a, const Dim &b);
Dim operator-(const Dim &a, const Dim &b);
Dim operator*(const Dim &a, const Dim &b);
Dim operator/(const Dim &a, int64_t divisor);

/// Makes a named dimension, whose size each call chooses within a range. Throws Error unless the name is an identifier
/// and 0 <= min <= max.
Dim dim(std::string name, DimRange range = {}, Here here = Here::current());

/// Sizes, outermost first. In reshape, one size may be -1, which stands for the remaining size.
using Shape = std::vector<Dim>;

/// Formats a dimension or a shape as text, such as "[batch, 4, 128]".
std::string to_string(const Dim &dim);
std::string to_string(const Shape &shape);

/// Name, element type and shape of an entry's input.
struct TensorSpec {
  std::string name;
  Dtype dtype = f32;
  Shape shape;
};

/// Numbers along the height and the width of an image; one number stands for both.
struct Size2 {
  Size2(int64_t both) : height(both), width(both) {}
  Size2(int64_t height, int64_t width) : height(height), width(width) {}
  int64_t height, width;
};

} // namespace xf

#endif // XF_SHAPE_H
