//===- Array.h - Arrays of plain rows ---------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small replacement for std::vector that needs no C++ runtime. Memory comes from malloc. An array whose allocation
// has failed is marked as incomplete; nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_ARRAY_H
#define XFRT_PIECES_ARRAY_H

#include <stddef.h>
#include <stdlib.h>
#include <type_traits>
#include <utility>

namespace xfrt {

/// An array of trivially copyable rows in memory of the C library. If an allocation fails, the array becomes
/// incomplete; its owner has to check isComplete().
template <typename Row>
class Array {
  static_assert(std::is_trivially_copyable_v<Row>);

public:
  Array() = default;
  explicit Array(size_t count) {
    rows = static_cast<Row *>(calloc(count ? count : 1, sizeof(Row)));
    complete = rows != nullptr;
    length = capacity = complete ? count : 0;
  }
  Array(Array &&other) { swap(other); }
  Array &operator=(Array &&other) {
    swap(other);
    return *this;
  }
  ~Array() { free(rows); }

  void push_back(const Row &row) {
    if (length == capacity && !grow())
      return;
    rows[length++] = row;
  }
  void clear() { length = 0; }

  /// Returns whether the array has all rows that were added to it.
  bool isComplete() const { return complete; }
  bool empty() const { return length == 0; }
  size_t size() const { return length; }
  Row *data() { return rows; }
  const Row *data() const { return rows; }
  Row *begin() { return rows; }
  Row *end() { return rows + length; }
  Row &operator[](size_t number) { return rows[number]; }
  const Row &operator[](size_t number) const { return rows[number]; }

private:
  bool grow() {
    const size_t wanted = capacity ? 2 * capacity : 8;
    auto *grown = static_cast<Row *>(realloc(rows, wanted * sizeof(Row)));
    complete = complete && grown;
    if (!grown)
      return false;
    rows = grown;
    capacity = wanted;
    return true;
  }
  void swap(Array &other) {
    std::swap(rows, other.rows);
    std::swap(length, other.length);
    std::swap(capacity, other.capacity);
    std::swap(complete, other.complete);
  }

  Row *rows = nullptr;
  size_t length = 0, capacity = 0;
  bool complete = true;
};

} // namespace xfrt

#endif // XFRT_PIECES_ARRAY_H
