//===- Header.h - The object's C and C++ header --------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_HEADER_H
#define XF_COMPILER_EMIT_HEADER_H

#include "compiler/Emit/ModelTables.h"

namespace mlir::xf {

/// Returns the text of the object's header: the C99 declaration of the model, one C function per entry, and a typed
/// wrapper for C++. The text contains no path and no time, so that it is reproducible. For memory sizes, the header
/// states the largest of all `variants`.
std::string emitHeader(ArrayRef<ModelTables> variants);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_HEADER_H
