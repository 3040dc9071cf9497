//===- TileReasons.cpp - Why tiles have their sizes -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/TileReasons.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

std::string xf::bytesText(int64_t bytes) {
  return bytes < (1 << 20) ? llvm::formatv("{0} KiB", bytes >> 10).str()
                           : llvm::formatv("{0:f1} MiB", double(bytes) / (1 << 20)).str();
}

SmallVector<std::string> xf::tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                         const TileModel &model, Type element) {
  SmallVector<std::string> reasons = model.tileReasons(tile, shape, isGradient, element);
  for (auto [what, size, block] :
       {std::tuple("queries", shape.queries, tile.getQueries()), std::tuple("keys", shape.keys, tile.getKeys())})
    if (!ShapedType::isDynamic(size) && size < block)
      reasons.push_back(llvm::formatv("short: {0} {1} are less than a block, which ends with them", size, what));
  return reasons;
}
