//===- DrawMaps.h - Pictures of attention weights ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_DRAWMAPS_H
#define XF_COMPILER_TOOLS_XFC_DRAWMAPS_H

#include "compiler/Pattern/Picture/Picture.h"
#include "compiler/tools/xfc/options/Options.h"

namespace mlir::xf {

/// Draws the weights in the files that `options` names. They are npy files of floats, in the form in which xf-run
/// writes results. Emits one error and fails if a file is not of this form, or if its weights do not fit a picture.
FailureOr<pattern::Picture> drawMaps(const XfcOptions &options, MLIRContext *context);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_DRAWMAPS_H
