//===- ExplainMesh.h - Attentions on the ranks of a mesh ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_EXPLAINMESH_H
#define XF_COMPILER_TOOLS_XFC_EXPLAINMESH_H

#include "compiler/tools/xfc/options/MeshOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// What a mesh makes of one attention.
struct MeshReport {
  std::string text;                   ///< lines of explain
  llvm::json::Value object = nullptr; ///< the same for --json
};

/// Plans the attentions of a program after the stage `pattern`, and reports on each, in the order of the program.
/// Fails, after an error, if the program has none, or if a size that a plan needs is neither static nor given.
FailureOr<SmallVector<MeshReport>> explainMesh(ModuleOp module, const MeshOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_EXPLAINMESH_H
