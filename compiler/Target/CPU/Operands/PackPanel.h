//===- PackPanel.h - The right operand of a product, in the order it is read -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_PACKPANEL_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_PACKPANEL_H

#include "compiler/Target/CPU/Machine/PrefetchStream.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// A part of a matrix B[k][n] that becomes one panel: `depth` values of k, `columns` (at most the panel's width) of n.
struct PanelSource {
  Value pointer; ///< to the first element
  Type element;
  Value strideK, strideN; ///< in elements; one of them is the constant 1
  Value depth, columns;
};

/// Writes panel[k][0, width) for k in [0, depth), zeros from `columns` on, as computeType(source.element).
void packPanel(KernelBuilder &kb, const PanelSource &source, Value panel, int64_t width);

/// The lines of a part that will become a panel. Those that do not lie at one distance are left to the hardware.
CacheLines linesOf(KernelBuilder &kb, const PanelSource &source, int64_t width);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_PACKPANEL_H
