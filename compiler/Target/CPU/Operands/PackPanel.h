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

/// The source of one panel: a part of a matrix B[k][n] with `depth` rows (k) and `columns` columns (n). The panel may
/// have more columns.
struct PanelSource {
  Value pointer; ///< to the first element
  Type element;
  Value strideK, strideN; ///< in elements; one of them is the constant 1
  Value depth, columns;
};

/// Packs `source` into `panel` [depth][width] as the right operand of products of `form`. Converts elements to
/// form.packed, and stores zeros from column `columns` on. If an instruction takes several terms, the layout is panel[k
/// div terms][n][k mod terms], with zeros up to whole groups of terms. Then source.element must be form.packed.
void packPanel(KernelBuilder &kb, const ProductForm &form, const PanelSource &source, Value panel, int64_t width);

/// Returns the cache lines of the source of a panel of `width` columns, for a prefetch. Returns no lines if they are
/// not evenly spaced; the hardware prefetcher finds such lines.
CacheLines linesOf(KernelBuilder &kb, const PanelSource &source, int64_t width);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_PACKPANEL_H
