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

/// How the ranks of a mesh axis share a dimension. With one chunk for each rank, rank r has part r. With several,
/// chunks are dealt in zigzag: 2 chunks for each of 4 ranks go to the ranks 0 1 2 3 3 2 1 0. On a causal pattern, later
/// rows cost more, and zigzag chunks give all ranks the same work.
struct Placement {
  static constexpr int64_t mostChunks = 64;
  int64_t chunks = 1; ///< of each rank, at most mostChunks

  /// Returns the parts of a dimension that rank `rank` of `ranks` ranks has, as ranges [begin, end) in the order that
  /// they have in the rank's tensors. `size` is the number of elements of the dimension. Throws Error unless `size` is
  /// a multiple of the total number of chunks.
  std::vector<std::pair<int64_t, int64_t>> runs(int64_t size, int64_t rank, int64_t ranks,
                                                Here here = Here::current()) const;
};

namespace detail {
struct SizeData;
}

/// One size of a shape. It is a static number, a named size that inputs determine at a call, a size computed from named
/// ones, or an unknown size that is computed at run time. All dimensions of one name have one size.
///
/// Sums, differences, products and quotients of sizes are sizes, such as "tokens + 1" or "batch * tokens". Expressions
/// that are equal as polynomials are equal sizes. Making a tensor of an impossible size throws Error, such as "tokens -
/// 9" where there are at most 8 tokens.
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
  /// Returns the name of a named size, or the expression of a computed size, such as "tokens + 1".
  const std::string &name() const { return symbol->name; }
  DimRange range() const { return symbol->range; }

  /// Returns the same size, sharded over `axis` of the program's mesh in addition to its present axes:
  /// dim("length").over("sequence"). Inputs with a named size must all shard it alike. For a static size, only the
  /// shape that contains this Dim is sharded. Throws Error if the size is already sharded over `axis`.
  Dim over(std::string axis, Here here = Here::current()) const;
  /// Returns the same size, sharded over `axis` in zigzag chunks: dim("length").over("sequence", {.chunks = 2}). A
  /// rank's tensors have its chunks in ascending order (docs/scale-out.md). Throws Error for a number of chunks outside
  /// of [1, Placement::mostChunks]. Also throws Error for several chunks of a size that is already sharded.
  Dim over(std::string axis, Placement placement, Here here = Here::current()) const;
  /// Returns the axes of the mesh over which the dimension is sharded, outermost first.
  const std::vector<std::string> &axes() const;
  /// Returns the number of chunks of the dimension that each rank has: 1 unless the size is sharded in zigzag chunks.
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

/// Arithmetic on sizes. A quotient is rounded down; the divisor is at least 1. If a reshape needs an exact quotient, a
/// call whose sizes leave a remainder fails. The result is a number if both operands are static, and unknown if one is
/// unknown.
Dim operator+(const Dim &a, const Dim &b);
Dim operator-(const Dim &a, const Dim &b);
Dim operator*(const Dim &a, const Dim &b);
Dim operator/(const Dim &a, int64_t divisor);

/// Makes a named dimension, whose size each call chooses within a range. Throws Error unless the name is an identifier
/// and 0 <= min <= max.
Dim dim(std::string name, DimRange range = {}, Here here = Here::current());

/// The sizes of a tensor, outermost dimension first. In reshape, one size may be -1, which stands for the remaining
/// size.
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

/// Two numbers, one for the height and one for the width of an image. A single number stands for both.
struct Size2 {
  Size2(int64_t both) : height(both), width(both) {}
  Size2(int64_t height, int64_t width) : height(height), width(width) {}
  int64_t height, width;
};

} // namespace xf

#endif // XF_SHAPE_H
