//===- TileableOp.h - Ops that become launches or views ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of all ops of the stage `tile`, and the model that most of them have. To tile one more op, write a
// function for it and attach it in the same file:
//
//   static LogicalResult tileSoftmax(SoftmaxOp op, HostBuilder &host) { .. }
//   void xf::attachNormTilings(MLIRContext &context) {
//     attachTiling<tileSoftmax>(context);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_TILEABLEOP_H
#define XF_COMPILER_TILE_HOST_TILEABLEOP_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

struct IdRange;

/// Requires that the static sizes of all results equal those that follow from the operands. Fails after an error.
LogicalResult requireResultSizes(Operation *op, HostBuilder &host);
/// Requires what requireResultSizes requires, and that the sizes of operands agree as the op's row of dimension factors
/// says. Fails after an error.
LogicalResult requireAgreement(Operation *op, HostBuilder &host);

} // namespace mlir::xf

#include "compiler/Tile/Host/TileableOp.h.inc"

namespace mlir::xf {

template <typename OpTy>
OpTy tiledOpOf(LogicalResult (*tiling)(OpTy op, HostBuilder &host));
/// The op that the function `tiling` tiles, which is the type of its first argument.
template <auto tiling>
using TiledOp = decltype(tiledOpOf(tiling));

/// The model of the op that the function `tiling` tiles. To replace other methods of the interface, derive a class from
/// it and pass that class as `Model`.
template <auto tiling, typename Model = void>
struct TileableModel
    : TileableOpInterface::ExternalModel<std::conditional_t<std::is_void_v<Model>, TileableModel<tiling>, Model>,
                                         TiledOp<tiling>> {
  LogicalResult tile(Operation *op, HostBuilder &host) const { return tiling(cast<TiledOp<tiling>>(op), host); }
};

/// Attaches the model of an op that needs no method of the interface except `tile`.
template <auto tiling>
void attachTiling(MLIRContext &context) {
  TiledOp<tiling>::template attachInterface<TileableModel<tiling>>(context);
}

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_TILEABLEOP_H
