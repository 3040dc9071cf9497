//===- BuildHostTable.h - Tables of a host program --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_BUILDHOSTTABLE_H
#define XF_COMPILER_EMIT_BUILDHOSTTABLE_H

#include "compiler/Emit/HostTable.h"

namespace mlir::xf {

/// Maps the name of each memref.global of a module to its byte offset in the constants of the object.
using ConstantOffsets = llvm::StringMap<int64_t>;

/// The prepacked forms of parameters that a handle may hold (dialects/xft/IR/XftHeld.h). `forms` maps the key of a form
/// to its index and to its byte offset in the memory of a handle.
struct HeldForms {
  struct Form {
    int32_t number;
    int64_t offset;
  };
  /// Collects the prepacked forms that the host programs of a module use.
  static HeldForms of(ModuleOp module);

  llvm::StringMap<Form> forms;
  int64_t bytes = 0;
};

/// Returns the tables of the host program `host`. Does not change `host`. Expansion decides what a launch passes to a
/// device, so the kernels that `host` launches must have been expanded. They must not have the runtime's signature yet.
/// If the program has dynamic sizes, also creates functions that compute sizes, with the builder `functions`
/// (SizeFunctions.h). Fails after an error.
FailureOr<HostTable> buildHostTable(func::FuncOp host, const ConstantOffsets &constants, const HeldForms &held,
                                    OpBuilder &functions);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_BUILDHOSTTABLE_H
