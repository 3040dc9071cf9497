//===- Shape.cpp - Element types, dimensions, shapes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/shape.h"
#include "Sizes.h"

#include <algorithm>
#include <cctype>

namespace xf {

const char *name(Dtype dtype) {
  static constexpr const char *names[] = {"f32", "f64", "f16", "bf16", "i32", "i64", "i1"};
  return names[static_cast<size_t>(dtype)];
}

size_t size_of(Dtype dtype) {
  static constexpr size_t sizes[] = {4, 8, 2, 2, 4, 8, 1};
  return sizes[static_cast<size_t>(dtype)];
}

bool is_float(Dtype dtype) { return dtype <= Dtype::bf16; }

Dim::Dim(std::string name, DimRange range)
    : size(dynamic), symbol(std::make_shared<const Symbol>(Symbol{std::move(name), range, nullptr})) {}

std::vector<std::pair<int64_t, int64_t>> Placement::runs(int64_t size, int64_t rank, int64_t ranks, Here here) const {
  constexpr int64_t mostRanks = int64_t(1) << 31; // whose product with mostChunks is a number
  if (chunks < 1 || chunks > mostChunks || ranks < 1 || ranks > mostRanks || rank < 0 || rank >= ranks || size < 0 ||
      size % (chunks * ranks) != 0)
    throw Error("expected a size that " + std::to_string(chunks) + " chunks of each of " + std::to_string(ranks) +
                    " ranks make up, got " + std::to_string(size) + " for rank " + std::to_string(rank),
                here);
  std::vector<std::pair<int64_t, int64_t>> runs;
  int64_t length = size / (chunks * ranks);
  for (int64_t turn = 0; turn < chunks; ++turn) {
    int64_t begin = length * (turn * ranks + (turn % 2 == 0 ? rank : ranks - 1 - rank)); // as #xf.sharding says
    runs.emplace_back(begin, begin + length);
  }
  return runs;
}

Dim Dim::over(std::string axis, Here here) const { return over(std::move(axis), {}, here); }

Dim Dim::over(std::string axis, Placement placement, Here here) const {
  std::vector<std::string> all = axes();
  if (placement.chunks < 1 || placement.chunks > Placement::mostChunks)
    throw Error("expected 1 to " + std::to_string(Placement::mostChunks) + " chunks of each rank, got " +
                    std::to_string(placement.chunks),
                here);
  if (std::find(all.begin(), all.end(), axis) != all.end())
    throw Error("expected axes of dimension " + to_string(*this) + " that differ, got '" + axis + "' twice", here);
  if (!all.empty() && (placement.chunks > 1 || zigzag > 1))
    throw Error("expected one axis of dimension " + to_string(*this) + ", which has zigzag chunks, got '" + all.back() +
                    "' and '" + axis + "'",
                here);
  Dim sharded = *this;
  sharded.zigzag = placement.chunks;
  all.push_back(std::move(axis));
  sharded.shards = std::make_shared<const std::vector<std::string>>(std::move(all));
  return sharded;
}

const std::vector<std::string> &Dim::axes() const {
  static const std::vector<std::string> none;
  return shards ? *shards : none;
}

bool Dim::operator==(const Dim &other) const {
  if (is_static() || other.is_static())
    return size == other.size;
  return symbol && other.symbol && (symbol == other.symbol || symbol->name == other.symbol->name);
}

bool Dim::may_equal(const Dim &other) const {
  bool unknown = !is_static() && !symbol, otherUnknown = !other.is_static() && !other.symbol;
  if (unknown || otherUnknown || *this == other)
    return true;
  detail::SizeData own = detail::SizeData::of(*this), given = detail::SizeData::of(other);
  detail::SizeExpression::Range range = own.range(), otherRange = given.range();
  return (own.value.hasQuotient() || given.value.hasQuotient()) && range.min <= otherRange.max &&
         otherRange.min <= range.max;
}

Dim dim(std::string name, DimRange range, Here here) {
  bool identifier = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
  for (unsigned char letter : name)
    identifier &= std::isalnum(letter) || letter == '_';
  if (!identifier)
    throw Error("expected a dimension name of letters, digits and _, got '" + name + "'", here);
  if (range.min < 0 || range.max < range.min)
    throw Error("expected 0 <= min <= max for dimension '" + name + "', got min = " + std::to_string(range.min) +
                    ", max = " + std::to_string(range.max),
                here);
  return Dim(std::move(name), range);
}

std::string to_string(const Dim &dim) {
  if (dim.is_static() || dim.value() < Dim::unknown().value()) // a negative number is a user's mistake, to be shown
    return std::to_string(dim.value());
  return dim.is_named() ? dim.name() : "?";
}

std::string to_string(const Shape &shape) {
  std::string text = "[";
  for (const Dim &dim : shape)
    text += (text.size() > 1 ? ", " : "") + to_string(dim);
  return text + "]";
}

} // namespace xf
