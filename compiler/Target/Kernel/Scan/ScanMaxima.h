//===- ScanMaxima.h - Gradients through the maxima of scans ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gradients that pass through the stabiliser s of features. In the exponent of a feature, a projection u has a factor
// a. For a query, s is the largest a u of its features. For keys (`sequence`), it is the largest a u of all keys of a
// sequence. All features minus epsilon have the factor e^-s, so
//
//   d_s = -sum d_phi (phi - epsilon),     over the features of the query, or of all keys
//
// The gradient of |x|^2 / 2 is the same sum, up to its sign. Then d_u += slope d_s, where u is the first projection
// that has the maximum. Nothing is computed if s cancels (xft::passMaxima).
//
// The gradient's own pass over keys finds the maximum again, because the forward pass may have rounded projections
// differently. d_s is complete after all keys. Then d_x = W^T d_u and d_W = d_u x^T of the one key and projection that
// has the maximum are added in memory.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANMAXIMA_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANMAXIMA_H

#include "compiler/Target/Kernel/Scan/ScanKernel.h"

namespace mlir::xf::kernel {

/// A number that is less than all exponents of features.
inline constexpr double lowestExponent = -1e30;

/// Returns the maximum over the slots of a * u, where a is the factor of u in the exponent of a slot. Returns u if no
/// exponent depends on u.
Value largestOf(const ScanKernel &k, Value u);
/// Returns the maximum of `largest` over the chunk's keys.
Value largestOfKeys(const ScanKernel &k);

/// Adds the gradients of the stabilisers of the chunk's queries to d.projections. Reads `largest` and d.halves of
/// queries, and overwrites `tops`.
void addRowMaxima(const ScanKernel &k);

/// Resets the maximum over the keys of a head, and its gradient.
void startMaximum(const ScanKernel &k);
/// Updates the maximum with the chunk of keys, whose projections and `largest` are in scratch. The same chunk may be
/// passed more than once.
void findMaximum(const ScanKernel &k);
/// Adds the contributions of the chunk's keys to the gradient of the maximum. Reads d.halves of keys.
void addMaximumGradient(const ScanKernel &k);
/// Adds the gradient of the maximum to d_k of the first key that has the maximum, and to d_weights. Must be called
/// after all keys have contributed to this gradient.
void giveMaximum(const ScanKernel &k);

/// Stores the maximum of chunk `number` of keys, and its gradient, with the state R of this chunk. giveKeptMaxima reads
/// them.
void keepMaximum(const ScanKernel &k, Value number);
/// Joins the maxima that keepMaximum has stored for all chunks. Adds the sum of their gradients, as giveMaximum does.
void giveKeptMaxima(const ScanKernel &k);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANMAXIMA_H
