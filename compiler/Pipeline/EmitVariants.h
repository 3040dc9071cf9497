//===- EmitVariants.h - The stage emit --------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_EMITVARIANTS_H
#define XF_COMPILER_PIPELINE_EMITVARIANTS_H

#include "compiler/Pipeline/Variant.h"

namespace mlir::xf {

/// Emits the output of a compilation into `result`: one object with the code and tables of all variants, or the output
/// that options.emit chooses. Moves the tables out of the variants. Fails after an error.
LogicalResult emitVariants(MutableArrayRef<Variant> variants, Compiled &result);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_EMITVARIANTS_H
