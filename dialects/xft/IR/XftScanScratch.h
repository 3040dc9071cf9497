//===- XftScanScratch.h - Scratch memory of scan kernels --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The static sizes of a scan, and the layout of a worker's scratch memory: the byte offset of each buffer. Matrices of
// a chunk are stored transposed, with its rows as columns: one register holds one feature, or channel, of neighbouring
// rows.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTSCANSCRATCH_H
#define XF_DIALECTS_XFT_IR_XFTSCANSCRATCH_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// The indices of the scalars that belong to the state of a scan, in addition to S and z.
enum ScanScalar : int64_t {
  ScanReference, ///< power of 2 that the state is relative to
  ScanLargest,   ///< the largest a u of the keys so far
  ScanShift,     ///< the shift that direct exponents of keys omit, in units of log2
  ScanCount,     ///< keys so far
  ScanDecay,     ///< the product of a slice's decays so far
  ScanScalarCount
};

/// The indices of what a gradient knows of the maximum of a sequence, the stabiliser of its keys. MaximumKey and
/// MaximumProjection are integers as wide as the type that is computed in.
enum ScanMaximum : int64_t {
  MaximumGradient,   ///< its gradient so far
  MaximumValue,      ///< the largest a u of the keys so far
  MaximumSlope,      ///< its derivative by u
  MaximumKey,        ///< the first key that has it
  MaximumProjection, ///< the first projection of that key that has it
  ScanMaximumCount
};

/// The name of an attribute, of unit type, of an xft.scan_vjp of phase `join`: it joins the maxima of chunks.
constexpr StringLiteral kScanMaximumAttrName = "xft.maximum";

/// Returns whether the exponent of some slot depends on |x|^2 / 2.
bool hasHalves(ArrayRef<double> exponents);
/// Returns whether gradients pass through the maxima that stabilise features. They do not where a factor that all
/// features of a query or of the keys have changes no result.
bool passMaxima(ScanFeaturesAttr features);

/// The static sizes of an xft.scan or an xft.scan_vjp.
struct ScanSizes {
  ScanSizes() = default;
  explicit ScanSizes(ScanOp op);
  explicit ScanSizes(ScanVjpOp op);

  int64_t depth, valueDepth;     ///< D, Dv
  int64_t columns, valueColumns; ///< the same in whole registers
  int64_t projections;           ///< m
  int64_t slots;                 ///< features of each projection
  int64_t chunk;
  Type real; ///< the type that is computed in
  bool isGradient, hasDecay, hasBeta;
  bool hasWeights, hasHalves; ///< whether features depend on W, and on |x|^2 / 2
  bool hasMaximum;            ///< whether a gradient of keys passes through the maximum of a sequence
  bool isBlock;               ///< a thread block runs a task: tiles have one lane
  std::optional<ScanPhase> phase = {};
  int64_t slice = 1;                        ///< chunks per slice
  int64_t inputTerms = 1, featureTerms = 1; ///< terms of an instruction of their products; 1 unless they are rounded
  int64_t inputColumns;                     ///< D in instructions, in whole registers

  int64_t features() const { return projections * slots; }
  /// Returns whether the tiles of all products of a gradient's phase fit warps, in any form of products. Operands may
  /// then have either order, so that nothing is transposed, and each phase has the buffers of its own side alone.
  bool sharesTiles() const {
    return isBlock && isGradient && phase && !hasBeta && chunk % 16 == 0 && projections % 16 == 0 &&
           valueDepth % 8 == 0;
  }
  /// Returns whether a phase with shared tiles reads the rows of its side as well as their transpose.
  bool readsRows() const { return hasWeights || hasHalves; }
  bool roundsFeatures() const { return featureTerms != 1; }
  /// The number of features that products of rounded features have: each slot fills whole instructions.
  int64_t featureOperands() const { return slots * llvm::alignTo(projections, featureTerms); }

  // In the shared memory of a block, the rows of all three begin 4 banks apart to avoid bank conflicts.

  /// The distance between consecutive rows of a matrix [..][row], in elements.
  int64_t pitch() const { return isBlock ? chunk + 4 : chunk; }
  /// The distance between consecutive rows of values or of cotangents, in elements.
  int64_t valuePitch() const { return isBlock && !hasBeta ? valueColumns + 4 : valueColumns; }
  /// The distance between consecutive rows of a state that is not kept, in elements.
  int64_t statePitch() const { return phase && slice != 1 ? valueColumns + 4 : valueColumns; }
  /// The number of elements of a state, which consists of S and z.
  int64_t stateElements() const { return features() * (valueColumns + 1); }
  /// The number of elements of a state that is kept in memory. It also has the scalars (ScanScalar). If a thread block
  /// works on it, it also has the scalars of its slice alone and the sum of v.
  int64_t keptElements() const {
    if (!isBlock)
      return stateElements() + ScanScalarCount;
    return llvm::alignTo(stateElements() + 2 * ScanScalarCount + valueColumns, 16); // states are read as vectors
  }
  /// The number of elements of a kept state R of the gradient. In addition to the elements of a kept state, it has what
  /// each row of its chunk receives from earlier chunks.
  int64_t keptGradientElements() const { return llvm::alignTo(keptElements() + chunk, 16); }
  /// The number of elements of S and z that one task of the phase `join` works on.
  static constexpr int64_t joinedElements = 256;
  /// The number of tasks of the phase `join` for each state.
  int64_t joinTasks() const { return llvm::divideCeil(stateElements(), joinedElements); }
};

/// The offset of each buffer in a scan's scratch memory. On a CPU, all buffers lie in the worker's scratch memory. On a
/// GPU, a buffer lies in shared memory if it still fits there after the buffers listed before it. Otherwise it lies in
/// the task's part of the operand `scratch`. A part of shared memory is reserved for other uses. In a forward pass of a
/// thread block, keys, queries and outputs share the same memory one after the other. Where tiles are shared
/// (ScanSizes::sharesTiles), outputs have the memory of the channels of the side that has no outputs, whose features
/// have been computed by then; inputs that are features' only argument are their projections.
struct ScanScratch {
  explicit ScanScratch(const ScanSizes &sizes, int64_t sharedBytes = std::numeric_limits<int64_t>::max());

  int64_t keyRows, queryRows;         ///< [row][D'], times the input scale
  int64_t keyChannels, queryChannels; ///< [D'][row]
  int64_t keyFeatures, queryFeatures; ///< [feature][row]
  int64_t keyOperands, queryOperands; ///< [feature div terms][row][term], rounded; see ScanSizes::featureOperands
  int64_t roundedKeys;                ///< [feature][row]
  int64_t valueOperands;              ///< [row div terms][Dv'][term], rounded
  int64_t stateOperands;              ///< [feature div terms][Dv'][term], rounded
  int64_t values;                     ///< [row][Dv']
  int64_t outputs;                    ///< [row][Dv' or D'], on their way to memory
  int64_t pairs;                      ///< [key][query], or [query][key] on the way back: w of a chunk's pairs
  int64_t state;                      ///< [feature][Dv'] S
  int64_t masses;                     ///< [feature] z
  int64_t valueSums;                  ///< [Dv'] sum of v
  int64_t halves;                     ///< [row] |x|^2 / 2
  int64_t keyShifts, queryShifts;     ///< [slot][row] terms of exponents other than a u, in units of log2
  int64_t tops;                       ///< [row] the largest exponent, in units of log2
  int64_t largest;                    ///< [row] the largest a u
  int64_t factors;                    ///< [row] 2^(reference of the state - reference of the row)
  int64_t references;                 ///< [row] powers of 2 of running keys
  int64_t norms;                      ///< [row] Z, then its reciprocal
  int64_t counts;                     ///< [row] keys that the row sees
  int64_t decays;                     ///< [row] a
  int64_t decaysBefore;               ///< [row] product of a from the chunk's first row to this one
  int64_t decaysBetween;              ///< [query][key] product of a behind the key, up to the query
  int64_t decaysBehind;               ///< [key][query] the same
  int64_t keyMask, queryMask;         ///< integers [row], all bits or none
  int64_t betas;                      ///< [row]
  int64_t residuals, massResiduals;   ///< [row][Dv'], [row]: v and 1, less what the state predicts
  int64_t massUpdates;                ///< [row] the amount a key adds to z per phi
  int64_t keyPairs;                   ///< [earlier key][later key] <phi, phi>, decayed
  int64_t scalars;                    ///< ScanScalar: scalars passed from chunk to chunk

  //===--- gradients only ---===//
  int64_t dState, dMasses;                  ///< R and r, as state and masses
  int64_t keyProjections, queryProjections; ///< [projection][row] u
  int64_t dProjections;                     ///< [projection][row]
  int64_t dOperands, dRounded;              ///< [projection div terms][row][term], [projection][row]: the same, rounded
  int64_t weightOperands;                   ///< [projection div terms][D'][term] W
  int64_t rowOperands;                      ///< [row div terms][D'][term] inputs
  int64_t dHalves;                          ///< [row]
  int64_t maximum;                          ///< ScanMaximum
  int64_t cotangents;                       ///< [row][Dv'] dN
  int64_t cotangentChannels, valueChannels; ///< [Dv'][row]
  int64_t dNorms;                           ///< [row] dZ
  int64_t turned;                           ///< pairs or dPairs, transposed
  int64_t bars, massBars;                   ///< [row][Dv'], [row]: gradients of residuals
  int64_t barChannels;                      ///< [Dv'][row]
  int64_t dKeyPairs, dKeyPairsTurned;       ///< as keyPairs; [later key][earlier key]
  int64_t dMassUpdates;                     ///< [row]
  int64_t predictionMasses;                 ///< [row] -massBars
  int64_t moments, received; ///< [row] what a key gives to later chunks, a row receives from earlier ones
  int64_t decayPairs;        ///< [key][row] w without decay, then times dw
  int64_t keyProducts;       ///< as keyPairs, without decay
  int64_t dPairs;            ///< as pairs, of dw

  //===--- blocks of threads only: what tiles of a product leave for their rows, [projection][row] ---===//
  int64_t dHalfParts, momentParts, receivedParts;

  static constexpr int64_t globalOffset = int64_t(1) << 48; ///< offset of the first byte of a task's part of `scratch`
  int64_t bytes = 0, globalBytes = 0;
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTSCANSCRATCH_H
