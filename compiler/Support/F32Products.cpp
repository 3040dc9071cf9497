//===- F32Products.cpp - The precision of f32 products --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/F32Products.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr StringRef f32ProductsTable[] = {"exact", "tf32", "bf16x3"}; // as F32Products numbers them

ArrayRef<StringRef> xf::f32ProductsNames() { return f32ProductsTable; }

std::optional<F32Products> xf::f32ProductsOf(StringRef name) {
  auto *found = llvm::find(f32ProductsTable, name);
  if (found == std::end(f32ProductsTable))
    return std::nullopt;
  return static_cast<F32Products>(found - std::begin(f32ProductsTable));
}
