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

/// Returns the header of the object: C99 declarations of the model and one function per entry; for C++ also a typed
/// wrapper. Reproducible: contains no path and no time. With variants for several processors, memory sizes are those of
/// the variant that needs most.
std::string emitHeader(ArrayRef<ModelTables> variants);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_HEADER_H
