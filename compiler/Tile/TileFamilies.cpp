//===- TileFamilies.cpp - The families of ops that can be tiled -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

void xf::registerTileFamilies(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, XfDialect *, arith::ArithDialect *) {
    attachAttentionTilings(*context);
    attachContractTilings(*context);
    attachElementwiseTilings(*context);
    attachEmbeddingTilings(*context);
    attachLossTilings(*context);
    attachNormTilings(*context);
    attachOptimizerTilings(*context);
    attachSelectionTilings(*context);
    attachRankTilings(*context);
    attachReduceTilings(*context);
    attachShapeTilings(*context);
    attachSliceUpdateTilings(*context);
    attachViewTilings(*context);
  });
}
