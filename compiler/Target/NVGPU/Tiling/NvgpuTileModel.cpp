//===- NvgpuTileModel.cpp - Tiles on NVIDIA's GPUs ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Tiling/NvgpuTileModel.h"
#include "compiler/Target/NVGPU/Tiling/AttentionVjpWarpgroups.h"
#include "compiler/Target/NVGPU/Tiling/KernelResources.h"
#include "compiler/Target/NVGPU/Tiling/ProductWarpgroups.h"
#include "compiler/Tile/Contract/Product.h"
#include "dialects/xft/IR/XftBoxes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

NvgpuTileModel::NvgpuTileModel(const NvgpuMachine &machine) : machine(machine) {
  attentionForms.insert(std::prev(attentionForms.end()), warpgroupsForm(this->machine)); // rather than warps
}

std::string NvgpuTileModel::resourcesOf(func::FuncOp kernel) const {
  std::optional<KernelResources> resources = expectedResources(kernel);
  return resources ? resources->text() : "";
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

ProductTile NvgpuTileModel::productTile(HostBuilder &host, const Product &product) const {
  std::optional<ProductShape> shape = productWarpgroupShape(host, machine, product);
  if (!shape)
    return GpuTileModel::productTile(host, product);
  auto [block, columns, groups] = *productWarpgroupTile(host.b.getContext(), machine, *shape);
  return {xft::ContractOp::groupRows, columns, block, xft::ContractOp::runTerms, 1, /*widened=*/false, groups};
}

int64_t NvgpuTileModel::splitK(HostBuilder &host, const Product &product) const {
  return splitKSlices(host, machine, product);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Returns the index of `operand` among the operands of the launch. In a kernel, `kernelPrefix` arguments precede the
/// operands. A function that is only compared, to find an equal kernel, has no such arguments.
static int64_t numberOf(Value operand) {
  auto argument = cast<BlockArgument>(operand);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return argument.getArgNumber() - (xft::isKernel(function) ? xft::kernelPrefix : 0);
}

/// Returns the tensor maps of the operands that a kernel of warpgroups copies by TMA, as an attribute.
static ArrayAttr mapsOf(xft::AttendOp op) {
  SmallVector<xft::RankBoxes> boxes;
  for (auto piece : op.getPieces().getAsRange<PieceAttr>())
    boxes.push_back({piece.getKeys(), op.getTile().getKeys()});
  ArrayAttr streamed = tensorMaps(op.getContext(), boxes, {numberOf(op.getKeys()[0]), numberOf(op.getValues()[0])});
  xft::RankBoxes queries{op.getQueries(), op.getTile().getQueries()}, outputs{op.getQueries(), rowsOfWarp};
  if (!queries.existAnywhere())
    return streamed;
  SmallVector<Attribute> maps(streamed.getValue());
  llvm::append_range(maps, tensorMaps(op.getContext(), queries, {numberOf(op.getQ())}));
  if (!op.getSave())
    llvm::append_range(maps, tensorMaps(op.getContext(), outputs, {numberOf(op.getO())}));
  return ArrayAttr::get(op.getContext(), maps);
}

static ArrayAttr mapsOf(xft::AttendVjpSide op) {
  SmallVector<int64_t> streamed = {numberOf(op.getK()), numberOf(op.getV())};
  if (op.getSide() == xft::VjpSide::keys)
    streamed = {numberOf(op.getQ()), numberOf(op.getDO())};
  return vjpTensorMaps(op.getSide(), op.getPiece(), op.getTile(), streamed);
}

static ArrayAttr mapsOf(xft::ContractOp op) {
  return ArrayAttr::get(op.getContext(),
                        {xft::contractMap(op, /*isRight=*/false), xft::contractMap(op, /*isRight=*/true)});
}

static void limitBlocks(Operation *kernel, int64_t perProcessor) {
  auto i64 = IntegerType::get(kernel->getContext(), 64);
  kernel->getParentOp()->setAttr(xft::blocksPerProcessorAttrName, IntegerAttr::get(i64, perProcessor));
}

void NvgpuTileModel::describeLaunch(Operation *op) const {
  // Blocks that run one after the other fill in for each other, but many tasks of few rows may have nothing to do.
  // Those that add slices have nothing to do where warps do it.
  constexpr int64_t fewBlocks = 16, mergeBlocks = 2;
  llvm::TypeSwitch<Operation *>(op)
      .Case<xft::AttendOp, xft::AttendVjpSide, xft::ContractOp>([](auto kernel) {
        if (!kernel.getWarpgroups())
          return;
        kernel->getParentOp()->setAttr(xft::tensorMapsAttrName, mapsOf(kernel));
        limitBlocks(kernel, 1);
      })
      .Case<xft::AttendDecodeOp>([](auto kernel) { limitBlocks(kernel, fewBlocks); })
      .Case<xft::MergeSlicesOp>([](auto kernel) { limitBlocks(kernel, mergeBlocks); });
  // A recheck kernel, which most often finds nothing to do.
  if (auto side = dyn_cast<xft::AttendVjpSide>(op); side && side.getFlags() && !side.getWarpgroups())
    limitBlocks(op, 1);
}
