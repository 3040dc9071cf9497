//===- VisiblePairs.h - Which keys each row of a test sees ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_NUMERICS_VISIBLEPAIRS_H
#define XF_TEST_NUMERICS_VISIBLEPAIRS_H

#include "test/numerics/AttentionCases.h"
#include "test/support/CompiledProgram.h"

namespace xftest {

/// The pairs of an attention's pattern, from its definition. Rows of q are numbered (b, h, i), those of k and v (b, h,
/// j).
class VisiblePairs {
public:
  /// `program` has one attention, whose clauses' operands follow q, k and v.
  VisiblePairs(const CompiledProgram &program, const Sizes &sizes, llvm::ArrayRef<Tensor> arguments);

  const Sizes &getSizes() const { return sizes; }
  int64_t rows() const { return sizes.batches * sizes.heads * sizes.queries; }
  int64_t keyRows() const { return sizes.batches * sizes.keyHeads * sizes.keys; }
  bool sees(int64_t row, int64_t key) const { return visible[row * sizes.keys + key]; }
  /// The row of k and v that is key `key` of row `row`.
  int64_t keyRow(int64_t row, int64_t key) const {
    int64_t head = row / sizes.queries % sizes.heads, batch = row / sizes.queries / sizes.heads;
    return (batch * sizes.keyHeads + head / (sizes.heads / sizes.keyHeads)) * sizes.keys + key;
  }
  int64_t position(int64_t row) const { return row % sizes.queries + sizes.keys - sizes.queries; }
  /// Whether the row lies before position `t` and sees earlier keys only.
  bool looksBack(int64_t row, int64_t t) const;

private:
  Sizes sizes;
  std::vector<char> visible; ///< [row][key]
};

} // namespace xftest

#endif // XF_TEST_NUMERICS_VISIBLEPAIRS_H
