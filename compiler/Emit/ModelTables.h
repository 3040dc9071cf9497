//===- ModelTables.h - The object's read-only tables ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_MODELTABLES_H
#define XF_COMPILER_EMIT_MODELTABLES_H

#include "compiler/Emit/HostTable.h"
#include "llvm/IR/Module.h"

namespace mlir::xf {

/// The contents of one xfrt_image.
struct Image {
  std::string architecture;
  xfrt_image_kind kind;
  std::string bytes;
};

/// The contents of one variant of an xfrt_model.
struct ModelTables {
  std::string name;        ///< as the user wrote it
  std::string symbol;      ///< C identifier derived from it
  std::string features;    ///< CPU features that the code needs, comma-separated; for a GPU, its architecture
  std::string contentHash; ///< hexadecimal
  SmallVector<HostTable, 0> entries;
  SmallVector<std::pair<std::string, int64_t>, 0> axes; ///< the axes of the mesh, with their ranks; none for one rank
  std::string constants;                                ///< the bytes of all constants
  int32_t heldCount = 0;                                ///< the number of forms of parameters that a handle may hold
  int64_t heldBytes = 0;
  xfrt_device device = XFRT_CPU;
  SmallVector<Image, 0> images; ///< images of the kernels if they run on a GPU
};

/// Adds the constant `xfrt_model_<symbol>` and all that it points to. `module` must already contain the kernels and the
/// prepare functions. The variants of a program for several processors become a linked list. They must be ordered from
/// the least capable processor to the most capable.
void emitModelTables(ArrayRef<ModelTables> variants, llvm::Module &module);

/// Adds `xfrt_shared_model`, a pointer by which tools find the model in a shared library. Call it after
/// emitModelTables.
void emitSharedModel(const ModelTables &tables, llvm::Module &module);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_MODELTABLES_H
