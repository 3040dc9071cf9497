//===- LaneSums.h - The softmax of rows in lanes -------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_LANES_LANESUMS_H
#define XF_COMPILER_TARGET_CPU_LANES_LANESUMS_H

#include "compiler/Target/CPU/Lanes/ResidueLanes.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The memrefs [B, H, Nq] to which a kernel stores the results of the softmax of its rows.
struct LaneSums {
  Value lse;        ///< log sum exp; may be null
  ValueRange saved; ///< m and l, which a later kernel resumes; if there are some, nothing else is stored
  ValueRange kept;  ///< m and log l, which a gradient reads; may be empty

  template <typename OpTy>
  static LaneSums of(OpTy op, bool save) {
    return {op.getLse(), save ? ValueRange(op.getSums()) : ValueRange(), op.getKept()};
  }
  bool isEmpty() const { return !lse && saved.empty() && kept.empty(); }
  /// Stores the results of the rows of all lanes at rank `rank`. `m` and `l` point to registers of the maxima and the
  /// sums of the rows. Both are 0 in a lane whose row has seen no key.
  void store(LanesTask &task, const LaneRows &queries, Value rank, Value m, Value l) const;

private:
  void storeRows(LanesTask &task, Value m, Value l, Value row) const;
};

/// The matrices that a gradient reads and writes.
struct LaneMatrices {
  View k, v, dOut, dQ, dK, dV;

  template <typename OpTy>
  static LaneMatrices of(KernelBuilder &kb, OpTy op) {
    auto view = [&](Value matrix) { return View::of(kb, matrix); };
    return {view(op.getK()), view(op.getV()), view(op.getDO()), view(op.getDQ()), view(op.getDK()), view(op.getDV())};
  }
};

/// What the gradient reads of the softmax of rows: m, log l and delta.
struct LaneWeights {
  View lse, delta; ///< [2, B, H, Nq]: m and log l; [B, H, Nq]
  const LaneWeightBuffers &buffers;

  /// Loads m, log l and delta of the rows of `queries` at rank `rank`, and stores -m, -log2 l and -delta to row `row`
  /// of scratch. A lane that has seen no key gets a shift of -inf, so that its P is 0.
  void load(LanesTask &task, const LaneRows &queries, Value row, Value rank) const;
  /// Returns P of the scores `score` of row `row` of scratch.
  Value probability(LanesTask &task, Value score, Value row) const;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_LANES_LANESUMS_H
