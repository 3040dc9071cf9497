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

/// The points of a sample size for which some r, a, b have i = queries(r, a), j = keys(r, b).
llvm::BitVector sampleReach(const Coupling &coupling, const SampleSize &size);

/// Couplings under which `set` may be intervals, cheapest first; `grids` are its samples. Each is only a guess.
SmallVector<Coupling> guessCouplings(const Set &set, ArrayRef<SampleGrid> grids, MLIRContext *context);

/// Proves that couplings reach every pair of a set. Many of them have windows in common.
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

/// Conjunctions over r, the two parts of a and of b, Nq, Nk, p..: those of `set` where the coupling reaches, with the
/// residues and windows as ranges, in which most divisions vanish.
Conjunction applyCoupling(const Conjunction &set, const Coupling &coupling);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUPLING_H
