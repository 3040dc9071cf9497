//===- TileableOp.td - Ops that become launches or views ----*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_TILEABLEOP_TD
#define XF_COMPILER_TILE_HOST_TILEABLEOP_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/Interfaces.td"

def Xf_TileableOpInterface : OpInterface<"TileableOpInterface"> {
  let cppNamespace = "::mlir::xf";
  let description = [{
    An op that the stage `tile` turns into launches of kernels, or into views of buffers. Implementations are attached
    by compiler/Tile, one per op, beside the function that tiles it.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends the launches that compute the results, or binds the results to views. All operands have buffers. Fails
      after an error at the op.
    }],
    "::llvm::LogicalResult", "tile", (ins "::mlir::xf::HostBuilder &":$host)>,
    InterfaceMethod<[{
      Requires all equalities of sizes that the op relies on and that its verifier could not check. Called before `tile`.
      Fails after an error. The default requires those that the op's row of dimension factors states.
    }],
    "::llvm::LogicalResult", "requireSizes", (ins "::mlir::xf::HostBuilder &":$host), [{}],
    /*defaultImplementation=*/[{ return ::mlir::xf::requireAgreement($_op, host); }]>,
    InterfaceMethod<[{
      Narrows `range` to the integers that the op accepts in its operand `ids`, or lets the range follow results with
      the same elements. By default, the op accepts all integers.
    }],
    "void", "narrowIdRange", (ins "::mlir::Value":$ids, "::mlir::xf::IdRange &":$range), [{}],
    /*defaultImplementation=*/[{ return; }]>,
  ];
}

#endif // XF_COMPILER_TILE_HOST_TILEABLEOP_TD
