//===- XfClipScale.h - The constant of xf.clip_scale ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFCLIPSCALE_H
#define XF_DIALECTS_XF_OPS_XFCLIPSCALE_H

namespace mlir::xf {

/// The number that xf.clip_scale adds to a norm before it divides by the norm.
inline constexpr double kClipNormOffset = 1e-6;

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFCLIPSCALE_H
