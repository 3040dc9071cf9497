//===- XftWork.cpp - The work of the steps of a host program --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftWork.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xft;

std::optional<int64_t> xft::bytesOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    bytes *= stride == 0 ? 1 : size;
  return bytes;
}

SmallVector<Value> xft::buffersOf(HostStep step) {
  SmallVector<Value> buffers = step.getReadBuffers();
  for (Value written : step.getWrittenBuffers())
    if (!llvm::is_contained(buffers, written))
      buffers.push_back(written);
  return buffers;
}

std::optional<double> xft::productFlop(LaunchOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
  if (!kernel || kernel.isExternal() || kernel.getOps<ContractOp>().empty())
    return std::nullopt;
  ContractOp product = *kernel.getOps<ContractOp>().begin();
  auto actual = [&](Value operand) -> MemRefType {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || argument.getOwner() != &kernel.front())
      return {};
    return dyn_cast<MemRefType>(launch.getActuals()[argument.getArgNumber() - kernelPrefix].getType());
  };
  MemRefType a = actual(product.getA()), out = actual(product.getOuts().front());
  if (!a || !out || !a.hasStaticShape() || !out.hasStaticShape())
    return std::nullopt;
  double elements = 1;
  for (int64_t size : out.getShape())
    elements *= double(size);
  return 2 * elements * double(a.getShape().back());
}

void xft::recordWork(HostStep step) {
  Builder b(step->getContext());
  double bytes = 0;
  for (Value buffer : buffersOf(step)) {
    std::optional<int64_t> moved = bytesOf(cast<MemRefType>(buffer.getType()));
    if (!moved)
      return;
    bytes += double(*moved);
  }
  step->setAttr(bytesAttrName, b.getF64FloatAttr(bytes));
  auto launch = dyn_cast<LaunchOp>(step.getOperation());
  if (!launch || launch->hasAttr(flopAttrName))
    return;
  if (std::optional<double> flop = productFlop(launch))
    launch->setAttr(flopAttrName, b.getF64FloatAttr(*flop));
}

static std::optional<double> numberOf(HostStep step, StringRef name) {
  auto number = step->getAttrOfType<FloatAttr>(name);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

std::optional<double> xft::flopOf(HostStep step) { return numberOf(step, flopAttrName); }
std::optional<double> xft::bytesOf(HostStep step) { return numberOf(step, bytesAttrName); }

//===----------------------------------------------------------------------===//
// Attentions
//===----------------------------------------------------------------------===//

static constexpr StringLiteral attentionAttrName = "xft.attention";

void xft::numberAttentions(ModuleOp module) {
  Builder b(module.getContext());
  int64_t number = 0;
  module.walk([&](Operation *op) {
    if (isa<xf::AttentionOp, xf::AttentionVjpOp>(op))
      op->setLoc(FusedLoc::get({op->getLoc()}, b.getI64IntegerAttr(number++), b.getContext()));
  });
}

std::optional<int64_t> xft::attentionNumber(Operation *attention) {
  auto numbered = attention->getLoc()->findInstanceOf<FusedLocWith<IntegerAttr>>();
  return numbered ? std::optional(numbered.getMetadata().getInt()) : std::nullopt;
}

void LaunchedAttention::setOn(LaunchOp launch) const {
  Builder b(launch.getContext());
  SmallVector<Attribute> of(pieces.begin(), pieces.end());
  NamedAttrList entries;
  entries.set("number", b.getI64IntegerAttr(number));
  entries.set("form", b.getStringAttr(form));
  entries.set("tile", b.getDenseI64ArrayAttr({rows, columns, wholeColumns, queries, keys}));
  entries.set("why", b.getStrArrayAttr(SmallVector<StringRef>(reasons.begin(), reasons.end())));
  entries.set("pieces", b.getArrayAttr(of));
  if (side)
    entries.set("side", b.getStringAttr(stringifyVjpSide(*side)));
  if (executedPairs)
    entries.set("executed_pairs", b.getF64FloatAttr(*executedPairs));
  launch->setAttr(attentionAttrName, entries.getDictionary(b.getContext()));
}

std::optional<LaunchedAttention> LaunchedAttention::of(LaunchOp launch) {
  auto entries = launch->getAttrOfType<DictionaryAttr>(attentionAttrName);
  if (!entries)
    return std::nullopt;
  ArrayRef<int64_t> tile = entries.getAs<DenseI64ArrayAttr>("tile").asArrayRef();
  LaunchedAttention launched{{tile[0], tile[1], tile[2], tile[3], tile[4]},
                             entries.getAs<IntegerAttr>("number").getInt(),
                             entries.getAs<StringAttr>("form"),
                             {},
                             {},
                             llvm::to_vector(entries.getAs<ArrayAttr>("pieces").getAsRange<xf::PieceAttr>())};
  if (auto executed = entries.getAs<FloatAttr>("executed_pairs"))
    launched.executedPairs = executed.getValueAsDouble();
  if (auto side = entries.getAs<StringAttr>("side"))
    launched.side = symbolizeVjpSide(side.getValue());
  for (auto reason : entries.getAs<ArrayAttr>("why").getAsRange<StringAttr>())
    launched.reasons.push_back(reason.str());
  return launched;
}
