//===- XfSharding.cpp - Parsing and checking meshes and shardings ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::xf;

using Error = function_ref<InFlightDiagnostic()>; // exactly what the generated getChecked takes

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> axes;
  SmallVector<int64_t> sizes;
  SMLoc start = parser.getCurrentLocation();
  auto parseAxis = [&]() -> ParseResult {
    return failure(parser.parseAttribute(axes.emplace_back()) || parser.parseEqual() ||
                   parser.parseInteger(sizes.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseAxis))
    return {};
  auto emitError = [&] { return parser.emitError(start); };
  return getChecked(Error(emitError), parser.getContext(), ArrayRef(axes), ArrayRef(sizes));
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(llvm::zip(getAxes(), getSizes()), printer, [&](auto axis) {
    printer.printAttributeWithoutType(std::get<0>(axis));
    printer << " = " << std::get<1>(axis);
  });
  printer << '>';
}

LogicalResult MeshAttr::verify(Error emitError, ArrayRef<StringAttr> axes, ArrayRef<int64_t> sizes) {
  constexpr int64_t mostRanks = 1 << 16;
  if (axes.empty() || axes.size() != sizes.size()) // C1
    return emitError() << "expected the axes of a mesh, each with its number of ranks, got none";
  int64_t ranks = 1, open = 0;
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (axis.getValue().empty() || llvm::is_contained(axes.take_front(number), axis)) // C1
      return emitError() << "expected names of axes that are not empty and differ, got " << axis;
    if (sizes[number] < 0 || sizes[number] > mostRanks) // C2
      return emitError() << "expected from 0 to " << mostRanks << " ranks for the axis " << axis << ", got "
                         << sizes[number];
    open += sizes[number] == 0;
    ranks *= std::max<int64_t>(1, sizes[number]);
    if (ranks > mostRanks) // C2
      return emitError() << "expected a mesh of at most " << mostRanks << " ranks, got " << ranks << " or more";
  }
  if (open > 1) // C2
    return emitError() << "expected one axis at most with 0, as many ranks as there are, got " << open;
  return success();
}

std::optional<int64_t> MeshAttr::getSize(StringRef axis) const {
  for (auto [name, size] : llvm::zip(getAxes(), getSizes()))
    if (name.getValue() == axis)
      return size;
  return std::nullopt;
}

MeshAttr mlir::xf::meshOf(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto module = dyn_cast<ModuleOp>(op))
      if (auto mesh = module->getAttrOfType<MeshAttr>(kMeshAttrName))
        return mesh;
  return {};
}

bool mlir::xf::hasKeysOrder(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isa<ModuleOp>(op) && op->hasAttr(kKeysOrderAttrName))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SmallVector<ArrayAttr> dims;
  SmallVector<int64_t> chunks;
  SMLoc start = parser.getCurrentLocation();
  auto parseDim = [&]() -> ParseResult {
    SmallVector<Attribute> axes;
    int64_t &count = chunks.emplace_back(1);
    auto parseAxis = [&]() -> ParseResult {
      StringAttr axis;
      if (parser.parseAttribute(axis))
        return failure();
      axes.push_back(axis);
      StringRef word;
      if (failed(parser.parseOptionalKeyword(&word, {"zigzag", "dealt"}))) // older programs say dealt
        return success();
      SMLoc place = parser.getCurrentLocation();
      if (parser.parseInteger(count))
        return failure();
      if (count < 2) // C4
        return parser.emitError(place, "expected 2 to 64 chunks of each rank, got ") << count;
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseAxis))
      return failure();
    dims.push_back(ArrayAttr::get(parser.getContext(), axes));
    return success();
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim) ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(start); };
  return getChecked(Error(emitError), parser.getContext(), ArrayRef(dims), ArrayRef(chunks));
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip(getDims(), getChunks()), printer, [&](auto dim) {
    auto [axes, chunks] = dim;
    printer << '{';
    llvm::interleaveComma(axes, printer, [&](Attribute axis) { printer.printAttributeWithoutType(axis); });
    if (chunks != 1)
      printer << " zigzag " << chunks;
    printer << '}';
  });
  printer << "]>";
}

LogicalResult ShardingAttr::verify(Error emitError, ArrayRef<ArrayAttr> dims, ArrayRef<int64_t> chunks) {
  if (dims.size() != chunks.size())
    return emitError() << "expected chunks of " << dims.size() << " dimensions, got " << chunks.size();
  for (auto [axes, count] : llvm::zip(dims, chunks)) {
    if (count < 1 || count > kMostChunks) // C4
      return emitError() << "expected 2 to " << kMostChunks << " chunks of each rank, got " << count;
    if (count > 1 && axes.size() != 1) // C4
      return emitError() << "expected one axis of a dimension with zigzag chunks, got " << axes;
  }
  SmallVector<Attribute> seen;
  for (ArrayAttr axes : dims)
    for (Attribute axis : axes) {
      if (!isa<StringAttr>(axis))
        return emitError() << "expected the name of an axis, got " << axis;
      if (llvm::is_contained(seen, axis)) // C1
        return emitError() << "expected each axis of a sharding once, got " << axis << " twice";
      seen.push_back(axis);
    }
  return success();
}

bool ShardingAttr::isWhole() const {
  return llvm::all_of(getDims(), [](ArrayAttr axes) { return axes.empty(); });
}

int64_t mlir::xf::ranksOf(MeshAttr mesh, ArrayAttr axes) {
  int64_t ranks = mesh ? 1 : 0;
  for (StringAttr axis : axes.getAsRange<StringAttr>())
    ranks *= mesh ? mesh.getSize(axis.getValue()).value_or(0) : 0;
  return ranks;
}

LogicalResult mlir::xf::verifySharding(ShardingAttr sharding, Type type, Operation *op) {
  auto shaped = dyn_cast<ShapedType>(type); // a tensor, or the buffer that it is in a host program
  int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0, given = int64_t(sharding.getDims().size());
  if (given != rank) // #xf.sharding C2
    return op->emitOpError("expected axes for ")
           << rank << " dimensions in a sharding of " << type << ", got " << given;
  MeshAttr mesh = meshOf(op);
  for (ArrayAttr axes : sharding.getDims())
    for (StringAttr axis : axes.getAsRange<StringAttr>()) {
      if (!mesh) // #xf.sharding C3
        return op->emitOpError("expected a module with 'xf.mesh' for a sharding over ") << axis << ", got none";
      if (!mesh.getSize(axis.getValue())) // #xf.sharding C3
        return op->emitOpError("expected an axis of ") << mesh << " in a sharding, got " << axis;
    }
  return success();
}
