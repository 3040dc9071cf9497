//===- ScanMaxima.h - Gradients through the maxima of scans ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stabiliser s is the largest a u of a query's features or, for keys, of the features of all keys of a sequence
// (`sequence`). All features but their epsilon have the factor e^-s, so that
//
//   d_s = -sum d_phi (phi - epsilon),     over the features of the query, or of all keys
//
// which is the gradient of |x|^2 / 2, as the exponents have both alike, and d_u += slope d_s of the first u that has
// the maximum. Nothing of it is computed where s cancels (xft::passMaxima).
//
// The maximum of keys is looked for again among the projections of the gradient's own pass over keys, since those of
// the forward pass may be rounded in another way. Its gradient is known after all keys: d_x = W^T d_u and d_W = d_u x^T
// of the one key and projection that it goes to are then added in memory.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANMAXIMA_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANMAXIMA_H

#include "compiler/Target/Kernel/Scan/ScanKernel.h"

namespace mlir::xf::kernel {

/// A number below all exponents of features.
inline constexpr double lowestExponent = -1e30;

/// Returns the maximum over the slots of a * u, where a is the factor of u in the exponent of a slot. Returns u if no
/// exponent depends on u.
Value largestOf(const ScanKernel &k, Value u);
/// Returns the maximum of `largest` over the chunk's keys.
Value largestOfKeys(const ScanKernel &k);

/// Adds the gradients of the stabilisers of the chunk's queries to d.projections. Reads `largest` and d.halves of
/// queries, and overwrites `tops`.
void addRowMaxima(const ScanKernel &k);

/// Resets the maximum of a head's keys and its gradient.
void startMaximum(const ScanKernel &k);
/// Updates the maximum with the chunk of keys, whose projections and `largest` are in scratch. The same keys may be
/// given again.
void findMaximum(const ScanKernel &k);
/// Adds what the chunk's keys contribute to the gradient of the maximum. Reads d.halves of keys.
void addMaximumGradient(const ScanKernel &k);
/// Adds the gradient of the maximum to d_k of the first key that has it, and to d_weights. Called after all keys have
/// contributed to that gradient.
void giveMaximum(const ScanKernel &k);

/// Stores the maximum of chunk `number` of keys and its gradient with the state R of that chunk, for giveKeptMaxima.
void keepMaximum(const ScanKernel &k, Value number);
/// Joins the maxima that keepMaximum stored for all chunks, and adds the sum of their gradients as giveMaximum does.
void giveKeptMaxima(const ScanKernel &k);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANMAXIMA_H
