//===- GradientTest.h - One shape of the gradient of one program ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_NUMERICS_GRADIENTTEST_H
#define XF_TEST_NUMERICS_GRADIENTTEST_H

#include "test/numerics/VisiblePairs.h"

namespace xftest {

/// Compares d_q, d_k, d_v and those of captured tensors with the f64 interpreter's, for random cotangents of o and lse:
/// row by row, within section 10 of docs/specification.md or what rounding explains. Then, bit by bit,
/// - any number of threads, and any batch, gives the same;
/// - a NaN in a key and its value, or in a query and its cotangent, reaches no row that no visible pair leads it to;
/// - a change of everything from some position on leaves d_q of rows that see earlier keys only as it was.
class GradientTest {
public:
  /// `program` has the gradient as its second entry.
  GradientTest(const AttentionCase &attention, const CompiledProgram &program, const Sizes &sizes,
               mlir::MLIRContext &context, uint64_t seed);

  /// What is wrong, or nothing.
  std::string run();

private:
  enum Result { DQ, DK, DV, DCaptures };
  struct Bounds;
  using RowFilter = llvm::function_ref<bool(int64_t row)>;

  Tensor probabilities();
  Bounds bounds(const Tensor &o, const Tensor &lse);
  std::string checkErrors();
  std::string checkThreads();
  std::string checkBatches();
  std::string checkPoisonedKey();
  std::string checkPoisonedQuery();
  std::string checkFuture();
  std::vector<Array> call(llvm::ArrayRef<Tensor> arguments, int threads = 1) const;
  /// Whether the rows of a gradient that `expectsSame` names have the same bits.
  std::string compareRows(llvm::ArrayRef<Array> other, Result gradient, RowFilter expectsSame,
                          llvm::StringRef what) const;

  const AttentionCase &attention;
  const CompiledProgram &program;
  mlir::MLIRContext &context;
  Random random;
  llvm::SmallVector<Tensor> arguments; ///< of the function, then the cotangents of o and lse
  VisiblePairs pairs;
  std::vector<Array> results; ///< gradients only
};

} // namespace xftest

#endif // XF_TEST_NUMERICS_GRADIENTTEST_H
