//===- TileSize.cpp - The tiles of an attention ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/tiles/TileSize.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

std::optional<std::pair<int64_t, int64_t>> TileSize::ofPiece(PieceAttr piece) const {
  auto own = ownTiles.find(piece);
  return own == ownTiles.end() ? std::nullopt : std::optional(own->second);
}

LaunchesOfAttentions xf::launchesOfAttentions(ModuleOp scheduled) {
  LaunchesOfAttentions launches;
  scheduled.walk([&](xft::LaunchOp launch) {
    if (auto launched = xft::LaunchedAttention::of(launch))
      launches[launched->number].push_back(*std::move(launched));
  });
  return launches;
}

std::optional<TileSize> xf::tileSize(ArrayRef<xft::LaunchedAttention> launches) {
  std::optional<TileSize> size;
  SmallVector<std::string> reasons;
  auto add = [&](const std::string &reason) {
    if (!llvm::is_contained(reasons, reason))
      reasons.push_back(reason);
  };
  for (const xft::LaunchedAttention &launched : launches) {
    bool isOtherSide = launched.side && *launched.side != xft::VjpSide::rows;
    if (!size && !isOtherSide)
      size = TileSize{launched, {}};
    else if (!launched.side && std::tie(launched.rows, launched.columns, launched.queries, launched.keys) !=
                                   std::tie(size->rows, size->columns, size->queries, size->keys))
      add(llvm::formatv("also {0} x {1} in blocks of {2} x {3}", launched.rows, launched.columns, launched.queries,
                        launched.keys));
    llvm::for_each(launched.reasons, add);
    for (PieceAttr piece : isOtherSide ? ArrayRef<PieceAttr>() : ArrayRef(launched.pieces))
      size->ownTiles.try_emplace(piece, launched.rows, launched.wholeColumns);
  }
  if (size)
    size->reasons = std::move(reasons);
  return size;
}
