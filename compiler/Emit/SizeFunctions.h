//===- SizeFunctions.h - Functions that compute sizes of a call -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_SIZEFUNCTIONS_H
#define XF_COMPILER_EMIT_SIZEFUNCTIONS_H

#include "compiler/Emit/HostTable.h"
#include "compiler/Emit/Symbols.h"

namespace mlir::xf {

/// Adds the function `void prepare(const int64_t *symbols, int64_t *frame)`, and stores its name in table.prepare. The
/// function runs the host program's index arithmetic. It stores each value of `computed` and each constant of
/// table.frame to the slot of the frame that is given for it. If two sizes differ that must be equal, the function
/// stores XFRT_SIZES_DIFFER in place of the arena's size. If a size overflows, it stores XFRT_SIZES_TOO_LARGE there.
/// The runtime then rejects the call of the program.
void addPrepare(func::FuncOp host, const SymbolClasses &symbols, ArrayRef<std::pair<Value, int32_t>> computed,
                HostTable &table, OpBuilder &b);

/// Adds the function `int64_t derive(const int64_t *symbols, int32_t number)` if some symbols are derived. The function
/// returns the value of derived symbol `number`, counted from the first derived one. It returns INT64_MIN if the value
/// does not fit into 64 bits. Fails after an error if an expression has a name that no argument has.
LogicalResult addDerive(func::FuncOp host, HostTable &table, OpBuilder &b);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_SIZEFUNCTIONS_H
