//===- XfDialect.td - The dialect of model graphs -----------*- tablegen -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECT_TD
#define XF_DIALECT_TD

include "mlir/IR/OpBase.td"

def Xf_Dialect : Dialect {
  let name = "xf";
  let summary = "Models whose attention patterns are sets";
  let description = [{
    A model graph on ranked tensors with value semantics. Attention carries its pattern as an attribute, a set of
    (query, key) pairs; every other op is an ordinary model op. Inputs and outputs of functions are named by the
    attribute `xf.name`; `xf.parameter` and `xf.state` mark arguments that a model owns, `xf.updates` (a result
    attribute that holds an argument's name) says that a result replaces that argument in place. `xf.range` bounds the
    elements of an integer argument by two integers, the lowest and the highest; `xf.dims` names the dynamic dimensions
    of an argument or result, one #xf.dim each, outermost first: dimensions of one name are equal at run time, and lie
    in its range. An #xf.size in its place says how a dimension follows from those.

    A function with the unit attribute `xf.autoregressive` promises that no output sees a later input: the pattern stage
    refuses attention in it whose pattern is not provably a subset of causal. The unit attribute `xf.vjp` has the
    gradient stage make the function's vector-Jacobian product beside it. Functions have no other attributes of the
    dialect.
  }];
  let cppNamespace = "::mlir::xf";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{ void registerPatterns(); }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

#endif // XF_DIALECT_TD
