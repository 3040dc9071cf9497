//===- XfShardableOpInterface.td - What may be sharded ------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_SHARDABLE_OP_INTERFACE_TD
#define XF_SHARDABLE_OP_INTERFACE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/Interfaces.td"

def Xf_ShardableOpInterface : OpInterface<"ShardableOpInterface"> {
  let cppNamespace = "::mlir::xf";
  let description = [{
    An op of which ranks can compute parts. Implementations are attached by compiler/Partition, one per op; an op without
    one needs its operands whole on every rank.
  }];
  let methods = [
    InterfaceMethod<[{
      Gives a letter to each dimension of the operands and results. Dimensions of one letter are sharded alike: a rank that
      has a part of one has the same part of the others. A letter that a result lacks is summed: from parts of it, a rank
      computes a summand of that result.
    }],
    "void", "getLetters", (ins "::mlir::xf::ShardingLetters &":$letters)>,
  ];
}

#endif // XF_SHARDABLE_OP_INTERFACE_TD
