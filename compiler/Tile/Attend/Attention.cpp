//===- Attention.cpp - Shared code of attention tilings -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Attention.h"
#include "compiler/Support/SharedMemory.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Heads and query orders
//===----------------------------------------------------------------------===//

SmallVector<HeadsOfSolution> xf::headsOfSolutions(Operation *op) {
  auto solutions = op->getAttrOfType<ArrayAttr>(kSolutionAttrName);
  SmallVector<HeadsOfSolution> groups;
  if (!solutions)
    return groups;
  if (llvm::all_equal(solutions))
    return {{0, 1, cast<SolutionAttr>(solutions[0])}};
  for (auto [number, solution] : llvm::enumerate(solutions))
    groups.push_back(
        {static_cast<int64_t>(number), static_cast<int64_t>(solutions.size()), cast<SolutionAttr>(solution)});
  return groups;
}

xft::QueryOrderAttr xf::orderOf(ArrayRef<PieceAttr> pieces, const HeadsOfSolution &group) {
  SmallVector<Attribute> attributes(pieces.begin(), pieces.end());
  MLIRContext *context = group.solution.getContext();
  return xft::QueryOrderAttr::get(context, pieces[0].getQueries(), /*residues=*/1, ArrayAttr::get(context, attributes),
                                  {}, {}, group.first, group.step);
}

bool xf::coversAll(IndexMapAttr map) {
  int64_t room = map.getResidues() > 1 ? map.getCell() : map.getPeriod();
  return map.getWidth() == room && map.getOffset() == 0;
}

static IndexMapAttr identityMap(MLIRContext *context) { return IndexMapAttr::get(context, 1, 1, 1, 0, 1, 0, 0); }

PieceAttr xf::everyPair(MLIRContext *context) {
  IndexMapAttr identity = identityMap(context);
  return PieceAttr::get(context, identity, identity, 1, {}, {}, {}, {}, {}, {}, true, true, true, true);
}

SmallVector<QueryOrder> xf::queryOrders(SolutionAttr solution) {
  IndexMapAttr identity = identityMap(solution.getContext());
  SmallVector<QueryOrder> orders;
  SmallVector<PieceAttr> pieces, inPlace;
  for (PieceAttr piece : solution.getPieces())
    (piece.getQueries().isIdentity() ? inPlace : pieces).push_back(piece);
  llvm::append_range(pieces, inPlace);
  for (PieceAttr piece : pieces) {
    int64_t residues = piece.getQueriesDisjoint() ? piece.getResidues() : 1;
    bool joins = !orders.empty() && orders.back().queries == piece.getQueries() && orders.back().residues == residues;
    if (!joins)
      orders.push_back({piece.getQueries(), residues, {}});
    orders.back().pieces.push_back(piece);
  }
  if (TilesAttr tiles = solution.getTiles())
    orders.push_back({identity, 1, {everyPair(solution.getContext())}, tiles});
  if (orders.empty() || !coversAll(orders.front().queries))
    orders.insert(orders.begin(), {identity, 1, {}});
  if (!coversAll(orders.back().queries))
    orders.push_back({identity, 1, {}});
  return orders;
}

Size xf::rankCount(HostBuilder &host, IndexMapAttr map, Size count) {
  int64_t period = map.getPeriod(), width = map.getWidth();
  if (period == width)
    return count;
  Size whole = host.floorDiv(count, period);
  Size rest = host.sub(count, host.mul(whole, host.size(period)));
  return host.add(host.mul(whole, host.size(width)), host.min(rest, host.size(width)));
}

//===----------------------------------------------------------------------===//
// Preconditions
//===----------------------------------------------------------------------===//

template <typename OpTy>
static LogicalResult checkTileable(OpTy op, const TileModel &model) {
  for (Value matrix : {op.getQ(), op.getV()})
    if (cast<RankedTensorType>(matrix.getType()).isDynamicDim(3))
      return op.emitOpError("expected static head sizes, got ") << matrix.getType();
  for (Value matrix : {op.getQ(), op.getV()})
    if (cast<RankedTensorType>(matrix.getType()).getDimSize(3) == 0)
      return op.emitOpError("not implemented: heads of size 0, got ") << matrix.getType();
    else if (failed(model.checkHeads(op, cast<RankedTensorType>(matrix.getType()))))
      return failure();
  if (!op->hasAttr(kSolutionAttrName))
    return op.emitOpError("not implemented: ") << op.getPattern();
  if (op.getPart() && !model.takesParts())
    return op.emitOpError("not implemented: a part of the queries on this target");
  if (!op.getParams().empty())
    return op.emitOpError("not implemented: parameters");
  return success();
}

LogicalResult xf::requireTileable(AttentionOp op, const TileModel &model) { return checkTileable(op, model); }
LogicalResult xf::requireTileable(AttentionVjpOp op, const TileModel &model) { return checkTileable(op, model); }

double xf::attentionScale(std::optional<APFloat> given, int64_t depth) {
  return given ? given->convertToDouble() : 1 / std::sqrt(static_cast<double>(depth));
}

//===----------------------------------------------------------------------===//
// Weights by distance
//===----------------------------------------------------------------------===//

bool xf::isLinear(Operation *op) { return op->hasAttr(kLinearAttrName); }

/// Builds Nk - 1. In a row of the relative weights `relative` [H, 2 Nk - 1], this is the index of the weight of
/// distance 0.
static Value lastDistance(OpBuilder &b, Location loc, Value relative) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  return arith::ShRSIOp::create(b, loc, tensor::DimOp::create(b, loc, relative, one), one);
}

void xf::buildWeights(Region &region, Location loc, Type real, ValueRange captures, bool withDerivatives) {
  OpBuilder b(real.getContext());
  Block &block = region.emplaceBlock();
  SmallVector<Type> types(5, b.getIndexType());
  types.front() = real;
  llvm::append_range(types, captures.getTypes());
  block.addArguments(types, SmallVector<Location>(types.size(), loc));
  b.setInsertionPointToEnd(&block);
  auto arguments = block.getArguments();
  Value weight = arguments[0], factor = arith::ConstantOp::create(b, loc, b.getFloatAttr(real, 1));
  SmallVector<Value> read; // the element of t that is read: its indices, and the derivative
  if (!captures.empty()) {
    Value head = arguments[2], distance = arith::SubIOp::create(b, loc, arguments[4], arguments[3]);
    Value place = arith::AddIOp::create(b, loc, distance, lastDistance(b, loc, arguments[5]));
    factor = math::ExpOp::create(b, loc, tensor::ExtractOp::create(b, loc, arguments[5], ValueRange{head, place}));
    weight = arith::MulFOp::create(b, loc, weight, factor);
    read = {head, place, weight};
  }
  SmallVector<Value> results = {weight};
  if (withDerivatives) {
    results.push_back(factor);
    results.append(read);
  }
  YieldOp::create(b, loc, results);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

unsigned AttendOperands::add(const Buffer &buffer, MemRefType type) {
  values.push_back(host.memref(buffer));
  types.push_back(type);
  return values.size() - 1;
}

unsigned AttendOperands::add(const Buffer &buffer, int64_t staticSizes) {
  return add(buffer, attendOperandType(host, buffer, staticSizes));
}

unsigned AttendOperands::add(Size size) {
  values.push_back(host.value(size));
  types.push_back(host.b.getIndexType());
  return values.size() - 1;
}

unsigned AttendOperands::addClause(Value tensor) {
  Buffer buffer = host.buffer(tensor);
  SmallVector<int64_t> sizes(buffer.rank(), ShapedType::kDynamic), strides(sizes);
  for (auto [d, size] : llvm::enumerate(buffer.sizes))
    if (HostBuilder::constant(size) == 1)
      sizes[d] = 1;
  if (buffer.rank() && HostBuilder::constant(buffer.strides.back()) == 1)
    strides.back() = 1;
  return add(buffer, host.operandType(buffer.element, sizes, strides));
}

SmallVector<unsigned> AttendOperands::addClauses(ValueRange tensors) {
  return llvm::map_to_vector(tensors, [&](Value tensor) { return addClause(tensor); });
}

/// Calls `body` to build a kernel in a temporary function whose arguments have the types `types`. Returns the text of
/// this function, which serves as the key of the kernel: kernels whose code differs have different texts.
static std::string textOf(HostBuilder &host, TypeRange types, HostBuilder::KernelBody body) {
  OpBuilder b(host.b.getContext());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(b, host.loc, "key", b.getFunctionType(types, {}));
  Block *block = function->addEntryBlock();
  b.setInsertionPointToStart(block);
  body(b, host.loc, block->getArguments());
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

xft::LaunchOp AttendOperands::launch(StringRef family, Size tiles, HostBuilder::KernelBody body) {
  std::string key = textOf(host, types, body);
  return host.launch(host.kernel(family, key, types, body), tiles, values);
}

void xf::copyScore(Region &score, Region &kernel) {
  IRMapping mapping;
  score.cloneInto(&kernel, mapping);
  if (kernel.empty())
    return;
  for (BlockArgument argument : kernel.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType())) {
      SmallVector<int64_t> sizes(type.getRank(), ShapedType::kDynamic);
      argument.setType(type.clone(sizes));
    }
}

SmallVector<Value> xf::pick(ArrayRef<BlockArgument> operands, ArrayRef<unsigned> numbers) {
  return llvm::map_to_vector(numbers, [&](unsigned number) -> Value { return operands[number]; });
}

PickedGroups::PickedGroups(ArrayRef<BlockArgument> operands, const GroupNumbers &numbers) {
  for (ArrayRef<unsigned> group : numbers)
    values.push_back(pick(operands, group));
  for (const SmallVector<Value> &group : values)
    ranges.push_back(group);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

MemRefType xf::attendOperandType(HostBuilder &host, const Buffer &buffer, int64_t staticSizes) {
  int64_t rank = buffer.rank();
  SmallVector<int64_t> sizes(rank, ShapedType::kDynamic), strides(rank, ShapedType::kDynamic);
  for (int64_t d = rank - staticSizes; d < rank; ++d)
    if (auto size = HostBuilder::constant(buffer.sizes[d]))
      sizes[d] = *size;
  if (rank)
    strides.back() = 1;
  return host.operandType(buffer.element, sizes, strides);
}

Buffer xf::withUnitInner(HostBuilder &host, const Buffer &buffer) {
  Buffer view = host.unitInner(buffer);
  if (view.rank())
    view.strides.back() = host.size(1); // one element: any stride is valid
  return view;
}

/// Returns the type of a kernel's operand for the buffer that xft.gather_panels fills. Its shape is [B, H, residues,
/// panels or rows, columns]. Only the numbers of residues and columns are static.
static MemRefType packedType(HostBuilder &host, Type real, int64_t residues, int64_t columns) {
  constexpr int64_t any = ShapedType::kDynamic;
  return host.operandType(real, {any, any, residues, any, columns}, {any, any, any, columns, 1});
}

static bool sameBuffer(const Buffer &x, const Buffer &y) {
  return x.root == y.root && x.offset == y.offset && x.sizes == y.sizes && x.strides == y.strides;
}

Buffer PackedOperands::gather(const Buffer &x, IndexMapAttr map, bool transposed) {
  for (const Packed &done : packed)
    if (done.map == map && done.transposed == transposed && sameBuffer(done.from, x))
      return done.to;
  Buffer from = withUnitInner(host, x);
  int64_t columns = *HostBuilder::constant(x.sizes[3]), width = tile.getWidth();
  Size ranks = rankCount(host, map, x.sizes[2]), blocks = host.ceilDiv(ranks, width);
  int64_t stored = transposed ? llvm::alignTo(columns, form.terms) * width : llvm::alignTo(columns, tile.getLanes());
  Size rows = transposed ? blocks : host.mul(host.ceilDiv(ranks, form.terms), host.size(form.terms));
  Buffer to =
      host.allocate(form.element, {x.sizes[0], x.sizes[1], host.size(map.getResidues()), rows, host.size(stored)});
  AttendOperands operands(host);
  unsigned source = operands.add(from, 1);
  unsigned target = operands.add(to, packedType(host, form.element, map.getResidues(), stored));
  Size tiles = host.product({x.sizes[0], x.sizes[1], host.size(map.getResidues()), blocks});
  operands.launch("gather_panels", tiles, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    xft::GatherPanelsOp::create(b, loc, arguments[source], arguments[target], map, transposed, width, form.terms);
  });
  packed.push_back({x, map, transposed, to});
  return to;
}

void PackedOperands::addKeys(AttendOperands &operands, const Buffer &x, IndexMapAttr map,
                             SmallVectorImpl<unsigned> &numbers) {
  int64_t stored = llvm::alignTo(*HostBuilder::constant(x.sizes[3]), form.terms) * tile.getWidth();
  numbers.push_back(
      operands.add(gather(x, map, /*transposed=*/true), packedType(host, form.element, map.getResidues(), stored)));
}

void PackedOperands::addRows(AttendOperands &operands, const Buffer &x, IndexMapAttr map,
                             SmallVectorImpl<unsigned> &numbers) {
  int64_t columns = *HostBuilder::constant(x.sizes[3]), stored = llvm::alignTo(columns, tile.getLanes());
  bool inPlace = map.isIdentity() && columns == stored && x.element == form.element && form.terms == 1 &&
                 HostBuilder::constant(x.strides[3]) == 1;
  if (inPlace)
    numbers.push_back(operands.add(x, 1));
  else
    numbers.push_back(
        operands.add(gather(x, map, /*transposed=*/false), packedType(host, form.element, map.getResidues(), stored)));
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Returns whether the rows of a buffer of 16-bit floats start and end at multiples of 16 bytes.
static bool hasAlignedRows(HostBuilder &host, const Buffer &buffer) {
  constexpr int64_t unit = 8;
  auto isAligned = [&](Size stride) { return host.isMultiple(stride, unit); };
  return isAligned(buffer.offset) && isAligned(buffer.sizes.back()) &&
         llvm::all_of(ArrayRef(buffer.strides).drop_back(), isAligned);
}

Buffer xf::gradientSums(HostBuilder &host, Type real, Value result, bool clear, bool isWrittenOnce) {
  Buffer buffer = host.result(result);
  bool direct = buffer.element == real || (isWrittenOnce && hasAlignedRows(host, buffer));
  direct = direct && HostBuilder::constant(buffer.strides.back()) == 1;
  Buffer sums = direct ? buffer : host.allocate(real, buffer.sizes);
  if (clear)
    tileFill(host, sums, 0);
  return sums;
}

void xf::finishGradient(HostBuilder &host, ArrayRef<Buffer> parts, Value result) {
  Buffer target = host.result(result);
  if (parts.size() == 1 && parts[0].root == target.root)
    return;
  Type type = computedType(target.element);
  launchElementwise(host, "attend_vjp_sum", parts, {target},
                    [&](RowBody &, ScalarCode &code, ValueRange elements) -> SmallVector<Value> {
                      Value sum = elements[0];
                      for (Value part : elements.drop_front())
                        sum = code.add(sum, part);
                      return {code.asFloat(type, sum)};
                    });
}

Buffer xf::partOfLse(HostBuilder &host, const Buffer &parts, int64_t number) {
  Buffer part = parts;
  part.offset = host.add(parts.offset, host.mul(host.size(number), parts.strides[0]));
  part.sizes.erase(part.sizes.begin());
  part.strides.erase(part.strides.begin());
  return part;
}

/// Appends a launch that computes delta(i) = <d_o(i), o(i)>, with terms added in ascending order of the columns. Does
/// not subtract d_lse. The launch has the columns of o as its rows, because xft.rows adds one row after the other to a
/// row of accumulators.
static void sumDeltaInOrder(HostBuilder &host, const Buffer &o, const Buffer &dO, const Buffer &delta) {
  constexpr int64_t rowsOfBlock = 64; // their cache lines stay in the L1 cache from column to column
  Buffer columns = host.permuted(o, {0, 1, 3, 2}), sums = delta;
  sums.sizes.insert(sums.sizes.end() - 1, host.size(1));
  sums.strides.insert(sums.strides.end() - 1, host.size(0));
  RowLaunch launch(host, columns.sizes);
  RowOperand output = launch.operand(columns), cotangent = launch.operand(host.permuted(dO, {0, 1, 3, 2}));
  RowOperand sum = launch.operand(sums);
  launch.setRowBlocks(host.size(1));
  launch.cutColumns(rowsOfBlock);
  launch.launch("attend_delta", [&](RowBody &body) {
    RowBody::Phase phase;
    phase.ins = {cotangent, output};
    phase.accs = {sum};
    phase.combiners = {xft::Combiner::add};
    body.columns(phase,
                 [](ScalarCode &code, Value, ValueRange e) -> SmallVector<Value> { return {code.mul(e[0], e[1])}; });
  });
}

Buffer xf::attentionDelta(HostBuilder &host, Type real, const Buffer &o, const Buffer &dO, std::optional<Buffer> dLse,
                          bool inOrder) {
  Buffer delta = host.allocate(real, ArrayRef(o.sizes).drop_back());
  if (inOrder && host.model.sumsColumnsInOrder()) {
    sumDeltaInOrder(host, o, dO, delta);
    if (dLse)
      launchElementwise(host, "attend_delta_sum", {delta, *dLse}, {delta},
                        [](RowBody &, ScalarCode &code, ValueRange e) -> SmallVector<Value> {
                          return {code.sub(e[0], code.asFloat(e[0].getType(), e[1]))};
                        });
    return delta;
  }
  RowLaunch launch(host, o.sizes);
  RowOperand output = launch.operand(o), cotangent = launch.operand(dO);
  RowOperand difference = launch.operand(perRow(host, delta, o.sizes[3]));
  std::optional<RowOperand> lseCotangent;
  if (dLse)
    lseCotangent = launch.operand(perRow(host, *dLse, o.sizes[3]));
  launch.launch("attend_delta", [&](RowBody &body) {
    Value sum = body.reduce({output, cotangent}, xft::Combiner::add, real,
                            [](ScalarCode &code, ValueRange e) { return code.mul(e[0], e[1]); });
    if (lseCotangent)
      sum = body.code.sub(sum, body.code.asFloat(real, body.load(*lseCotangent)));
    body.store(sum, difference);
  });
  return delta;
}
