//===- XfUpdateTypes.h - Syntax of the types of an update -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses and prints custom<UpdateTypes>, the types of xf.adamw and xf.sgd. If all tensors have the parameter's type,
// this is one type, `tensor<4xf32>`. A parameter may have a master, a copy in a wider type, which is also the type of
// the state. Then there are two types, `tensor<4xbf16> master tensor<4xf32>`.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFUPDATETYPES_H
#define XF_DIALECTS_XF_OPS_XFUPDATETYPES_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::xf {

inline ParseResult parseUpdateTypes(OpAsmParser &parser, Type &parameter, Type &state, Type &master, Type &newMaster) {
  if (parser.parseType(parameter))
    return failure();
  state = parameter;
  if (failed(parser.parseOptionalKeyword("master")))
    return success();
  if (parser.parseType(state))
    return failure();
  master = newMaster = state;
  return success();
}

inline void printUpdateTypes(OpAsmPrinter &printer, Operation *, Type parameter, Type, Type master, Type) {
  printer << parameter;
  if (master)
    printer << " master " << master;
}

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFUPDATETYPES_H
