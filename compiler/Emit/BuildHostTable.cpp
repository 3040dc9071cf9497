//===- BuildHostTable.cpp - Tables of a host program ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/BuildHostTable.h"
#include "compiler/Emit/SizeFunctions.h"
#include "compiler/Emit/Symbols.h"
#include "compiler/Target/Kernel/Code/KernelOperands.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "dialects/xft/IR/XftHeld.h"
#include "dialects/xft/IR/XftWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

static std::optional<xfrt_dtype> dtypeOf(Type type) {
  if (type.isF32())
    return XFRT_F32;
  if (type.isF64())
    return XFRT_F64;
  if (type.isF16())
    return XFRT_F16;
  if (type.isBF16())
    return XFRT_BF16;
  if (type.isInteger(32))
    return XFRT_I32;
  if (type.isInteger(64))
    return XFRT_I64;
  if (type.isInteger(1))
    return XFRT_BOOL;
  return std::nullopt;
}

static HostTable::Tensor describe(func::FuncOp host, unsigned number, const std::string &fallback,
                                  const SymbolClasses &symbols) {
  auto type = cast<MemRefType>(host.getArgumentTypes()[number]);
  HostTable::Tensor tensor;
  tensor.dtype = *dtypeOf(type.getElementType());
  auto name = host.getArgAttrOfType<StringAttr>(number, "xf.name");
  tensor.name = name ? name.str() : fallback;
  for (auto [attribute, role] : {std::pair("xf.parameter", XFRT_PARAMETER), {"xf.state", XFRT_STATE}})
    if (auto owned = host.getArgAttrOfType<StringAttr>(number, attribute)) {
      tensor.role = role;
      tensor.name = owned.str();
    }
  if (auto range = host.getArgAttrOfType<DenseI64ArrayAttr>(number, "xf.range"))
    tensor.range = std::pair(range[0], range[1]);
  tensor.isOrdered = host.getArgAttr(number, "xft.ordered") != nullptr;
  tensor.isMarked = host.getArgAttr(number, "xft.marked") != nullptr;
  tensor.isPlace = host.getArgAttr(number, "xft.place") != nullptr;
  if (auto limit = host.getArgAttrOfType<DenseI64ArrayAttr>(number, "xft.limit"))
    if (int32_t symbol = symbols.symbol(limit[0], limit[1]); symbol >= 0)
      tensor.limit = std::pair(symbol, limit[2]);
  if (auto room = host.getArgAttrOfType<DenseI64ArrayAttr>(number, xft::roomAttrName)) {
    int32_t symbol = symbols.symbol(room[0], room[1]);
    if (symbol >= 0) {
      tensor.limit = std::pair(symbol, room[2]);
      tensor.limitFalls = true;
    } else { // equal to a static size
      auto argument = cast<MemRefType>(host.getArgumentTypes()[room[0]]);
      tensor.range->second = std::min(tensor.range->second, room[2] - argument.getDimSize(room[1]));
    }
  }
  for (int64_t d = 0; d < type.getRank(); ++d)
    tensor.dims.push_back({type.isDynamicDim(d) ? 0 : type.getDimSize(d), symbols.symbol(number, d)});
  if (auto sharding = host.getArgAttrOfType<ShardingAttr>(number, kShardingAttrName))
    for (auto [dim, axes] : llvm::enumerate(sharding.getDims()))
      for (StringAttr axis : axes.getAsRange<StringAttr>())
        tensor.shards.emplace_back(dim, axis.str());
  return tensor;
}

/// Returns the index of the argument that a result of the program replaces in place (xf.updates), or -1 if the result
/// replaces none. `number` is the index of the argument of `host` that receives the result.
static int32_t updatedArgument(func::FuncOp host, unsigned number) {
  auto updates = host.getArgAttrOfType<StringAttr>(number, "xf.updates");
  for (unsigned n = 0; updates && n < host.getNumArguments(); ++n)
    if (!host.getArgAttr(n, xft::resultAttrName) && hasName(host, n, updates))
      return n;
  return -1;
}

static void describeInterface(func::FuncOp host, const SymbolClasses &symbols, HostTable &table) {
  for (unsigned n = 0; n < host.getNumArguments(); ++n) {
    if (!host.getArgAttr(n, xft::resultAttrName)) {
      table.arguments.push_back(describe(host, n, "arg" + std::to_string(n), symbols));
      continue;
    }
    table.results.push_back(describe(host, n, "result" + std::to_string(table.results.size()), symbols));
    table.results.back().updates = updatedArgument(host, n);
  }
  table.symbols = symbols.symbols;
  table.symbolOfName = symbols.symbolOfName;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// Where a memref of the host program lies: its memory space, its index in this space, and the byte offset from there.
/// Also the sizes and strides of the memref.
struct Place {
  int32_t space = XFRT_ARENA, index = 0;
  OpFoldResult bytes;
  SmallVector<OpFoldResult> sizes, strides;
};

class TableBuilder {
public:
  TableBuilder(func::FuncOp host, const ConstantOffsets &constants, const HeldForms &held, HostTable &table)
      : host(host), b(host.getContext()), constants(constants), held(held), table(table) {}

  LogicalResult addStep(xft::HostStep step);
  int32_t slot(OpFoldResult size);
  /// The values that `prepare` must compute, each with the slot of the frame that receives it.
  SmallVector<std::pair<Value, int32_t>> computed;

private:
  void addLaunch(xft::LaunchOp launch);
  void addCopy(xft::CopyOp copy);
  LogicalResult addCollective(xft::CollectiveOp collective);
  std::pair<int32_t, int32_t> addRuns(const Place &buffer, int64_t elementBytes, std::optional<int64_t> dim,
                                      OpFoldResult part);
  Place place(Value memref);
  int32_t addOperand(const Place &operand);
  void addMap(xft::TensorMapAttr map, Type element, const Place &operand, int32_t number);
  OpFoldResult evaluate(AffineExpr expression, ArrayRef<OpFoldResult> dims);
  OpFoldResult scaled(OpFoldResult size, int64_t factor, OpFoldResult offset);
  OpFoldResult product(ArrayRef<OpFoldResult> sizes);

  func::FuncOp host;
  OpBuilder b;
  const ConstantOffsets &constants;
  const HeldForms &held;
  HostTable &table;
  DenseMap<int64_t, int32_t> constantSlots;
  DenseMap<Value, int32_t> valueSlots;
  DenseMap<Operation *, int32_t> collectiveRows;
};
} // namespace

int32_t TableBuilder::slot(OpFoldResult size) {
  if (auto constant = getConstantIntValue(size)) {
    auto [found, isNew] = constantSlots.try_emplace(*constant, table.frame.size());
    if (isNew)
      table.frame.push_back(*constant);
    return found->second;
  }
  Value value = cast<Value>(size);
  auto [found, isNew] = valueSlots.try_emplace(value, table.frame.size());
  if (isNew) {
    computed.push_back({value, found->second});
    table.frame.push_back(std::nullopt);
  }
  return found->second;
}

/// Builds size * factor + offset. Folds constants.
OpFoldResult TableBuilder::scaled(OpFoldResult size, int64_t factor, OpFoldResult offset) {
  auto x = getConstantIntValue(size), y = getConstantIntValue(offset);
  if (x && y)
    return b.getIndexAttr(*x * factor + *y);
  auto value = [&](OpFoldResult r) { return getValueOrCreateConstantIndexOp(b, host.getLoc(), r); };
  Value product = arith::MulIOp::create(b, host.getLoc(), value(size), value(b.getIndexAttr(factor)));
  return y == 0 ? product : Value(arith::AddIOp::create(b, host.getLoc(), product, value(offset)));
}

OpFoldResult TableBuilder::product(ArrayRef<OpFoldResult> sizes) {
  OpFoldResult result = b.getIndexAttr(1);
  for (OpFoldResult size : sizes) {
    if (auto constant = getConstantIntValue(size))
      result = scaled(result, *constant, b.getIndexAttr(0));
    else if (auto constant = getConstantIntValue(result))
      result = scaled(size, *constant, b.getIndexAttr(0));
    else
      result = arith::MulIOp::create(b, host.getLoc(), cast<Value>(result), cast<Value>(size)).getResult();
  }
  return result;
}

static int64_t elementBytes(Value memref) {
  return (cast<MemRefType>(memref.getType()).getElementTypeBitWidth() + 7) / 8;
}

Place TableBuilder::place(Value memref) {
  Place result;
  result.bytes = b.getIndexAttr(0);
  auto type = cast<MemRefType>(memref.getType());
  if (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>()) {
    result = place(cast.getSource());
    b.setInsertionPoint(cast);
    result.bytes = scaled(cast.getMixedOffsets()[0], elementBytes(memref), result.bytes);
    result.sizes = cast.getMixedSizes();
    result.strides = cast.getMixedStrides();
    return result;
  }
  int64_t stride = 1; // a root that is an operand as it is has a static shape
  for (int64_t extent : llvm::reverse(type.getShape())) {
    result.sizes.insert(result.sizes.begin(), b.getIndexAttr(extent));
    result.strides.insert(result.strides.begin(), b.getIndexAttr(stride));
    stride *= extent;
  }
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    auto number = host.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), xft::resultAttrName);
    result.space = number ? XFRT_RESULT : XFRT_ARGUMENT;
    result.index = number ? number.getInt() : argument.getArgNumber();
  } else if (auto arena = memref.getDefiningOp<xft::ArenaOp>()) {
    result.bytes = getAsOpFoldResult(arena.getOffset());
  } else if (StringAttr key = xft::heldKey(memref)) {
    result.space = XFRT_HELD;
    result.bytes = b.getIndexAttr(held.forms.lookup(key).offset);
  } else {
    result.space = XFRT_CONSTANT;
    result.bytes = b.getIndexAttr(constants.lookup(memref.getDefiningOp<memref::GetGlobalOp>().getName()));
  }
  return result;
}

/// Builds the value of an affine expression of a tensor map, given the values of its dimensions. The right operands of
/// binary operations must be constants, and no term may be negative.
OpFoldResult TableBuilder::evaluate(AffineExpr expression, ArrayRef<OpFoldResult> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return b.getIndexAttr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  OpFoldResult left = evaluate(binary.getLHS(), dims);
  int64_t right = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  std::optional<int64_t> known = getConstantIntValue(left);
  AffineExprKind kind = expression.getKind();
  if (known)
    return b.getIndexAttr(kind == AffineExprKind::Add   ? *known + right
                          : kind == AffineExprKind::Mul ? *known * right
                          : kind == AffineExprKind::Mod ? *known % right
                                                        : *known / right);
  if (kind == AffineExprKind::Mul)
    return scaled(left, right, b.getIndexAttr(0));
  if (kind == AffineExprKind::Add)
    return scaled(left, 1, b.getIndexAttr(right));
  Value x = cast<Value>(left), y = getValueOrCreateConstantIndexOp(b, host.getLoc(), b.getIndexAttr(right));
  return kind == AffineExprKind::Mod ? arith::RemUIOp::create(b, host.getLoc(), x, y).getResult()
                                     : arith::DivUIOp::create(b, host.getLoc(), x, y).getResult();
}

/// Adds `map` as the tensor map of buffer `number` of a launch. `operand` is the buffer, with elements of type
/// `element`.
void TableBuilder::addMap(xft::TensorMapAttr map, Type element, const Place &operand, int32_t number) {
  HostTable::TensorMap row{number, *dtypeOf(element), {}, {}, SmallVector<int64_t>(map.getBox())};
  for (AffineExpr size : map.getSizes().getResults())
    row.sizes.push_back(slot(evaluate(size, operand.sizes)));
  for (AffineExpr stride : map.getStrides().getResults())
    row.strides.push_back(slot(evaluate(stride, operand.strides)));
  table.maps.push_back(std::move(row));
}

/// Adds a buffer operand of a step and returns its index. The insertion point must be at the step.
int32_t TableBuilder::addOperand(const Place &operand) {
  bool atStart = getConstantIntValue(operand.bytes) == 0;
  table.operands.push_back({operand.space, operand.index, atStart ? -1 : slot(operand.bytes)});
  return static_cast<int32_t>(table.operands.size()) - 1;
}

void TableBuilder::addLaunch(xft::LaunchOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
  HostTable::Launch row{launch.getKernel().str(),
                        slot(getAsOpFoldResult(launch.getTiles())),
                        static_cast<int32_t>(table.operands.size()),
                        0,
                        static_cast<int32_t>(table.scalars.size()),
                        0};
  SmallVector<Place, 0> places;
  SmallVector<int32_t> buffers; // the buffer's number of each operand, or -1
  for (Value actual : launch.getActuals()) {
    places.emplace_back();
    buffers.push_back(-1);
    if (!isa<MemRefType>(actual.getType()))
      continue;
    buffers.back() = static_cast<int32_t>(table.operands.size()) - row.firstOperand;
    places.back() = place(actual);
    b.setInsertionPoint(launch);
    addOperand(places.back());
  }
  for (const kernel::ScalarSource &source :
       kernel::kernelScalars(TypeRange(kernel.getArgumentTypes()).slice(xft::kernelPrefix, places.size()))) {
    const Place &from = places[source.operand];
    OpFoldResult size = source.kind == kernel::ScalarSource::Index
                            ? getAsOpFoldResult(launch.getActuals()[source.operand])
                        : source.kind == kernel::ScalarSource::Size ? from.sizes[source.dimension]
                                                                    : from.strides[source.dimension];
    table.scalars.push_back(slot(size));
  }
  row.firstMap = table.maps.size();
  if (auto maps = kernel->getAttrOfType<ArrayAttr>(xft::tensorMapsAttrName))
    for (auto map : maps.getAsRange<xft::TensorMapAttr>()) {
      Value operand = launch.getActuals()[map.getOperand()];
      addMap(map, cast<MemRefType>(operand.getType()).getElementType(), places[map.getOperand()],
             buffers[map.getOperand()]);
    }
  row.mapCount = table.maps.size() - row.firstMap;
  if (auto threads = kernel->getAttrOfType<IntegerAttr>(kernel::threadsAttrName)) {
    row.threads = threads.getInt();
    row.sharedBytes = kernel->getAttrOfType<IntegerAttr>(kernel::sharedBytesAttrName).getInt();
  }
  if (auto blocks = kernel->getAttrOfType<IntegerAttr>(xft::blocksPerProcessorAttrName))
    row.blocksPerProcessor = blocks.getInt();
  row.operandCount = table.operands.size() - row.firstOperand;
  row.scalarCount = table.scalars.size() - row.firstScalar;
  table.launches.push_back(row);
  if (auto scratch = kernel->getAttrOfType<IntegerAttr>(xft::scratchAttrName))
    table.scratchBytes = std::max<int64_t>(table.scratchBytes, llvm::alignTo(scratch.getInt(), 64));
}

void TableBuilder::addCopy(xft::CopyOp copy) {
  Place from = place(copy.getFrom()), to = place(copy.getTo());
  int64_t rowBytes = elementBytes(copy.getFrom()); // all sizes but the first are static
  for (OpFoldResult size : ArrayRef(from.sizes).drop_front(!from.sizes.empty()))
    rowBytes *= *getConstantIntValue(size);
  b.setInsertionPoint(copy);
  OpFoldResult rows = from.sizes.empty() ? b.getIndexAttr(1) : from.sizes.front();
  HostTable::Copy row{addOperand(from), addOperand(to), slot(scaled(rows, rowBytes, b.getIndexAttr(0)))};
  table.copies.push_back(row);
}

/// Describes a part of a collective's buffer by two sizes: the number of runs of memory that the part consists of, and
/// the bytes of a run. Adds both sizes to the frame, and returns their slots. The part has `part` elements along
/// dimension `dim` of the buffer. Without `dim`, the part is the whole buffer, which is one run.
std::pair<int32_t, int32_t> TableBuilder::addRuns(const Place &buffer, int64_t elementBytes, std::optional<int64_t> dim,
                                                  OpFoldResult part) {
  ArrayRef<OpFoldResult> sizes = buffer.sizes;
  OpFoldResult runs = b.getIndexAttr(1), elements = product(sizes);
  if (dim) {
    runs = product(sizes.take_front(*dim));
    elements = product({product(sizes.drop_front(*dim + 1)), part});
  }
  return {slot(runs), slot(scaled(elements, elementBytes, b.getIndexAttr(0)))};
}

LogicalResult TableBuilder::addCollective(xft::CollectiveOp collective) {
  MeshAttr mesh = meshOf(collective);
  if (!mesh)
    return collective->emitError("expected a module with 'xf.mesh', got none");
  Place send = place(collective.getSend()), receive = place(collective.getReceive());
  b.setInsertionPoint(collective);
  HostTable::Collective row;
  row.kind = xfrt_collective_kind(collective.getKind());
  for (StringAttr axis : collective.getAxes().getAsRange<StringAttr>()) {
    if (!mesh.getSize(axis.getValue()))
      return collective->emitError("expected an axis of ") << mesh << ", got " << axis;
    row.axes.push_back(axis.str());
  }
  row.dtype = *dtypeOf(cast<MemRefType>(collective.getSend().getType()).getElementType());
  row.send = addOperand(send);
  row.receive = addOperand(receive);
  int64_t split = collective.getSplit(), join = collective.getJoin(), bytes = elementBytes(collective.getSend());
  bool splits = collective.splits(), joins = collective.joins();
  std::tie(row.sendRuns, row.sendBytes) =
      splits ? addRuns(send, bytes, split, receive.sizes[split]) : addRuns(send, bytes, std::nullopt, {});
  std::tie(row.receiveRuns, row.receiveBytes) =
      joins ? addRuns(receive, bytes, join, send.sizes[join]) : addRuns(receive, bytes, std::nullopt, {});
  if (collective.getPlan()) {
    row.queries = slot(getAsOpFoldResult(collective.getQueries()));
    row.keys = slot(joins ? send.sizes[join] : receive.sizes[split]);
    row.plan.assign(collective.getPlan()->begin(), collective.getPlan()->end());
  }
  if (collective.getSegmentsQ()) {
    Place segments = place(collective.getSegmentsQ());
    row.segmentLists = slot(segments.sizes[0]);
    row.segmentType = *dtypeOf(cast<MemRefType>(collective.getSegmentsQ().getType()).getElementType());
    row.querySegments = addOperand(segments);
    row.keySegments = addOperand(place(collective.getSegmentsK()));
  }
  collectiveRows[collective] = table.collectives.size();
  table.collectives.push_back(std::move(row));
  return success();
}

static xfrt_when whenOf(xft::HostStep step) {
  switch (step.getCondition()) {
  case xft::StepCondition::Always:
    return XFRT_ALWAYS;
  case xft::StepCondition::FillsHeld:
    return XFRT_FILLS_HELD;
  case xft::StepCondition::IfHeld:
    return XFRT_IF_HELD;
  case xft::StepCondition::IfNotHeld:
    return XFRT_IF_NOT_HELD;
  }
  llvm_unreachable("expected a condition");
}

/// Returns the file and line of an op in the user's program. Leaves out folders, so that objects do not depend on where
/// sources are.
static std::string sourceOf(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" + Twine(file.getLine())).str();
}

LogicalResult TableBuilder::addStep(xft::HostStep step) {
  for (Value buffer : llvm::concat<Value>(step.getReadBuffers(), step.getWrittenBuffers()))
    if (auto type = cast<MemRefType>(buffer.getType());
        !type.hasStaticShape() && !buffer.getDefiningOp<memref::ReinterpretCastOp>())
      return step->emitError("expected a buffer of static shape, or a view that states its sizes, got ") << type;
  HostTable::Step row{XFRT_LAUNCH, 0, whenOf(step)};
  row.source = sourceOf(step->getLoc());
  row.flop = xft::flopOf(step).value_or(-1);
  row.bytes = xft::bytesOf(step).value_or(-1);
  if (row.when == XFRT_FILLS_HELD)
    for (Value buffer : step.getWrittenBuffers())
      if (StringAttr key = xft::heldKey(buffer))
        row.held = held.forms.lookup(key).number;
  if (auto launch = dyn_cast<xft::LaunchOp>(*step)) {
    row.index = table.launches.size();
    addLaunch(launch);
  } else if (auto copy = dyn_cast<xft::CopyOp>(*step)) {
    row.kind = XFRT_COPY;
    row.index = table.copies.size();
    addCopy(copy);
  } else if (auto collective = dyn_cast<xft::CollectiveOp>(*step)) {
    row.kind = XFRT_COLLECTIVE;
    row.index = table.collectives.size();
    if (failed(addCollective(collective)))
      return failure();
  } else {
    row.kind = XFRT_WAIT;
    row.index = collectiveRows.at(cast<xft::WaitOp>(*step).getCollective());
  }
  table.steps.push_back(row);
  return success();
}

//===----------------------------------------------------------------------===//
// Held forms
//===----------------------------------------------------------------------===//

HeldForms HeldForms::of(ModuleOp module) {
  HeldForms result;
  module.walk([&](memref::AllocOp alloc) {
    StringAttr key = xft::heldKey(alloc);
    if (!key)
      return;
    auto [form, isNew] = result.forms.try_emplace(key);
    if (!isNew)
      return;
    form->second = {static_cast<int32_t>(result.forms.size()) - 1, result.bytes};
    int64_t bits = alloc.getType().getNumElements() * alloc.getType().getElementTypeBitWidth();
    result.bytes += llvm::alignTo(bits / 8, 64);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// The table of a host program
//===----------------------------------------------------------------------===//

FailureOr<HostTable> xf::buildHostTable(func::FuncOp host, const ConstantOffsets &constants, const HeldForms &held,
                                        OpBuilder &functions) {
  SymbolClasses symbols = SymbolClasses::of(host);
  HostTable table;
  table.name = host.getName();
  describeInterface(host, symbols, table);
  TableBuilder builder(host, constants, held, table);
  for (xft::HostStep step : llvm::to_vector(host.getOps<xft::HostStep>()))
    if (failed(builder.addStep(step)))
      return failure();
  for (auto size : host.getOps<xft::ArenaSizeOp>())
    table.arenaBytes = builder.slot(getAsOpFoldResult(size.getBytes()));
  auto number = [&](StringRef name) {
    auto value = host->getAttrOfType<FloatAttr>(name);
    return value ? value.getValueAsDouble() : 0;
  };
  table.flop = number(xft::flopAttrName);
  table.pairs = number(xft::pairsAttrName);
  table.executedPairs = number(xft::executedPairsAttrName);
  if (failed(addDerive(host, table, functions)))
    return failure();
  // Equalities between sizes are checked where they are computed, even if no kernel needs one of the sizes.
  if (!builder.computed.empty() || !host.getOps<xft::RequireEqualOp>().empty())
    addPrepare(host, symbols, builder.computed, table, functions);
  return table;
}
