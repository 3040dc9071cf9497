//===- Reshard.h - From one sharding of a value to another ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_RESHARD_H
#define XF_COMPILER_PARTITION_RESHARD_H

#include "compiler/Partition/FactorShardings.h"
#include "mlir/IR/Builders.h"

namespace mlir::xf {

/// Returns the type of a rank's share of a tensor. Fails, after an error at `location`, if the ranks do not divide a
/// size. `what` names the tensor in the error.
FailureOr<RankedTensorType> shareOf(RankedTensorType type, ArrayRef<DimSharding> dims, MeshAttr mesh, Location location,
                                    const Twine &what);

/// Builds a rank's share of a value under the sharding `to` from `share`, the rank's share under the sharding `from`.
/// Each of `from` and `to` has an entry for each dimension, or none if all dimensions are whole. Gathers dimensions
/// that are no longer sharded, slices dimensions that were whole, and exchanges elements if axes move to another
/// dimension. Fails after an error.
FailureOr<Value> reshard(OpBuilder &b, Location location, Value share, ArrayRef<DimSharding> from,
                         ArrayRef<DimSharding> to, MeshAttr mesh);

/// Builds the sum of the `summand` of all ranks along `axes`. Summands of 16 bits are sent and added in f32. The result
/// has elements of type `elementType`.
Value sumOverRanks(OpBuilder &b, Location location, Value summand, ArrayRef<Attribute> axes, MeshAttr mesh,
                   Type elementType);

/// Returns `axes` in the order of the mesh.
ArrayAttr inMeshOrder(ArrayRef<Attribute> axes, MeshAttr mesh);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_RESHARD_H
