//===- GradientModels.cpp - The gradients of the dialect's ops ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;

void xf::registerGradientModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, XfDialect *) {
    attachAttentionGradients(*context);
    attachCheckpointGradients(*context);
    attachElementwiseGradients(*context);
    attachSelectionGradients(*context);
    attachProductGradients(*context);
    attachRowGradients(*context);
    attachShapeGradients(*context);
    attachTrainingGradients(*context);
  });
}
