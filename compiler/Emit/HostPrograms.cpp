//===- HostPrograms.cpp - The host programs of a module -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/HostPrograms.h"
#include "compiler/Emit/BuildHostTable.h"
#include "dialects/xf/Sharding/XfSharding.h"

using namespace mlir;
using namespace mlir::xf;

/// Appends the elements of every constant (memref.global) of the module to `bytes`, and returns the byte offset of each
/// constant by name.
static ConstantOffsets collectConstants(ModuleOp module, std::string &bytes) {
  ConstantOffsets offsets;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    bytes.resize(llvm::alignTo(bytes.size(), 64));
    offsets[global.getSymName()] = bytes.size();
    auto value = cast<DenseElementsAttr>(*global.getInitialValue());
    if (value.getElementType().isInteger(1))
      for (bool element : value.getValues<bool>())
        bytes.push_back(element);
    else if (value.isSplat()) // raw data holds one element
      for (int64_t n = 0; n < value.getNumElements(); ++n)
        bytes.append(value.getRawData().begin(), value.getRawData().end());
    else
      bytes.append(value.getRawData().begin(), value.getRawData().end());
  }
  return offsets;
}

/// Returns a builder that inserts functions after the last kernel of a module, before the functions that kernels call.
/// If the module has no kernel, the builder inserts them at the end.
static OpBuilder builderBehindKernels(ModuleOp module) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  for (auto function : module.getOps<func::FuncOp>())
    if (xft::isKernel(function))
      b.setInsertionPointAfter(function);
  return b;
}

LogicalResult xf::takeHostPrograms(ModuleOp module, ModuleOp host, ModelTables &tables) {
  ConstantOffsets constants = collectConstants(module, tables.constants);
  HeldForms held = HeldForms::of(module);
  tables.heldCount = held.forms.size();
  tables.heldBytes = held.bytes;
  if (MeshAttr mesh = meshOf(module))
    for (auto [axis, ranks] : llvm::zip(mesh.getAxes(), mesh.getSizes()))
      tables.axes.emplace_back(axis.str(), ranks);
  OpBuilder functions = builderBehindKernels(host);
  SmallVector<func::FuncOp> programs =
      llvm::filter_to_vector(module.getOps<func::FuncOp>(), [](func::FuncOp f) { return xft::isEntry(f); });
  for (func::FuncOp program : programs) {
    FailureOr<HostTable> table = buildHostTable(program, constants, held, functions);
    if (failed(table))
      return failure();
    tables.entries.push_back(std::move(*table));
  }
  for (func::FuncOp program : programs)
    program.erase();
  for (auto global : llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
    global.erase();
  return success();
}
