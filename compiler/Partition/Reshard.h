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

/// Returns the type of a rank's share of a tensor. Fails, after an error at `location`, where the ranks do not divide a
/// size. `what` names the tensor.
FailureOr<RankedTensorType> shareOf(RankedTensorType type, ArrayRef<DimSharding> dims, MeshAttr mesh, Location location,
                                    const Twine &what);

/// Builds a rank's share of a value by the sharding `to` from its share by `from`, with as many dimensions or none:
/// gathers what is sharded no more, takes parts of what was whole, and exchanges parts where axes move to another
/// dimension. Fails after an error.
FailureOr<Value> reshard(OpBuilder &b, Location location, Value share, ArrayRef<DimSharding> from,
                         ArrayRef<DimSharding> to, MeshAttr mesh);

/// Builds the sum of all ranks' `summand` over axes, in the order of the mesh, as elements of `elementType`. Ranks send
/// each other no 16-bit elements.
Value sumOverRanks(OpBuilder &b, Location location, Value summand, ArrayRef<Attribute> axes, MeshAttr mesh,
                   Type elementType);

/// Returns the axes in the order of the mesh.
ArrayAttr inMeshOrder(ArrayRef<Attribute> axes, MeshAttr mesh);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_RESHARD_H
