//===- XfFamily.h - What people call a pattern ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFFAMILY_H
#define XF_DIALECTS_XF_OPS_XFFAMILY_H

#include "llvm/ADT/StringRef.h"

namespace mlir::xf {

/// Name of the attribute for the name of an attention op's pattern, "window" for #xf.window<..>. The stage `pattern`
/// attaches it to the op, and the stage `tile` copies it to the op's launches, whose kernels are named after it. Only
/// people read it: no stage decides anything by it.
inline constexpr llvm::StringLiteral kFamilyAttrName = "family";

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFFAMILY_H
