//===- XfElementwiseOps.td - One element from the same elements -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ELEMENTWISE_OPS_TD
#define XF_ELEMENTWISE_OPS_TD

include "dialects/xf/IR/XfOpBase.td"

class UnaryOp<string m, string s> : Xf_Op<m, [Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>]> {
  let summary = s;
  let arguments = (ins Xf_FloatTensor:$x);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
def Xf_NegOp : UnaryOp<"neg", "-x">;
def Xf_ExpOp : UnaryOp<"exp", "e^x">;
def Xf_LogOp : UnaryOp<"log", "natural logarithm">;
def Xf_SqrtOp : UnaryOp<"sqrt", "square root">;
def Xf_RsqrtOp : UnaryOp<"rsqrt", "x^-1/2">;
def Xf_TanhOp : UnaryOp<"tanh", "hyperbolic tangent">;
def Xf_SigmoidOp : UnaryOp<"sigmoid", "1 / (1 + e^-x)">;
def Xf_ErfOp : UnaryOp<"erf", "error function">;
def Xf_AbsOp : UnaryOp<"abs", "absolute value">;
def Xf_SquareOp : UnaryOp<"square", "x^2">;
def Xf_SinOp : UnaryOp<"sin", "sine">;
def Xf_CosOp : UnaryOp<"cos", "cosine">;
def Xf_ReluOp : UnaryOp<"relu", "max(x, 0); NaN stays NaN">;
def Xf_SiluOp : UnaryOp<"silu", "x sigmoid(x)">;
def Xf_GeluOp : Xf_Op<"gelu", [Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>]> {
  let summary = "Gaussian error linear unit in one of its three forms (#xf enum Gelu)";
  let arguments = (ins Xf_FloatTensor:$x, DefaultValuedAttr<Xf_GeluAttr, "::mlir::xf::Gelu::k_tanh">:$form);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `form` $form attr-dict `:` type($x)";
}

/// Shapes broadcast as in numpy: aligned at the last dimension, 1 stretches.
class BinaryOp<string m, string s> : Xf_Op<m, [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>]> {
  let summary = s;
  let description = "C1 the shapes broadcast to the result's. C2 one element type, which is not i1.";
  let arguments = (ins Xf_Tensor:$a, Xf_Tensor:$b);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$a `,` $b attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_AddOp : BinaryOp<"add", "a + b">;
def Xf_SubOp : BinaryOp<"sub", "a - b">;
def Xf_MulOp : BinaryOp<"mul", "a b">;
def Xf_DivOp : BinaryOp<"div", "a / b (floats)">;
def Xf_MaximumOp : BinaryOp<"maximum", "the larger; NaN if either is">;
def Xf_MinimumOp : BinaryOp<"minimum", "the smaller; NaN if either is">;
def Xf_PowOp : BinaryOp<"pow", "a^b (floats)">;

def Xf_CompareOp : Xf_Op<"compare", [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>]> {
  let summary = "a eq|ne|lt|le|gt|ge b; false where either is NaN, but ne";
  let arguments = (ins Xf_ComparisonAttr:$kind, Xf_Tensor:$a, Xf_Tensor:$b);
  let results = (outs Xf_BoolTensor:$y);
  let assemblyFormat = "$kind $a `,` $b attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_WhereOp : Xf_Op<"where", [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>]> {
  let summary = "a where the condition holds, b elsewhere; the other one is not observable";
  let arguments = (ins Xf_BoolTensor:$condition, Xf_Tensor:$a, Xf_Tensor:$b);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$condition `,` $a `,` $b attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_CastOp : Xf_Op<"cast", [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>]> {
  let summary = "another element type: floats round to nearest even, floats to integers truncate, to i1 is != 0";
  let arguments = (ins Xf_Tensor:$x);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}
def Xf_MapOp : Xf_Op<"map", [Pure, IsolatedFromAbove, SingleBlock, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>]> {
  let summary = "any element-wise function: the region on scalars, over broadcast operands";
  let description = [{
    C1 one block argument per operand, of its element type. C2 arith and math ops only. C3 yields one scalar of the
    result's element type. Derivatives of other element-wise ops and fused chains take this form.

    ```mlir
    %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> { %b = arith.mulf %a, %a : f32  xf.yield %b : f32 }
    ```
  }];
  let arguments = (ins Variadic<Xf_Tensor>:$inputs);
  let results = (outs Xf_Tensor:$y);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    OpBuilder<(ins "::mlir::RankedTensorType":$type, "::mlir::ValueRange":$inputs,
                   "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::ValueRange)>":$element)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // XF_ELEMENTWISE_OPS_TD
