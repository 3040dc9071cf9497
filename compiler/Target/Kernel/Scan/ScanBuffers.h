//===- ScanBuffers.h - Scratch memory of scan kernels --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares each buffer of a scan once (Code/Scratch.h). Matrices of a chunk are stored transposed: rows of the chunk
// are columns of the matrix. So one register holds one feature, or channel, of neighbouring rows.
//
// On a CPU, all buffers lie in the worker's scratch memory. On a GPU, a buffer lies in shared memory if it fits there
// after the buffers declared before it. Otherwise it lies in the task's part of the operand `scratch`.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANBUFFERS_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANBUFFERS_H

#include "compiler/Target/Kernel/Code/Scratch.h"
#include "dialects/xft/IR/XftScanSizes.h"

namespace mlir::xf::kernel {

/// The sizes of a scan, and the distances between rows of its buffers. In the shared memory of a thread block,
/// consecutive rows begin 4 banks apart to avoid bank conflicts.
struct ScanLayout : xft::ScanSizes {
  template <typename OpTy>
  explicit ScanLayout(OpTy op) : ScanSizes(op) {}
  ScanLayout(const ScanSizes &sizes) : ScanSizes(sizes) {}

  /// Returns whether warps can compute the tiles of all products of a gradient's phase, with and without tensor cores.
  /// Then operands may have either order, so nothing is transposed, and each phase has only the buffers of the side
  /// that it computes (queries or keys).
  bool sharesTiles() const {
    return isBlock() && isGradient && phase && !hasBeta && chunk % 16 == 0 && projections % 16 == 0 &&
           valueDepth % 8 == 0;
  }
  /// Returns whether a phase whose warps share tiles reads the rows of its keys or queries, and not only their
  /// transpose.
  bool readsRows() const { return hasWeights || hasHalves; }
  /// Returns whether keys, queries and outputs use the same memory in turn.
  bool takesTurns() const { return isBlock() && !isGradient; }
  bool hasQueries() const { return phase != xft::ScanPhase::keys || isGradient; }
  /// Returns whether the task updates and reads saved states where they lie in memory, without a copy in scratch.
  bool usesKeptStates() const { return phase && slice == 1; }
  /// Returns the number of terms of products of rounded features. In each slot, zeros follow the features, up to a
  /// multiple of the terms of an instruction.
  int64_t featureOperands() const { return slots * llvm::alignTo(projections, featureTerms); }

  /// Returns the distance between consecutive rows of a matrix [..][row], in elements.
  int64_t pitch() const { return isBlock() ? chunk + 4 : chunk; }
  /// Returns the distance between consecutive rows of values or of cotangents, in elements.
  int64_t valuePitch() const { return isBlock() && !hasBeta ? valueColumns() + 4 : valueColumns(); }
  /// Returns the distance between consecutive rows of a state in scratch, in elements.
  int64_t statePitch() const { return phase && slice != 1 ? valueColumns() + 4 : valueColumns(); }
};

/// Two buffers: one for the chunk of keys, one for the chunk of queries.
struct ScanSides {
  ScratchBuffer keys, queries;
  template <typename SideTy>
  const ScratchBuffer &operator[](const SideTy &side) const {
    return side.isKeys ? keys : queries;
  }
};

/// Declares the buffers of a scan in `scratch`. A buffer whose `exists` is false gets no memory.
class ScanScratch {
public:
  ScanScratch(Scratch &scratch, const ScanLayout &layout) : layout(layout), scratch(scratch) {}

  const ScanLayout &layout;

  /// Declares a buffer of `count` elements in rows of `pitch` elements. The phase `join` works in registers and has no
  /// buffers.
  ScratchBuffer take(int64_t count, int64_t pitch = 0, bool exists = true) {
    return scratch.take(layout.real, exists && layout.phase != xft::ScanPhase::join ? count : 0, pitch);
  }
  ScratchBuffer share(const ScratchBuffer &owner, int64_t count, int64_t pitch) {
    return scratch.share(owner, layout.real, owner.bytes == 0 ? 0 : count, pitch);
  }
  ScanSides twice(int64_t count, int64_t pitch = 0, bool exists = true) {
    return {take(count, pitch, exists), take(count, pitch, exists)};
  }
  /// Declares a buffer [row]: one element for each row of the chunk.
  ScratchBuffer row(bool exists = true) { return take(layout.chunk, 0, exists); }
  /// Declares a buffer [row][columns]: `columns` elements for each row of the chunk.
  ScratchBuffer rows(int64_t columns, bool exists = true) { return take(layout.chunk * columns, columns, exists); }
  /// Declares a buffer [count][row]: `count` elements for each row of the chunk, transposed.
  ScratchBuffer turned(int64_t count, bool exists = true) {
    return take(count * layout.pitch(), layout.pitch(), exists);
  }
  /// Declares a buffer [row][row]: one element for each pair of rows of the chunk.
  ScratchBuffer pairs(bool exists = true) { return turned(layout.chunk, exists); }

  ScanSides inputRows();
  ScanSides inputChannels();
  ScanSides projections(const ScanSides &channels, const ScanSides &features);
  ScratchBuffer outputs(const ScanSides &rows, const ScanSides &channels);

private:
  Scratch &scratch;
};

/// Buffers for operands of products that take several terms in an instruction (ScanRounding.cpp).
struct ScanRoundedBuffers {
  ScanScratch &s;
  const ScanLayout &z = s.layout;
  bool exists = z.roundsFeatures();
  int64_t terms = z.featureOperands() / z.featureTerms;
  /// Features as [feature div terms][row][term], for sums over features.
  ScanSides operands = s.twice(terms * z.chunk, z.chunk, exists);
  /// Features as [feature][row], for sums over rows.
  ScratchBuffer keys = s.take(z.chunk / z.featureTerms * z.features(), z.chunk, exists);
  /// Values as [row div terms][Dv'][term].
  ScratchBuffer values = s.take(z.chunk / z.featureTerms * z.valueColumns(), z.valueColumns(), exists);
  ScratchBuffer state = s.take(terms * z.valueColumns(), z.valueColumns(), exists); ///< [feature div terms][Dv'][term]
};

/// The decays a of a chunk and their products.
struct ScanDecayBuffers {
  ScanScratch &s;
  bool exists = s.layout.hasDecay;
  ScratchBuffer own = s.row(exists);       ///< [row] a
  ScratchBuffer before = s.row(exists);    ///< [row] product of a from the chunk's first row to this one
  ScratchBuffer between = s.pairs(exists); ///< [query][key] product of a from after the key up to the query
  ScratchBuffer behind = s.pairs(exists);  ///< [key][query] the transpose of `between`
};

/// The updates of the delta rule (ScanDelta.cpp).
struct ScanUpdateBuffers {
  ScanScratch &s;
  bool exists = s.layout.hasBeta;
  ScratchBuffer betas = s.row(exists);
  ScratchBuffer normaliserResiduals = s.row(exists);                 ///< [row] 1 minus the prediction <z, phi>
  ScratchBuffer normaliserUpdates = s.row(exists);                   ///< [row] the multiple of phi that a key adds to z
  ScratchBuffer residuals = s.rows(s.layout.valueColumns(), exists); ///< [row][Dv'] v minus the prediction S^T phi
  ScratchBuffer keyPairs = s.pairs(exists);                          ///< [earlier key][later key] <phi, phi>, decayed
};

/// The buffers of a scan, and of its gradient.
struct ScanBuffers {
  ScanScratch s;
  const ScanLayout &z = s.layout;

  ScanSides rows = s.inputRows();         ///< [row][D'], times the input scale
  ScanSides channels = s.inputChannels(); ///< [D'][row]
  ScanSides features = {s.turned(z.features()), s.turned(z.features(), z.hasQueries())}; ///< [feature][row]
  ScanRoundedBuffers rounded{s};
  ScratchBuffer values = s.rows(z.valuePitch());     ///< [row][Dv']
  ScratchBuffer outputs = s.outputs(rows, channels); ///< [row][Dv' or D'] results before they are stored to memory
  ScratchBuffer pairs = s.pairs(z.hasQueries());     ///< [key][query] w
  /// [feature][Dv'] S
  ScratchBuffer state = s.take(z.features() * z.statePitch(), z.statePitch(), !z.usesKeptStates());
  ScratchBuffer normaliser = s.take(z.features(), 0, !z.usesKeptStates()); ///< [feature] z
  ScratchBuffer valueSums = s.take(z.valueColumns());                      ///< [Dv'] sum of v
  /// [slot][row] exponents of features without their term a u (see ScanFeatures.cpp), in units of log2
  ScanSides shifts = s.twice(z.slots * z.chunk, z.chunk);
  ScratchBuffer halves = s.row();     ///< [row] |x|^2 / 2
  ScratchBuffer tops = s.row();       ///< [row] the largest exponent, in units of log2
  ScratchBuffer largest = s.row();    ///< [row] the maximum of a u over projections u and slots
  ScratchBuffer factors = s.row();    ///< [row] 2^(reference of the state - reference of the row)
  ScratchBuffer references = s.row(); ///< [row] running references of keys, exponents of 2
  ScratchBuffer norms = s.row();      ///< [row] Z, then the factor of outputs
  ScratchBuffer counts = s.row();     ///< [row] number of keys that the row sees
  ScanSides mask = s.twice(z.chunk);  ///< integers [row]: -1 for rows that are not masked, else 0
  ScanDecayBuffers decays{s};
  ScanUpdateBuffers updates{s};
  ScratchBuffer scalars = s.take(xft::ScanScalarCount);      ///< xft::ScanScalar: passed from chunk to chunk
  ScanSides projections = s.projections(channels, features); ///< [projection][row] u
};

/// Buffers for operands of a gradient's products that take several terms in an instruction.
struct ScanRoundedGradients {
  ScanScratch &s;
  const ScanLayout &z = s.layout;
  bool exists = z.inputTerms != 1;
  int64_t terms = llvm::divideCeil(z.projections, z.inputTerms);
  ScratchBuffer operands = s.take(terms * z.chunk, z.chunk, exists);        ///< d_u [projection div terms][row][term]
  ScratchBuffer projections = s.take(terms * z.chunk, z.chunk, exists);     ///< d_u [projection][row]
  ScratchBuffer weights = s.take(terms * z.columns(), z.columns(), exists); ///< [projection div terms][D'][term] W
  /// Inputs as [row div terms][D'][term].
  ScratchBuffer rows = s.take(z.chunk / z.inputTerms * z.columns(), z.columns(), exists);
};

/// The gradients of updates of the delta rule.
struct ScanUpdateGradients {
  ScanScratch &s;
  bool exists = s.layout.hasBeta;
  ScratchBuffer bars = s.rows(s.layout.valueColumns(), exists);          ///< [row][Dv'] gradients of residuals
  ScratchBuffer barChannels = s.turned(s.layout.valueColumns(), exists); ///< [Dv'][row]
  ScratchBuffer keyPairs = s.pairs(exists);                              ///< [earlier key][later key]
  ScratchBuffer keyPairsTurned = s.pairs(exists);                        ///< [later key][earlier key]
  ScratchBuffer normaliserBars = s.row(exists);                          ///< [row] gradients of normaliserResiduals
  ScratchBuffer normaliserUpdates = s.row(exists);
  ScratchBuffer normaliserPredictions = s.row(exists); ///< [row] -normaliserBars
};

/// The buffers that only a gradient has.
struct ScanGradientBuffers {
  ScanScratch &s;
  const ScanLayout &z = s.layout;
  bool isTurned = !z.sharesTiles(), hasParts = z.isBlock() && z.hasDecay;

  ScratchBuffer projections = s.turned(llvm::alignTo(z.projections, z.chunk)); ///< [projection][row] d_u
  ScanRoundedGradients rounded{s};
  ScratchBuffer state = s.take(z.features() * z.valueColumns(), z.valueColumns(), !z.usesKeptStates()); ///< R
  ScratchBuffer normaliser = s.take(z.features(), 0, !z.usesKeptStates());                              ///< r
  ScratchBuffer cotangents = s.rows(z.valuePitch());                      ///< [row][Dv'] dN
  ScratchBuffer cotangentChannels = s.turned(z.valueColumns(), isTurned); ///< [Dv'][row]
  ScratchBuffer valueChannels = s.turned(z.valueColumns(), isTurned);     ///< [Dv'][row]
  ScratchBuffer turned = s.pairs(isTurned);                               ///< [query][key] w or dw
  ScanUpdateGradients updates{s};
  ScratchBuffer halves = s.row();
  ScratchBuffer norms = s.row();                                          ///< [row] dZ
  ScratchBuffer moments = s.row();                                        ///< [row] moments for later chunks
  ScratchBuffer received = s.row();                                       ///< [row] moments from earlier chunks
  ScratchBuffer maximum = s.take(xft::ScanMaximumCount, 0, z.hasMaximum); ///< xft::ScanMaximum
  ScratchBuffer pairs = s.pairs();                                        ///< [key][query] dw
  ScratchBuffer decayPairs = s.pairs(z.hasDecay);                         ///< [key][row] w without decay, then times dw
  ScratchBuffer keyProducts = s.pairs(z.hasDecay && z.hasBeta);           ///< [earlier key][later key] <phi, phi>
  // In blocks of threads, what tiles of a product leave for their rows: [projection][row].
  ScratchBuffer halfParts = s.turned(z.projections, z.isBlock() && z.hasHalves);
  ScratchBuffer momentParts = s.turned(z.projections, hasParts);
  ScratchBuffer receivedParts = s.turned(z.projections, hasParts);
};

/// Declares all buffers of a scan, and returns the Scratch that has their sizes. `sharedBytes` is the shared memory of
/// a thread block.
Scratch measureScan(const ScanLayout &layout, int64_t sharedBytes = Scratch::unlimited);

/// Returns how many bytes of `sharedBytes`, the shared memory of a thread block, buffers may take. The rest is reserved
/// for other uses.
constexpr int64_t scanRoom(int64_t sharedBytes) { return sharedBytes - 4096; }

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANBUFFERS_H
