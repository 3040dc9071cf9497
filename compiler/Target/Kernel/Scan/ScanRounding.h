//===- ScanRounding.h - Operands of several terms ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of the products of a scan whose instructions add several terms of fewer bits (ScanRounding.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANROUNDING_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANROUNDING_H

#include "compiler/Target/Kernel/Scan/ScanKernel.h"

namespace mlir::xf::kernel {

/// Loads the rows of a side's chunk to scratch as they are in memory, and transposes them to channels in which the
/// terms of an instruction are adjacent: [column div terms][row][term].
void loadInputOperands(const ScanKernel &k, const ScanSide &side);
/// Loads a register of row `row` of a side's chunk, times the input scale.
Value loadInput(const ScanKernel &k, const ScanSide &side, Value row, Value column);
/// Rounds a tile of features of slot `slot` to the operands of a side's chunk. The first row of the tile is a multiple
/// of the terms of an instruction.
void storeFeatureOperands(const ScanKernel &k, const ScanSide &side, int64_t slot, const ScanTile &shape,
                          ValueRange tile);
/// Stores the values of the chunk, which have no more bits than an operand, to rounded.values.
void storeValueOperands(const ScanKernel &k);
/// Rounds the matrix of the state to rounded.state.
void roundState(const ScanKernel &k);
/// Multiplies the rounded features of each key by factor(row), and rounds the products.
void scaleRoundedKeys(const ScanKernel &k, function_ref<Value(Value row)> factor);
/// Returns a product whose terms are the rounded features of rows: its right operand is `right`, [feature div
/// terms][column][term] with `pitch` columns.
ScanProduct productOfFeatures(const ScanKernel &k, const ScanSide &rows, Value right, int64_t columns, int64_t pitch);
/// Returns the sum over the chunk's rows of the rounded features `feature` of keys.
Value sumRoundedKeys(const ScanKernel &k, Value feature);
/// Does the work of forNormaliserSums for the rounded features of queries.
void forRoundedNormaliserSums(const ScanKernel &k, Value normaliser, function_ref<void(Value row, Value sum)> finish);

/// Stores W to d.rounded.weights, for gradients of inputs.
void storeWeightOperands(const ScanKernel &k);
/// Rounds d.projections to the operands of the two products below.
void roundProjectionGradients(const ScanKernel &k);
/// Returns the product W^T d_u of the rows of a chunk.
ScanProduct productOfProjectionGradients(const ScanKernel &k);
/// Returns the product d_u x^T over the rows of a side's chunk, without the input scale.
ScanProduct productOfInputs(const ScanKernel &k, const ScanSide &side);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANROUNDING_H
