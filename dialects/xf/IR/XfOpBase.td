//===- XfOpBase.td - Types and classes of the ops -----------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_OP_BASE_TD
#define XF_OP_BASE_TD

include "dialects/xf/IR/XfDims.td"
include "dialects/xf/IR/XfPatterns.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Xf_Op<string m, list<Trait> t = []> : Op<Xf_Dialect, m, t>;

def Xf_SizesAttr : TypedArrayAttrBase<Xf_SizeAttr, "sizes">;

def Xf_Tensor : RankedTensorOf<[F32, F64, F16, BF16, I32, I64, I1]>;
def Xf_FloatTensor : RankedTensorOf<[F32, F64, F16, BF16]>;
def Xf_IdTensor : RankedTensorOf<[I32, I64]>;
def Xf_BoolTensor : RankedTensorOf<[I1]>;

#endif // XF_OP_BASE_TD
