//===- TileRows.cpp - Ops made of rows become launches --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:   %y = xf.gelu %x form tanh : tensor<512x3072xf32>
// After:    xft.launch @gelu_.. tiles(%n) (%x, %y, ..), whose kernel is one xft.rows
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/Host/TileOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult xf::tileRows(Operation *op, HostBuilder &host) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ElementwiseOpInterface elementwise) { return tileElementwise(elementwise, host); })
      .Case([&](DropoutOp dropout) { return tileDropout(dropout, host); })
      .Case([&](SoftmaxOp softmax) { return tileSoftmax(softmax, host); })
      .Case([&](SoftmaxVjpOp vjp) { return tileSoftmaxVjp(vjp, host); })
      .Case([&](LayerNormOp norm) { return tileLayerNorm(norm, host); })
      .Case([&](LayerNormVjpOp vjp) { return tileLayerNormVjp(vjp, host); })
      .Case([&](RmsNormOp norm) { return tileRmsNorm(norm, host); })
      .Case([&](RmsNormVjpOp vjp) { return tileRmsNormVjp(vjp, host); })
      .Case([&](ReduceOp reduce) { return tileReduce(reduce, host); })
      .Case([&](ReduceMaxVjpOp vjp) { return tileReduceMaxVjp(vjp, host); })
      .Case([&](EmbeddingOp embedding) { return tileEmbedding(embedding, host); })
      .Case([&](EmbeddingVjpOp vjp) { return tileEmbeddingVjp(vjp, host); })
      .Case([&](CrossEntropyOp loss) { return tileCrossEntropy(loss, host); })
      .Case([&](CrossEntropyVjpOp vjp) { return tileCrossEntropyVjp(vjp, host); })
      .Case([&](ClipScaleOp clip) { return tileClipScale(clip, host); })
      .Case([&](AdamWOp adamw) { return tileAdamW(adamw, host); })
      .Case([&](SgdOp sgd) { return tileSgd(sgd, host); })
      .Case([&](ConcatOp concat) { return tileConcat(concat, host); })
      .Case([&](PadOp pad) { return tilePad(pad, host); })
      .Case([&](StackLayersOp stack) { return tileStackLayers(stack, host); })
      .Case([&](PoolLayersOp pool) { return tilePoolLayers(pool, host); })
      .Default([](Operation *op) { return op->emitError("not implemented: ") << op->getName(); });
}
