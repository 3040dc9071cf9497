//===- ExplainMesh.h - Attentions on the ranks of a mesh ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_MESH_EXPLAINMESH_H
#define XF_COMPILER_TOOLS_XFC_MESH_EXPLAINMESH_H

#include "compiler/Pipeline/Pipeline.h"
#include "compiler/tools/xfc/options/MeshOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// The report on one attention whose ranks form a mesh.
struct MeshReport {
  std::string text;                   ///< lines of explain
  llvm::json::Value object = nullptr; ///< the same for --json
};

/// Compiles each attention of `module` by itself for a mesh of ranks. `module` is a program after the stage `pattern`.
/// Returns a report on the work of the ranks for each attention, in the order of the program. Fails, after an error, if
/// the program has no attention, if a size is neither static nor given, or if ranks do not divide a size.
FailureOr<SmallVector<MeshReport>> explainMesh(ModuleOp module, const MeshOptions &mesh, const CompileOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_MESH_EXPLAINMESH_H
