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

/// The index maps of the queries and keys of a piece. Queries of residue r see only keys of residue r. The query map
/// has multiplier 1 and shift 0, so that each query has one residue.
struct Coupling {
  IndexMapAttr queries, keys;

  int64_t getResidues() const { return queries.getResidues(); }
  bool operator==(const Coupling &other) const = default;
};

/// Returns the sampled points (i, j) that `coupling` reaches, as one bit for each point, row by row. A coupling reaches
/// (i, j) if i = queries(r, a) and j = keys(r, b) for some residue r and ranks a and b.
llvm::BitVector sampleReach(const Coupling &coupling, const SampleSize &size);

/// Guesses couplings under which each query of `set` may see an interval of keys, and returns the cheapest first. The
/// guesses use the samples `grids` of the set. Nothing is proved: callers prove the coupling that they take.
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

/// Returns the pairs of `set` that `coupling` reaches, as a conjunction over other variables (CoupledVariable). The new
/// variables are the residue, the quotient and place of the query's rank, the quotient and place of the key's rank, Nq,
/// Nk and the run-time symbols. Residues and windows become ranges of these variables, so that most divisions vanish.
Conjunction applyCoupling(const Conjunction &set, const Coupling &coupling);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUPLING_H
