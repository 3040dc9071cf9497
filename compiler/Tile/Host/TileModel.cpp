//===- TileModel.cpp - What a target decides about tiles ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The defaults of targets that do not override them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileModel.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult TileModel::checkHeads(Operation *, RankedTensorType) const { return success(); }
std::optional<PackedKeys> TileModel::packedKeys(Type, Type) const { return std::nullopt; }
std::string TileModel::resourcesOf(func::FuncOp) const { return {}; }
int64_t TileModel::splitK(HostBuilder &, const Product &) const { return 1; }
bool TileModel::reducesInOneSlice(std::optional<int64_t>) const { return false; }
