//===- SelectEntries.cpp - The functions to compile -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/SelectEntries.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult xf::selectEntries(ModuleOp module, ArrayRef<std::string> entries) {
  if (entries.empty())
    return success();
  for (StringRef entry : entries)
    if (!module.lookupSymbol<func::FuncOp>(entry))
      return module.emitError("expected the name of an entry (")
             << llvm::join(llvm::map_range(module.getOps<func::FuncOp>(), [](auto f) { return f.getName(); }), ", ")
             << "), got '" << entry << "'";
  for (auto function : module.getOps<func::FuncOp>())
    llvm::is_contained(entries, function.getName()) ? function.setPublic() : function.setPrivate();
  return success();
}
