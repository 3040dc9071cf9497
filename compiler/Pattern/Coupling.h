//===- Coupling.h - Candidate orders of queries and keys --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUPLING_H
#define XF_COMPILER_PATTERN_COUPLING_H

#include "compiler/Pattern/Set/Samples.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// The index maps of a piece. Residue r of the queries meets only residue r of the keys; the query map's residue is r
/// itself (multiplier 1, shift 0), so that a query has one residue.
struct Coupling {
  IndexMapAttr queries, keys;

  int64_t getResidues() const { return queries.getResidues(); }
  bool operator==(const Coupling &other) const = default;
};

/// Returns the points (i, j) of a sample size that `coupling` reaches: i = queries(r, a) and j = keys(r, b) for some r,
/// a, b.
llvm::BitVector sampleReach(const Coupling &coupling, const SampleSize &size);

/// Guesses couplings under which `set` may consist of intervals, cheapest first, from its samples `grids`. Nothing is
/// proved: callers prove the coupling that they take.
SmallVector<Coupling> guessCouplings(const Set &set, ArrayRef<SampleGrid> grids, MLIRContext *context);

/// Proves that couplings reach every pair of a set. Keeps the proofs of windows, which many couplings share.
class ReachProver {
public:
  ReachProver(Prover &prover, const Set &set) : prover(prover), set(set) {}
  bool prove(const Coupling &coupling);

private:
  bool proveWindow(IndexMapAttr map, Variable variable);

  Prover &prover;
  const Set &set;
  DenseMap<std::pair<IndexMapAttr, unsigned>, bool> windows;
};

/// Restricts `set` to the pairs that `coupling` reaches, as a conjunction over r, the quotient and place of a and of b,
/// Nq, Nk, p.. Residues and windows become ranges of these variables, so that most divisions vanish.
Conjunction applyCoupling(const Conjunction &set, const Coupling &coupling);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUPLING_H
