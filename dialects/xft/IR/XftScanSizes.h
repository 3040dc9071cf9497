//===- XftScanSizes.h - Static sizes of scans -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The static sizes of a scan, and the elements of a state that is kept in memory, which several launches share.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTSCANSIZES_H
#define XF_DIALECTS_XFT_IR_XFTSCANSIZES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// The indices of the scalars that belong to the state of a scan, in addition to S and z.
enum ScanScalar : int64_t {
  ScanReference, ///< the exponent of the power of 2 by which the state is scaled
  ScanLargest,   ///< the largest a_p u_f (XftScanOps.td) of the keys so far
  ScanShift,     ///< the shift that direct exponents of keys omit, in units of log2
  ScanCount,     ///< the number of keys so far
  ScanDecay,     ///< the product of a slice's decays so far
  ScanScalarCount
};

/// The stabiliser of keys may be a maximum over their sequence. These are the indices of the numbers that a gradient
/// keeps about this maximum. MaximumKey and MaximumProjection are integers as wide as the type in which the scan
/// computes.
enum ScanMaximum : int64_t {
  MaximumGradient,   ///< the gradient of the maximum so far
  MaximumValue,      ///< the largest a_p u_f (XftScanOps.td) of the keys so far
  MaximumSlope,      ///< the derivative of the maximum by u
  MaximumKey,        ///< the first key that has the maximum
  MaximumProjection, ///< the first projection of that key that has the maximum
  ScanMaximumCount
};

/// The name of a unit attribute of an xft.scan_vjp of phase `join` that joins the maxima of chunks.
constexpr StringLiteral kScanMaximumAttrName = "xft.maximum";

/// Returns whether the exponent of some slot depends on |x|^2 / 2.
bool hasHalves(ArrayRef<double> exponents);
/// Returns whether gradients pass through the maxima that stabilise features. They do not if the normaliser cancels any
/// factor that all features of a query, or of all keys, have in common.
bool passMaxima(ScanFeaturesAttr features);

/// The static sizes of an xft.scan or an xft.scan_vjp.
struct ScanSizes {
  ScanSizes() = default;
  explicit ScanSizes(ScanOp op);
  explicit ScanSizes(ScanVjpOp op);

  int64_t depth, valueDepth; ///< D, Dv
  int64_t projections;       ///< m
  int64_t slots;             ///< features of each projection
  int64_t chunk;
  int64_t lanes; ///< SIMD lanes of a register; 1 where a thread block runs a task
  Type real;     ///< the type in which the scan computes
  bool isGradient, hasDecay, hasBeta;
  bool hasWeights, hasHalves; ///< whether features depend on W, and on |x|^2 / 2
  bool hasMaximum;            ///< whether a gradient of keys passes through the maximum of a sequence
  std::optional<ScanPhase> phase = {};
  int64_t slice = 1;                        ///< chunks per slice
  int64_t inputTerms = 1, featureTerms = 1; ///< terms of an instruction of their products; 1 unless they are rounded

  bool isBlock() const { return lanes == 1; }
  // D and Dv in whole registers, and D in instructions, in whole registers.
  int64_t columns() const { return llvm::alignTo(depth, lanes); }
  int64_t valueColumns() const { return llvm::alignTo(valueDepth, lanes); }
  int64_t inputColumns() const { return llvm::alignTo(llvm::divideCeil(depth, inputTerms), lanes); }
  int64_t features() const { return projections * slots; }
  bool roundsFeatures() const { return featureTerms != 1; }
  /// The number of elements of a state, which consists of S and z.
  int64_t stateElements() const { return features() * (valueColumns() + 1); }
  /// The number of elements of a state that is kept in memory: S, z and the scalars (ScanScalar). If thread blocks run
  /// tasks, a kept state also has a second set of scalars, for the keys of its slice alone, and the sum of v.
  int64_t keptElements() const {
    if (!isBlock())
      return stateElements() + ScanScalarCount;
    return llvm::alignTo(stateElements() + 2 * ScanScalarCount + valueColumns(), 16); // states are read as vectors
  }
  /// The number of elements of a kept state R of the gradient. It has as many elements as a state of keptElements(). In
  /// addition, it has one number for each row of its chunk, which the row receives from earlier chunks.
  int64_t keptGradientElements() const { return llvm::alignTo(keptElements() + chunk, 16); }
  /// The number of elements of S and z that one task of the phase `join` works on.
  static constexpr int64_t joinedElements = 256;
  /// The number of tasks of the phase `join` for each state.
  int64_t joinTasks() const { return llvm::divideCeil(stateElements(), joinedElements); }
};

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTSCANSIZES_H
