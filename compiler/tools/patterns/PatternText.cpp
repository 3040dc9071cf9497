//===- PatternText.cpp - Solved patterns for people -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/patterns/PatternText.h"
#include "compiler/Pattern/Describe.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

SmallVector<SolutionAttr> xf::solutionsOf(Operation *attention) {
  auto entries = attention->getAttrOfType<ArrayAttr>(kSolutionAttrName);
  return entries ? llvm::to_vector(entries.getAsRange<SolutionAttr>()) : SmallVector<SolutionAttr>();
}

SmallVector<std::string> xf::pieceLines(ArrayRef<SolutionAttr> solutions) {
  SmallVector<std::string> lines;
  for (auto [number, solution] : llvm::enumerate(solutions)) {
    std::string heads;
    if (solutions.size() > 1)
      heads = llvm::formatv("heads {0} mod {1}: ", number, solutions.size()).str();
    for (PieceAttr piece : solution.getPieces())
      lines.push_back(heads + pattern::describe(piece));
  }
  return lines;
}

std::string xf::countText(const llvm::json::Value &count) {
  if (auto number = count.getAsInteger())
    return std::to_string(*number);
  return count.getAsString() ? count.getAsString()->str() : "unknown";
}
