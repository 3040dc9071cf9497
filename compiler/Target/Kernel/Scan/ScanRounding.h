//===- ScanRounding.h - Operands of several terms ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares how operands of a scan's products are stored for instructions that add several terms at once. The terms have
// fewer bits than their sum (ScanRounding.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_SCANROUNDING_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_SCANROUNDING_H

#include "compiler/Target/Kernel/Scan/ScanKernel.h"

namespace mlir::xf::kernel {

/// Loads the rows of a side's chunk to scratch as they are in memory. Also transposes them to channels, in which the
/// terms of an instruction are adjacent: [column div terms][row][term].
void loadInputOperands(const ScanKernel &k, const ScanSide &side);
/// Loads a register of row `row` of a side's chunk, from column `column` on, and multiplies it by the input scale.
Value loadInput(const ScanKernel &k, const ScanSide &side, Value row, Value column);
/// Rounds a tile of features of slot `slot`, and stores it to the operands of a side's chunk. The first row of the tile
/// is a multiple of the terms of an instruction.
void storeFeatureOperands(const ScanKernel &k, const ScanSide &side, int64_t slot, const ScanTile &shape,
                          ValueRange tile);
/// Stores the values of the chunk to rounded.values, as operands. Values have no more bits than an operand, so they are
/// exact.
void storeValueOperands(const ScanKernel &k);
/// Rounds the matrix of the state, and stores it to rounded.state.
void roundState(const ScanKernel &k);
/// Multiplies the rounded features of each key by factor(row), and rounds the products.
void scaleRoundedKeys(const ScanKernel &k, function_ref<Value(Value row)> factor);
/// Returns the product of the rounded features of a side's rows with `right`, whose terms are features. The product has
/// `columns` columns. `right` is [feature div terms][column][term], with `pitch` columns.
ScanProduct productOfFeatures(const ScanKernel &k, const ScanSide &rows, Value right, int64_t columns, int64_t pitch);
/// Returns the sum of rounded feature `feature` over the chunk's keys.
Value sumRoundedKeys(const ScanKernel &k, Value feature);
/// Implements forNormaliserSums for the rounded features of queries.
void forRoundedNormaliserSums(const ScanKernel &k, Value normaliser, function_ref<void(Value row, Value sum)> finish);

/// Stores W to d.rounded.weights, for gradients of inputs.
void storeWeightOperands(const ScanKernel &k);
/// Rounds d.projections to operands, which productOfProjectionGradients and productOfInputs take.
void roundProjectionGradients(const ScanKernel &k);
/// Returns the product W^T d_u of the rows of a chunk.
ScanProduct productOfProjectionGradients(const ScanKernel &k);
/// Stores the inputs of a side's chunk as operands. Returns the product d_u x^T over its rows, without the input scale.
ScanProduct productOfInputs(const ScanKernel &k, const ScanSide &side);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_SCANROUNDING_H
