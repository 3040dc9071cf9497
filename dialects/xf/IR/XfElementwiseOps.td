//===- XfElementwiseOps.td - One element from the same elements -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ELEMENTWISE_OPS_TD
#define XF_ELEMENTWISE_OPS_TD

include "dialects/xf/IR/XfOpBase.td"

def Xf_NegOp : UnaryOp<"neg", "-x">;
def Xf_ExpOp : UnaryOp<"exp", "e^x">;
def Xf_LogOp : UnaryOp<"log", "natural logarithm", "log x">;
def Xf_SqrtOp : UnaryOp<"sqrt", "square root", "x^1/2">;
def Xf_RsqrtOp : UnaryOp<"rsqrt", "x^-1/2">;
def Xf_TanhOp : UnaryOp<"tanh", "hyperbolic tangent", "(e^x - e^-x) / (e^x + e^-x)">;
def Xf_SigmoidOp : UnaryOp<"sigmoid", "1 / (1 + e^-x)">;
def Xf_ErfOp : UnaryOp<"erf", "error function", "2 / sqrt(pi) (integral of e^-t^2 dt from 0 to x)">;
def Xf_AbsOp : UnaryOp<"abs", "absolute value", "|x|">;
def Xf_SquareOp : UnaryOp<"square", "x^2">;
def Xf_SinOp : UnaryOp<"sin", "sine", "sin x">;
def Xf_CosOp : UnaryOp<"cos", "cosine", "cos x">;
def Xf_ReluOp : UnaryOp<"relu", "max(x, 0); NaN stays NaN", "max(x, 0), NaN where x is NaN,">;
def Xf_SiluOp : UnaryOp<"silu", "x sigmoid(x)">;
def Xf_GeluOp : Xf_Op<"gelu", [Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>, Factors<"* -> *">]> {
  let summary = "Gaussian error linear unit in one of its three forms";
  let description = [{
    Returns, for each element x, by the form:

    - `tanh`: 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))),
    - `erf`: 0.5 x (1 + erf(x / sqrt 2)),
    - `sigmoid`: x sigmoid(1.702 x).

    ```mlir
    %y = xf.gelu %x form erf : tensor<4xf32>
    ```
  }];
  let arguments = (ins Xf_FloatTensor:$x, DefaultValuedAttr<Xf_GeluAttr, "::mlir::xf::Gelu::k_tanh">:$form);
  let results = (outs Xf_FloatTensor:$y);
  let assemblyFormat = "$x `form` $form attr-dict `:` type($x)";
}

def Xf_AddOp : BinaryOp<"add", "a + b">;
def Xf_SubOp : BinaryOp<"sub", "a - b">;
def Xf_MulOp : BinaryOp<"mul", "a b">;
def Xf_DivOp : FloatBinaryOp<"div", "a / b (floats)", "a / b">;
def Xf_MaximumOp : BinaryOp<"maximum", "the larger; NaN if either is", "max(a, b), NaN if either is NaN,">;
def Xf_MinimumOp : BinaryOp<"minimum", "the smaller; NaN if either is", "min(a, b), NaN if either is NaN,">;
def Xf_PowOp : FloatBinaryOp<"pow", "a^b (floats)", "a^b">;

def Xf_CompareOp : Xf_Op<"compare", [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>, Factors<"~*, ~* -> *">]> {
  let summary = "a eq|ne|lt|le|gt|ge b; false where either is NaN, but ne";
  let description = [{
    Returns y = (a = b), (a != b), (a < b), (a <= b), (a > b) or (a >= b) for each pair of elements, by `kind`. Where a
    or b is NaN, `ne` is true and all others are false. Integers are signed; of i1, false is below true.

    C1 the shapes broadcast to that of y. C2 a and b have one element type.

    ```mlir
    %y = xf.compare lt %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
    ```
  }];
  let arguments = (ins Xf_ComparisonAttr:$kind, Xf_Tensor:$a, Xf_Tensor:$b);
  let results = (outs Xf_BoolTensor:$y);
  let assemblyFormat = "$kind $a `,` $b attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_WhereOp : Xf_Op<"where", [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>, Factors<"~*, ~*, ~* -> *">]> {
  let summary = "a where the condition holds, b elsewhere; the other one is not observable";
  let description = [{
    Returns y = condition ? a : b for each triple of elements. Nothing of the element that is not taken is observable,
    not even NaN.

    C1 the shapes broadcast to that of y. C2 a, b and y have one element type.

    ```mlir
    %y = xf.where %condition, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Xf_BoolTensor:$condition, Xf_Tensor:$a, Xf_Tensor:$b);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$condition `,` $a `,` $b attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Xf_CastOp : Xf_Op<"cast", [Pure, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>, Factors<"* -> *">]> {
  let summary = "another element type: floats round to nearest even, floats to integers truncate, to i1 is != 0";
  let description = [{
    Returns y = x in the element type of y: floats round to nearest even, floats to integers round towards 0, i1 becomes
    0 or 1, and y of i1 is x != 0.

    C1 x and y have one shape.

    ```mlir
    %y = xf.cast %x : tensor<4xf32> to tensor<4xbf16>
    ```
  }];
  let arguments = (ins Xf_Tensor:$x);
  let results = (outs Xf_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
}
def Xf_MapOp : Xf_Op<"map", [Pure, IsolatedFromAbove, SingleBlock, DeclareOpInterfaceMethods<Xf_ElementwiseOpInterface>, Factors<"~* -> *">]> {
  let summary = "any element-wise function: the region on scalars, over broadcast operands";
  let description = [{
    Returns y = region(x0, x1, ..) for each tuple of elements. Derivatives of other element-wise ops and fused chains
    take this form.

    C1 one block argument per operand, of its element type. C2 arith and math ops on scalars only. C3 the region ends in
    an xf.yield of one scalar of the result's element type. C4 the shapes broadcast to that of y.

    ```mlir
    %y = xf.map (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      %b = arith.mulf %a, %a : f32
      xf.yield %b : f32
    }
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
