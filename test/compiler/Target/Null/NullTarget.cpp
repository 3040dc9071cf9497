//===- NullTarget.cpp - A machine that nobody has, as a target ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NullTarget.h"
#include "compiler/Tile/Attend/Forms/BlocksForm.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct NullBlocks : BlocksForm {
  StringRef name() const override { return "null"; }
  std::optional<AttentionChoice> offer(const AttentionSite &site) const override {
    if (!site.order)
      return std::nullopt;
    return AttentionChoice{{xft::WarpTilesAttr::get(site.op->getContext(), plainTile(site), /*recheck=*/false)}};
  }
  int64_t stepColumns(xft::AttendTileAttr tile) const override { return tile.getWidth(); }
  int64_t wholeColumns(xft::AttendTileAttr tile) const override { return tile.getLanes(); }
  SmallVector<std::string> tileReasons(const AttentionSite &, const AttentionChoice &) const override {
    return {"because it is the null target"};
  }
};

/// Every number is one that neither CPUs nor GPUs choose, so that a test sees whom the stage `tile` has asked.
struct NullTileModel : TileModel {
  NullTileModel() { attentionForms.push_back(std::make_shared<NullBlocks>()); }
  static xft::AttendTileAttr tile(MLIRContext *context) {
    return xft::AttendTileAttr::get(context, /*rows=*/5, /*registers=*/1, /*lanes=*/7, /*queries=*/35, /*keys=*/70);
  }

  xft::AttendTileAttr attendTile(Type element, int64_t, int64_t) const override { return tile(element.getContext()); }
  xft::AttendTileAttr attendVjpTile(xft::VjpSide, Type element, int64_t, int64_t) const override {
    return tile(element.getContext());
  }
  bool splitsGradientBySide() const override { return true; }
  bool sumsColumnsInOrder() const override { return false; }
  ProductTile productTile(HostBuilder &, const Product &) const override {
    return {/*rows=*/3, /*columns=*/10, /*block=*/33, xft::ContractOp::runTerms};
  }
  Size rowBlocks(HostBuilder &host, ArrayRef<Size>, int64_t, int64_t) const override { return host.size(13); }
  int64_t reductionColumns(Type) const override { return 17; }
  Size reductionSlices(HostBuilder &host, Size, Size, Type, Size) const override { return host.size(1); }
  Size tableBlocks(HostBuilder &host, Size, Size) const override { return host.size(1); }
  xft::AttendTileAttr scanTile(Type real, int64_t) const override { return tile(real.getContext()); }
  void describeLaunch(Operation *op) const override {
    op->getParentOp()->setAttr("null.described", UnitAttr::get(op->getContext()));
  }
};

struct NullTarget : Target {
  MachineRef findMachine(const MachineOptions &) const override { return std::make_shared<Machine>(); }
  bool runs(const Machine &) const override { return true; }
  void registerDialects(DialectRegistry &) const override {}
  std::unique_ptr<TileModel> createTileModel(const Machine &) const override {
    return std::make_unique<NullTileModel>();
  }
  xfrt_device device() const override { return XFRT_CPU; }
  LogicalResult expandKernels(ModuleOp module, const Machine &) const override { return refuse(module); }
  LogicalResult lowerKernelAbi(func::FuncOp kernel) const override { return refuse(kernel); }
  void addLowering(OpPassManager &) const override {}

  static LogicalResult refuse(Operation *op) { return op->emitError("expected a target with code, got null"); }
};
} // namespace

const Target &null::getTarget() {
  static const NullTarget target;
  return target;
}
