//===- PackPanel.h - Packing of right operands ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_PACKPANEL_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_PACKPANEL_H

#include "compiler/Target/CPU/Machine/PrefetchStream.h"
#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The source of one panel, a part of a matrix B[k][n]: `depth` rows (k), `columns` columns (n), at most the width of
/// the panel.
struct PanelSource {
  Value pointer; ///< to the first element
  Type element;
  Value strideK, strideN; ///< in elements; one of them is the constant 1
  Value depth, columns;
};

/// Packs panel[k][0, width) for k in [0, depth), with zeros from `columns` on, as the right operand of products of
/// `form`: converted to its type; with several terms, panel[k div terms][n][k mod terms] and zeros up to whole terms.
void packPanel(KernelBuilder &kb, const ProductForm &form, const PanelSource &source, Value panel, int64_t width);

/// Returns the cache lines of a panel's source, to prefetch. None for lines at uneven distances, which are left to the
/// hardware prefetcher.
CacheLines linesOf(KernelBuilder &kb, const PanelSource &source, int64_t width);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_PACKPANEL_H
