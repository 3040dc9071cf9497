//===- AttentionCases.h - Attention programs and their inputs -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_NUMERICS_ATTENTIONCASES_H
#define XF_TEST_NUMERICS_ATTENTIONCASES_H

#include "test/reference/Tensor.h"
#include <functional>
#include <random>
#include <string>

namespace xftest {

using mlir::xf::reference::Tensor;

struct Sizes {
  int64_t batches, heads, keyHeads, queries, keys;

  std::string str() const;
};

/// Distributions of our own: those of the standard differ between libraries.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t between(int64_t low, int64_t high) { return low + static_cast<int64_t>(engine() % (high - low + 1)); }
  double normal();
  template <typename Range>
  auto oneOf(const Range &values) {
    return values[engine() % std::size(values)];
  }
  Tensor normals(mlir::Type type, llvm::ArrayRef<int64_t> shape);
  Tensor integers(mlir::Type type, llvm::ArrayRef<int64_t> shape, int64_t low, int64_t high);

private:
  std::mt19937_64 engine;
};

/// An operand of a clause: its type as text, T for the element type that is computed in, and its value.
struct ClauseOperand {
  std::string name, type;
  std::function<Tensor(mlir::MLIRContext &, mlir::Type real, const Sizes &, Random &)> make;
  bool isPerBatch = false; ///< its first dimension is that of batches
};

/// A pattern with its clauses.
struct Family {
  std::string name, pattern;
  std::string clauses = ""; ///< T for the element type that is computed in
  std::vector<ClauseOperand> operands = {};
  bool scoreHides = false; ///< the score region may give -inf
  double dropout = 0;      ///< its probability; then results depend on the number of the batch
  int64_t fixedKeys = 0;   ///< where the pattern asks for a number of keys: Nq = Nk = fixedKeys
};
const std::vector<Family> &attentionFamilies();

/// One program: sizes other than D and Dv are dynamic, but the numbers of heads in its gradient.
struct AttentionCase {
  const Family &family;
  std::string element; ///< f32, f64, f16 or bf16
  int64_t depth, valueDepth;
  int64_t heads, keyHeads; ///< of the gradient

  std::string real() const { return element == "f64" ? "f64" : "f32"; }
  /// Without dropout if not `drops`.
  std::string program(int64_t valueColumns, bool drops = true) const;
  /// The same for valueDepth, and behind it the function @gradient, for static numbers of heads.
  std::string withGradient() const;
  std::string str() const;
};

/// Unit normals for q, k and v, then the operands of the clauses.
llvm::SmallVector<Tensor> makeArguments(const AttentionCase &attention, const Sizes &sizes, mlir::MLIRContext &context,
                                        Random &random);

} // namespace xftest

#endif // XF_TEST_NUMERICS_ATTENTIONCASES_H
