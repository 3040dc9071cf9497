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

/// The name of an attribute of an attention op. The attribute holds the name of the op's pattern, such as "window" for
/// #xf.window<..>. The stage `pattern` attaches it to the op. The stage `tile` copies it to the op's launches, and
/// names their kernels after it. It is for people only: no stage decides anything by it.
inline constexpr llvm::StringLiteral kFamilyAttrName = "family";

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFFAMILY_H
