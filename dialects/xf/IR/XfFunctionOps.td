//===- XfFunctionOps.td - Elementary functions ---------------- -*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FUNCTION_OPS_TD
#define XF_FUNCTION_OPS_TD

include "dialects/xf/IR/XfOpBase.td"

def Xf_FloorOp : UnaryOp<"floor", "largest integer not above x", "the largest integer that is not above x,">;
def Xf_CeilOp : UnaryOp<"ceil", "smallest integer not below x", "the smallest integer that is not below x,">;
def Xf_RoundOp : UnaryOp<"round", "nearest integer, the even one of two", "the integer nearest to x, of two the even one,">;
def Xf_TanOp : UnaryOp<"tan", "tangent", "tan x">;
def Xf_AsinOp : UnaryOp<"asin", "inverse sine", "asin x, in [-pi/2, pi/2] and NaN beyond |x| = 1,">;
def Xf_AcosOp : UnaryOp<"acos", "inverse cosine", "acos x, in [0, pi] and NaN beyond |x| = 1,">;
def Xf_AtanOp : UnaryOp<"atan", "inverse tangent", "atan x, in [-pi/2, pi/2],">;
def Xf_SinhOp : UnaryOp<"sinh", "hyperbolic sine", "(e^x - e^-x) / 2">;
def Xf_CoshOp : UnaryOp<"cosh", "hyperbolic cosine", "(e^x + e^-x) / 2">;
def Xf_CbrtOp : UnaryOp<"cbrt", "cube root", "x^1/3, negative for negative x,">;
def Xf_Log10Op : UnaryOp<"log10", "logarithm to base 10", "log10 x">;
def Xf_Log2Op : UnaryOp<"log2", "logarithm to base 2", "log2 x">;
def Xf_Log1pOp : UnaryOp<"log1p", "log(1 + x), accurate near 0">;
def Xf_Expm1Op : UnaryOp<"expm1", "e^x - 1, accurate near 0">;
def Xf_SoftplusOp : UnaryOp<"softplus", "log(1 + e^x)">;
def Xf_Atan2Op : FloatBinaryOp<"atan2", "the angle of the point (b, a) (floats)", "the angle of the point (b, a), in [-pi, pi],">;
def Xf_StopGradientOp : UnaryOp<"stop_gradient", "x, which has no gradient", "x, through which no gradient goes,">;

#endif // XF_FUNCTION_OPS_TD
