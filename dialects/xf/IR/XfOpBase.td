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

/// The trait of an op whose row of dimension factors is `text` (Interfaces/XfInterfaces.td). Factors/OpFactors.cpp
/// defines the other methods of the interface, `methods`.
class Factors<string text, list<string> methods = []>
    : DeclareOpInterfaceMethods<Xf_DimensionFactorsOpInterface, !listconcat(["getFactorRow"], methods)> {
  string row = text;
}
/// The trait of an op that has no row of dimension factors, or whose attributes determine the row. The op defines
/// `methods` of the interface.
class FactorsBy<list<string> methods> : DeclareOpInterfaceMethods<Xf_DimensionFactorsOpInterface, methods>;

class Xf_Op<string m, list<Trait> t = []> : Op<Xf_Dialect, m, t> {
  string factors = !foldl("", t, row, trait, !if(!isa<Factors>(trait), !cast<Factors>(trait).row, row));
  let extraClassDefinition =
      !if(!empty(factors), "", "std::string $cppClass::getFactorRow() { return \"" # factors # "\"; }");
}

def Xf_SizesAttr : TypedArrayAttrBase<Xf_SizeAttr, "sizes">;

def Xf_Tensor : RankedTensorOf<[F32, F64, F16, BF16, I32, I64, I1]>;
def Xf_FloatTensor : RankedTensorOf<[F32, F64, F16, BF16]>;
def Xf_IdTensor : RankedTensorOf<[I32, I64]>;
def Xf_BoolTensor : RankedTensorOf<[I1]>;

//===--- forms of element-wise ops ---===//

/// An element-wise op of one operand. `formula` is an element of the result as a formula of the element x.
class UnaryOp<string m, string s, string formula = s>
    : Xf_Op<m, [Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>, Factors<"* -> *">]> {
  let summary = s;
  let description = [{
    Returns y = }] # formula # [{ for each element x of its operand. The result has the operand's type.

    ```mlir
    %y = xf.}] # m # [{ %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

/// An element-wise op of two operands. `formula` is an element of the result as a formula of the elements a and b.
/// `constraint` is the text of a constraint after C1 and C2.
class BinaryOp<string m, string s, string formula = s, string constraint = "">
    : Xf_Op<m, [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>, Factors<"~*, ~* -> *">]> {
  let summary = s;
  let description = [{
    Returns y = }] # formula # [{ for each pair of elements. Shapes broadcast as in numpy: aligned at the last
    dimension, where a size of 1 is repeated.

    C1 the shapes broadcast to that of y. C2 a, b and y have one element type, which is not i1. }] # constraint # [{

    ```mlir
    %y = xf.}] # m # [{ %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_Tensor:$a, Xf_Tensor:$b);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$a `,` $b attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
class FloatBinaryOp<string m, string s, string formula>
    : BinaryOp<m, s, formula, "C3 this type is a floating-point type.">;

#endif // XF_OP_BASE_TD
