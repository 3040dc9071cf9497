//===- HideOuterIndices.h - Cheap indices of outer loops ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_HIDEOUTERINDICES_H
#define XF_COMPILER_TARGET_CPU_HIDEOUTERINDICES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf::cpu {

/// Hides the indices of loops that contain loops from LLVM's strength reduction, which would spend much time on them.
void hideOuterIndices(ModuleOp module);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_HIDEOUTERINDICES_H
