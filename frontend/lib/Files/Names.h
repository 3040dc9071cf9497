//===- Names.h - Names of tensors in checkpoints -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_FILES_NAMES_H
#define XF_FRONTEND_FILES_NAMES_H

#include "xf/array.h"

namespace xf::detail {

/// Transposes the matrices of `values` whose names match one of the patterns. Throws Error for a match that is not a
/// matrix, and for a pattern that matches nothing.
void transposeMatching(StateDict &values, const std::vector<std::string> &patterns, Here here);

} // namespace xf::detail

#endif // XF_FRONTEND_FILES_NAMES_H
