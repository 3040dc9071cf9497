//===- StageText.h - Modules between stages as text -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_STAGETEXT_H
#define XF_COMPILER_PIPELINE_STAGETEXT_H

#include "compiler/Pipeline/Variant.h"

namespace mlir::xf {

/// Returns the text of the variants' modules. Lines // ----- separate them, as MLIR's tools expect in a file.
std::string textOf(ArrayRef<Variant> variants);

/// Writes the module of a variant after stage number `number` to the folder of --dump-stages. The file is
/// NUMBER-STAGE.mlir if `isAlone`, else NUMBER-STAGE-MACHINE.mlir. Fails after an error.
LogicalResult dump(const Variant &variant, bool isAlone, size_t number, StringRef stage);

/// Returns a hash of all that the generated code depends on: the program, the machines and the options.
std::string hashOf(ModuleOp module, ArrayRef<MachineRef> machines, const CompileOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_STAGETEXT_H
