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
#include "compiler/Tile/Attend/TileReasons.h"
#include "compiler/Tile/Contract/Product.h"
#include "dialects/xft/IR/XftBoxes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The number of rows of a warp. Each warp has a flag that tells whether its results are non-finite.
static constexpr int64_t rowsOfWarp = 16;

AttendKernels NvgpuTileModel::attendKernels(AttentionOp op, HostBuilder &host, const QueryOrder &order,
                                            ArrayRef<Buffer> operands, bool resume, bool save) const {
  std::optional<WarpgroupTile> found;
  if (!(resume && save))
    found = warpgroupTileOf(op, host, machine, order, operands);
  if (!found)
    return GpuTileModel::attendKernels(op, host, order, operands, resume, save);
  auto schedule = [&](bool recheck) -> xft::AttendSchedule {
    return xft::WarpgroupTilesAttr::get(op.getContext(), found->tile, found->groups, recheck);
  };
  return {{schedule(false), schedule(true)}, found->tile.getQueries() / rowsOfWarp};
}

AttendKernels NvgpuTileModel::attendVjpKernels(AttentionVjpOp op, HostBuilder &host, xft::VjpSide side, PieceAttr piece,
                                               TilesAttr tiles, ArrayRef<Buffer> operands) const {
  std::optional<WarpgroupTile> found =
      vjpWarpgroupTileOf(op, host, machine, side, piece, static_cast<bool>(tiles), operands);
  if (!found)
    return GpuTileModel::attendVjpKernels(op, host, side, piece, tiles, operands);
  int64_t resident = side == xft::VjpSide::rows ? found->tile.getQueries() : found->tile.getKeys();
  MLIRContext *context = op.getContext();
  return {{xft::WarpgroupTilesAttr::get(context, found->tile, found->groups, /*recheck=*/false),
           xft::WarpTilesAttr::get(context, recheckVjpTile(side, *found), /*recheck=*/true)},
          resident / rowsOfWarp};
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

static PairWork workOf(const AttentionShape &shape) {
  return {shape.hasScoreRegion, shape.hasPredicate, shape.hasDropout};
}

static std::optional<WarpgroupTile> findWarpgroupTile(const AttentionShape &shape, const NvgpuMachine &machine,
                                                      Type element) {
  if (!shape.hasSoftmax || hasFewRows(shape.queries))
    return std::nullopt;
  return attendWarpgroupTile(element.getContext(), machine, element, shape.queries, shape.depth, shape.valueDepth,
                             shape.pieces, workOf(shape));
}

xft::AttendTileAttr NvgpuTileModel::tileOf(const AttentionShape &shape, bool isGradient, Type element) const {
  if (!isGradient && !ShapedType::isDynamic(shape.depth) && !ShapedType::isDynamic(shape.valueDepth))
    if (std::optional<WarpgroupTile> groups = findWarpgroupTile(shape, machine, element))
      return groups->tile;
  return GpuTileModel::tileOf(shape, isGradient, element);
}

static SmallVector<std::string> warpgroupReasons(const WarpgroupTile &tile, const AttentionShape &shape,
                                                 const NvgpuMachine &machine) {
  int64_t consumers = tile.groups.getConsumers(), queries = tile.tile.getQueries();
  return {
      llvm::formatv("rows: {0} of each of {1} groups of warps, beside one that copies", queries / consumers, consumers),
      llvm::formatv("registers: sums, scores and weights are {0} of a thread's",
                    warpgroupRegisters(tile, shape.valueDepth)),
      llvm::formatv("keys: {0} blocks of {1} at once, with which rows of q, o, k and v are {2} of the {3} of shared "
                    "memory of a block",
                    tile.groups.getStages(), tile.tile.getKeys(),
                    bytesText(warpgroupBytes(tile, shape.depth, shape.valueDepth, shape.pieces.size(), workOf(shape))),
                    bytesText(machine.sharedBytes)),
      llvm::formatv("queries: blocks of {0}", queries)};
}

SmallVector<std::string> NvgpuTileModel::tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape,
                                                     bool isGradient, Type element) const {
  if (!isGradient)
    if (std::optional<WarpgroupTile> groups = findWarpgroupTile(shape, machine, element);
        groups && groups->tile == tile)
      return warpgroupReasons(*groups, shape, machine);
  return GpuTileModel::tileReasons(tile, shape, isGradient, element);
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

/// Returns the index of a value among the operands of the launch. In a kernel, `kernelPrefix` arguments precede the
/// operands; in a function that only serves as the key of a kernel, no arguments do.
static int64_t numberOf(Value operand) {
  auto argument = cast<BlockArgument>(operand);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return argument.getArgNumber() - (xft::isKernel(function) ? xft::kernelPrefix : 0);
}

/// Returns the tensor maps of the operands that a kernel of warpgroups copies by TMA.
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
      .Case<xft::AttendFewOp>([](auto kernel) { limitBlocks(kernel, fewBlocks); })
      .Case<xft::MergeSlicesOp>([](auto kernel) { limitBlocks(kernel, mergeBlocks); });
  // A recheck kernel, which most often finds nothing to do.
  if (auto side = dyn_cast<xft::AttendVjpSide>(op); side && side.getFlags() && !side.getWarpgroups())
    limitBlocks(op, 1);
}
