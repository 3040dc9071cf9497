//===- PrepackedWeights.cpp - Weights packed once -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs weights for handles that hold parameters (xfrt_options::hold_parameters). Every product with a weight then has
// two launches, and a call runs one of them:
//   %panels = memref.alloc() {xft.held = "fc1.weight .."}                     the same memory in all entries
//   xft.launch @pack_panels_.. tiles(%n) (%w, %panels) {xft.fills_held}       once, until the parameter changes
//   xft.launch @contract_..    tiles(%m) (%x, %w, %y) {xft.if_not_held}       packs by itself in every call
//   xft.launch @contract_..    tiles(%m) (%x, %panels, %y) {xft.if_held}
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Contract/PrepackedWeights.h"
#include "compiler/Tile/Contract/Product.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "dialects/xft/IR/XftHeld.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

MemRefType xf::panelsType(const HostBuilder &host, const Buffer &panels, int64_t columns) {
  SmallVector<int64_t> sizes(panels.rank(), ShapedType::kDynamic), strides = sizes;
  sizes.back() = strides.end()[-2] = columns;
  strides.back() = 1;
  return host.operandType(panels.element, sizes, strides);
}

/// Returns the matrix [K, N] if b repeats one matrix along all of its batch dimensions. Returns nullopt if the matrices
/// of b may differ.
static std::optional<Buffer> repeatedMatrix(const Buffer &b) {
  for (int64_t d = b.rank() - 3; d >= 0; --d)
    if (HostBuilder::constant(b.strides[d]) != 0 && HostBuilder::constant(b.sizes[d]) != 1)
      return std::nullopt;
  Buffer matrix = b;
  matrix.sizes.erase(matrix.sizes.begin(), matrix.sizes.end() - 2);
  matrix.strides.erase(matrix.strides.begin(), matrix.strides.end() - 2);
  return matrix;
}

/// Returns the key by which a handle finds prepacked panels. It is made of the parameter's name, the part of the
/// parameter that is packed, the columns and the element type of a panel, and the number of interleaved terms.
static std::string keyOf(StringRef parameter, const Buffer &matrix, int64_t columns, int64_t terms) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << parameter;
  for (Size number : llvm::concat<const Size>(matrix.sizes, matrix.strides, ArrayRef(matrix.offset)))
    os << ' ' << *HostBuilder::constant(number);
  os << " panels of " << columns << ' ' << matrix.element;
  if (terms > 1)
    os << " by " << terms << " terms";
  return key;
}

/// Returns the name of the parameter of which `buffer` is a view. Returns nullopt if there is none, if a call of the
/// entry changes the parameter, or if an offset, size or stride is dynamic.
static std::optional<StringRef> parameterOf(const Buffer &buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer.root);
  auto isConstant = [](Size size) { return HostBuilder::constant(size).has_value(); };
  if (!argument || !isConstant(buffer.offset) || !llvm::all_of(buffer.sizes, isConstant) ||
      !llvm::all_of(buffer.strides, isConstant))
    return std::nullopt;
  auto host = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto parameter = host.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "xf.parameter");
  for (unsigned number = 0; parameter && number < host.getNumArguments(); ++number)
    if (hasName(host, argument.getArgNumber(), host.getArgAttrOfType<StringAttr>(number, "xf.updates")))
      return std::nullopt;
  return parameter ? std::optional(parameter.getValue()) : std::nullopt;
}

/// Returns the type of a kernel's operand for a matrix. Only the unit stride that xft.contract requires is static.
static MemRefType matrixType(const HostBuilder &host, const Buffer &matrix) {
  SmallVector<int64_t> sizes(2, ShapedType::kDynamic), strides = sizes;
  strides[HostBuilder::constant(matrix.strides[1]) == 1 ? 1 : 0] = 1;
  return host.operandType(matrix.element, sizes, strides);
}

void xf::launchMarked(HostBuilder &host, func::FuncOp kernel, Size tiles, ValueRange operands, StringRef mark) {
  if (xft::LaunchOp launch = host.launch(kernel, tiles, operands); launch && !mark.empty())
    launch->setAttr(mark, host.b.getUnitAttr());
}

std::optional<Buffer> xf::prepackPanels(HostBuilder &host, const Buffer &b, Type element, int64_t columns,
                                        int64_t terms) {
  std::optional<Buffer> matrix = repeatedMatrix(b);
  std::optional<StringRef> parameter = matrix ? parameterOf(*matrix) : std::nullopt;
  if (!parameter)
    return std::nullopt;
  int64_t depth = *HostBuilder::constant(matrix->sizes[0]), width = *HostBuilder::constant(matrix->sizes[1]);
  if (depth == 0 || width == 0)
    return std::nullopt;
  int64_t count = llvm::divideCeil(width, columns), paddedDepth = llvm::alignTo(depth, terms);
  auto type = MemRefType::get({count, paddedDepth, columns}, element);
  auto alloc = memref::AllocOp::create(host.b, host.loc, type);
  alloc->setAttr(xft::heldAttrName, host.b.getStringAttr(keyOf(*parameter, *matrix, columns, terms)));
  Buffer panels = host.whole(alloc);
  SmallVector<Type, 2> types = {matrixType(host, *matrix), panelsType(host, panels, columns)};
  auto kernel = host.kernel("pack_panels", "", types, [](OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands) {
    xft::PackPanelsOp::create(b, loc, operands[0], operands[1]);
  });
  launchMarked(host, kernel, host.size(count), {host.memref(*matrix), host.memref(panels)}, xft::fillsHeldAttrName);
  return repeated(host, panels, ArrayRef(b.sizes).drop_back(2));
}
