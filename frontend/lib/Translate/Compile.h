//===- Compile.h - Compiling into this process -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_COMPILE_H
#define XF_FRONTEND_TRANSLATE_COMPILE_H

#include "xf/executable.h"
#include "xfrt/model.h"

namespace xf::detail {

struct LoadedModel {
  const xfrt_model *model = nullptr;
  /// Owns the linked code and the tables that `model` points to.
  std::shared_ptr<void> code;
  /// The bytes of the object that the code was linked from.
  std::string object;
  /// Error message where compiling failed, empty otherwise. `namesPlace` is true if the message begins with a line of
  /// the user's program.
  std::string error;
  bool namesPlace = false;
  /// The compiler's remarks and warnings, one line of text each.
  std::vector<std::string> remarks;
};

/// Returns the newest architecture, by its name as in CompileOptions::gpus, whose kernels run on a GPU of compute
/// capability `capability` (90 for 9.0). Returns an empty string if there is none.
std::string gpuArchitectureFor(int capability);

/// Compiles the text that Program::save writes, and links the object into this process. The object has the same bytes
/// as the one that xfc compiles from the same text and options. On failure sets `error` of the result.
LoadedModel compileAndLoad(const std::string &name, const std::string &text, const CompileOptions &options);

} // namespace xf::detail

#endif // XF_FRONTEND_TRANSLATE_COMPILE_H
