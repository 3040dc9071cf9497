//===- GradientModels.h - The gradients of the dialect's ops ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_GRADIENTMODELS_H
#define XF_COMPILER_GRADIENT_GRADIENTMODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::xf {

/// Attaches DifferentiableOpInterface to every op of the dialect that has a gradient.
void registerGradientModels(DialectRegistry &registry);

// Attach the models of one family of ops each, in the file of the same name.
void attachAttentionGradients(MLIRContext &context);
void attachCheckpointGradients(MLIRContext &context);
void attachElementwiseGradients(MLIRContext &context);
void attachSelectionGradients(MLIRContext &context);
void attachProductGradients(MLIRContext &context);
void attachRowGradients(MLIRContext &context);
void attachShapeGradients(MLIRContext &context);
void attachTrainingGradients(MLIRContext &context);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_GRADIENTMODELS_H
