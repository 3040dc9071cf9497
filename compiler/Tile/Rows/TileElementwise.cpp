//===- TileElementwise.cpp - Element-wise ops, copies, dropout ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles element-wise ops. Dimensions that all operands can address as one are merged, so that most launches are one
// long row, which is cut into blocks of columns. If operands differ in layout, because one is transposed, the
// contiguous dimension of the output becomes the columns, and tiles are square, which suits the caches.
//
// Some maps each replace an argument, and read the same tensors, such as the maps to the new parameter and to the new
// state of an optimiser. They become one kernel, which reads each tensor once.
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/WidenedScalars.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/TileFamilies.h"
#include "compiler/Tile/TileUpdates.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static constexpr int64_t columnBlock = 4096, transposedBlock = 64;

static void moveDimensionTo(MutableArrayRef<Buffer> buffers, int64_t from, int64_t to) {
  for (Buffer &buffer : buffers) {
    auto rotate = [&](auto &list) {
      Size value = list[from];
      list.erase(list.begin() + from);
      list.insert(list.begin() + to, value);
    };
    rotate(buffer.sizes);
    rotate(buffer.strides);
  }
}

static std::optional<int64_t> contiguousDimension(const Buffer &buffer) {
  for (int64_t d = buffer.rank() - 1; d >= 0; --d)
    if (HostBuilder::constant(buffer.strides[d]) == 1)
      return d;
  return std::nullopt;
}

/// Returns whether the columns of an operand are strided: the stride of its last dimension is neither a constant 1
/// (contiguous) nor a constant 0 (broadcast). Returns true for a dynamic stride.
static bool isStrided(const Buffer &buffer) {
  auto stride = HostBuilder::constant(buffer.strides.back());
  return stride != 0 && stride != 1;
}

/// Moves the longest outer dimension next to the columns, because a tile takes rows along that dimension only, one per
/// warp.
static void moveLongestToRows(MutableArrayRef<Buffer> buffers) {
  ArrayRef<Size> outer = ArrayRef(buffers.front().sizes).drop_back();
  auto length = [](Size size) { return HostBuilder::constant(size).value_or(INT64_MAX); };
  auto longest = llvm::max_element(outer, [&](Size x, Size y) { return length(x) < length(y); });
  moveDimensionTo(buffers, longest - outer.begin(), outer.size() - 1);
}

void xf::launchElementwise(HostBuilder &host, StringRef family, ArrayRef<Buffer> ins, ArrayRef<Buffer> outs,
                           ElementFunction element) {
  SmallVector<Buffer> buffers(outs);
  llvm::append_range(buffers, ins);
  mergeDimensions(host, buffers, 0);
  if (auto columns = contiguousDimension(buffers.front()))
    moveDimensionTo(buffers, *columns, buffers.front().rank() - 1);
  const Buffer *strided = llvm::find_if(buffers, isStrided);
  if (strided != buffers.end()) { // its contiguous dimension becomes the rows of a tile
    if (auto rows = contiguousDimension(*strided))
      moveDimensionTo(buffers, *rows, strided->rank() - 2);
  } else if (host.model.prefersManyRows()) {
    moveLongestToRows(buffers);
  }

  RowLaunch launch(host, buffers.front().sizes);
  SmallVector<RowOperand> results, operands;
  for (auto [n, buffer] : llvm::enumerate(buffers))
    (n < outs.size() ? results : operands).push_back(launch.operand(buffer));
  if (strided != buffers.end()) {
    launch.setRowBlocks(host.ceilDiv(buffers.front().sizes[buffers.front().rank() - 2], transposedBlock));
    launch.cutColumns(transposedBlock);
  } else {
    launch.cutColumns(columnBlock);
  }
  launch.launch(family, [&](RowBody &body) {
    body.columns({operands, results, {}, {}, {}},
                 [&](ScalarCode &code, Value, ValueRange elements) { return element(body, code, elements); });
  });
}

void xf::tileFill(HostBuilder &host, const Buffer &buffer, double value) {
  Type type = computedType(buffer.element);
  launchElementwise(host, "fill", {}, {buffer}, [&](RowBody &, ScalarCode &code, ValueRange) -> SmallVector<Value> {
    return {isa<FloatType>(type) ? code.real(type, value) : code.integer(type, static_cast<int64_t>(value))};
  });
}

void xf::copyElements(HostBuilder &host, const Buffer &from, const Buffer &to) {
  Type type = computedType(to.element);
  launchElementwise(host, "copy", {from}, {to},
                    [&](RowBody &, ScalarCode &code, ValueRange elements) -> SmallVector<Value> {
                      bool converts = isa<FloatType>(type) && isa<FloatType>(elements[0].getType());
                      return {converts ? code.asFloat(type, elements[0]) : elements[0]};
                    });
}

/// Returns a view of all elements of `buffer` as one dimension. Returns nullopt if they are not one run of memory in
/// row-major order.
static std::optional<Buffer> asRun(HostBuilder &host, Buffer buffer) {
  if (buffer.rank() == 0) {
    buffer.sizes = {host.size(1)};
    buffer.strides = {host.size(1)};
  }
  FailureOr<Buffer> run = host.collapsed(buffer, 0, buffer.rank() - 1);
  if (failed(run) || (HostBuilder::constant(run->strides[0]) != 1 && HostBuilder::constant(run->sizes[0]) != 1))
    return std::nullopt;
  run->strides[0] = host.size(1);
  return *run;
}

/// Appends a copy of bytes and returns true if both buffers are runs of memory with the same element type. Returns
/// false for bools: a true bool may be any byte except 0, and a kernel that copies it makes it 1.
static bool copyBytes(HostBuilder &host, const Buffer &from, const Buffer &to) {
  if (from.element != to.element || from.element.isInteger(1) || from.root == to.root)
    return false;
  std::optional<Buffer> source = asRun(host, from), target = asRun(host, to);
  if (!source || !target)
    return false;
  target->sizes = source->sizes;
  if (HostBuilder::constant(source->sizes[0]) != 0)
    xft::CopyOp::create(host.b, host.loc, host.memref(*source), host.memref(*target));
  return true;
}

void xf::tileCopy(HostBuilder &host, const Buffer &from, const Buffer &to) {
  if (!copyBytes(host, from, to))
    copyElements(host, from, to);
}

//===----------------------------------------------------------------------===//
// Element-wise ops
//===----------------------------------------------------------------------===//

static bool is16Bit(Type type) { return type.isF16() || type.isBF16(); }

/// Allows targets to compute a product and an addition of `block` as one operation, which rounds once instead of twice.
static void allowContraction(Block &block) {
  auto flags = arith::FastMathFlagsAttr::get(block.getParentOp()->getContext(), arith::FastMathFlags::contract);
  for (Operation &op : block)
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
      op.setAttr("fastmath", flags);
}

static Value buildElement(ElementwiseOpInterface op, ScalarCode &code, ValueRange elements) {
  Value result;
  if (auto map = dyn_cast<MapOp>(op.getOperation()))
    result = buildWidenedElement(code.b, map.getBody().front(), elements);
  else
    result = op.buildScalar(code.b, code.loc, elements);
  result = withoutLastRounding(result, getElementTypeOrSelf(op->getResult(0)));
  if (is16Bit(result.getType())) // a cast
    result = code.asFloat(code.b.getF32Type(), result);
  allowContraction(*code.b.getInsertionBlock());
  return result;
}

/// The largest number of tensors of the full size, inputs and results together, that the maps of one kernel read and
/// write. With more, the kernel would spill their addresses from registers.
static constexpr size_t maxTensors = 16;

SmallVector<MapOp> xf::updatesTogether(MapOp first) {
  SmallVector<MapOp> maps = {first};
  if (!replacedArgument(first.getY()) || !first.getType().hasStaticShape() || first.getType().getRank() == 0)
    return maps;
  ArrayRef<int64_t> shape = first.getType().getShape();
  SmallPtrSet<Value, 16> tensors;
  auto add = [&](MapOp map, SmallPtrSet<Value, 16> &to) {
    to.insert(map.getY());
    for (Value input : map.getInputs())
      if (cast<RankedTensorType>(input.getType()).getShape() == shape)
        to.insert(input);
  };
  add(first, tensors);
  for (auto next = dyn_cast_or_null<MapOp>(first->getNextNode()); next;
       next = dyn_cast_or_null<MapOp>(next->getNextNode())) {
    SmallPtrSet<Value, 16> all = tensors;
    add(next, all);
    bool shares = llvm::any_of(next.getInputs(), [&](Value input) { return tensors.contains(input); });
    bool readsRounded = llvm::any_of(next.getInputs(), [&](Value input) { // which a separate kernel would read rounded
      return is16Bit(getElementTypeOrSelf(input)) && llvm::is_contained(maps, input.getDefiningOp());
    });
    if (next.getType().getShape() != shape || !replacedArgument(next.getY()) || !shares || readsRounded ||
        all.size() > maxTensors)
      break;
    maps.push_back(next);
    tensors = std::move(all);
  }
  return maps;
}

LogicalResult xf::tileTogether(ArrayRef<MapOp> maps, HostBuilder &host) {
  SmallVector<Size> sizes = host.sizes(MapOp(maps.front()).getY());
  SmallVector<Value> inputs;
  SmallVector<Buffer> ins, outs;
  for (MapOp map : maps)
    for (Value input : map.getInputs()) {
      if (llvm::is_contained(maps, input.getDefiningOp()) || llvm::is_contained(inputs, input))
        continue;
      FailureOr<Buffer> in = broadcastTo(host, host.buffer(input), sizes);
      if (failed(in))
        return failure();
      inputs.push_back(input);
      ins.push_back(*in);
    }
  for (MapOp map : maps)
    outs.push_back(host.result(map.getY()));
  launchElementwise(host, "map", ins, outs, [&](RowBody &, ScalarCode &code, ValueRange elements) {
    DenseMap<Value, Value> known;
    for (auto [input, element] : llvm::zip(inputs, elements))
      known[input] = element;
    SmallVector<Value> results;
    for (MapOp map : maps) {
      auto read = llvm::map_to_vector(map.getInputs(), [&](Value input) { return known.lookup(input); });
      results.push_back(known[map.getY()] = buildElement(map, code, read));
    }
    return results;
  });
  return success();
}

static LogicalResult tileElementwise(ElementwiseOpInterface op, HostBuilder &host) {
  Value tensor = op->getResult(0);
  SmallVector<Size> sizes = host.sizes(tensor);
  SmallVector<Buffer> ins;
  for (Value operand : op->getOperands()) {
    FailureOr<Buffer> in = broadcastTo(host, host.buffer(operand), sizes);
    if (failed(in))
      return failure();
    ins.push_back(*in);
  }
  StringRef family = op->getName().stripDialect();
  launchElementwise(host, family, ins, {host.resultOver(tensor, op->getOperands())},
                    [&](RowBody &, ScalarCode &code, ValueRange elements) -> SmallVector<Value> {
                      return {buildElement(op, code, elements)};
                    });
  return success();
}

//===----------------------------------------------------------------------===//
// xf.dropout
//===----------------------------------------------------------------------===//

namespace {
/// Builds the counter-based random generator Philox4x32-10 (Salmon et al., SC 2011). Each 32-bit word is in the low
/// half of an i64, so that products of words are exact.
struct Philox {
  ScalarCode &code;
  Type i64 = code.b.getI64Type();

  Value low(Value x) { return arith::AndIOp::create(code.b, code.loc, x, code.integer(i64, 0xffffffff)); }
  Value high(Value x) { return arith::ShRUIOp::create(code.b, code.loc, x, code.integer(i64, 32)); }
  Value exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(code.b, code.loc, x, y); }
  Value product(Value x, int64_t y) { return arith::MulIOp::create(code.b, code.loc, x, code.integer(i64, y)); }
  Value next(Value key, int64_t step) {
    return low(arith::AddIOp::create(code.b, code.loc, key, code.integer(i64, step)));
  }

  std::array<Value, 4> draw(std::array<Value, 4> counter, std::array<Value, 2> key) {
    for (int round = 0; round < 10; ++round) {
      Value left = product(counter[0], 0xD2511F53), right = product(counter[2], 0xCD9E8D57);
      counter = {exclusiveOr(exclusiveOr(high(right), counter[1]), key[0]), low(right),
                 exclusiveOr(exclusiveOr(high(left), counter[3]), key[1]), low(left)};
      key = {next(key[0], 0x9E3779B9), next(key[1], 0xBB67AE85)};
    }
    return counter;
  }
};
} // namespace

/// Builds the random word of element `number`: word `number` mod 4 of the Philox block at counter (number div 4, 0).
static Value drawWord(ScalarCode &code, Value number, std::array<Value, 2> key) {
  Philox philox{code};
  Type i64 = philox.i64;
  Value block = arith::ShRUIOp::create(code.b, code.loc, number, code.integer(i64, 2)), zero = code.integer(i64, 0);
  std::array<Value, 4> words = philox.draw({philox.low(block), philox.high(block), zero, zero}, key);
  Value index = arith::AndIOp::create(code.b, code.loc, number, code.integer(i64, 3)), word = words[0];
  for (int64_t n = 1; n < 4; ++n)
    word = code.select(code.compare(arith::CmpIPredicate::eq, index, code.integer(i64, n)), words[n], word);
  return word;
}

static LogicalResult tileDropout(DropoutOp op, HostBuilder &host) {
  Buffer seed = host.buffer(op.getSeed());
  if (seed.rank() != 1 || HostBuilder::constant(seed.sizes[0]) != 2)
    return op.emitError("expected a seed of two integers, got ") << op.getSeed().getType();
  SmallVector<Buffer> buffers = {host.buffer(op.getX()), host.result(op.getY())};
  mergeDimensions(host, buffers, 0);
  RowLaunch launch(host, buffers[0].sizes);
  RowOperand x = launch.operand(buffers[0]), y = launch.operand(buffers[1]);
  SmallVector<Size> seedSizes(buffers[0].sizes);
  seedSizes.back() = host.size(2);
  RowOperand seeds = launch.operand(perColumn(host, seed, seedSizes));
  launch.chooseRowBlocks();
  launch.cutColumns(columnBlock);
  double p = op.getP().convertToDouble();
  launch.launch("dropout", [&](RowBody &body) {
    ScalarCode &row = body.code;
    Type i64 = row.b.getI64Type();
    Philox words{row};
    std::array<Value, 2> key = {words.low(row.asI64(body.load(seeds, row.integer(i64, 0)))),
                                words.low(row.asI64(body.load(seeds, row.integer(i64, 1))))};
    Value columns = arith::IndexCastOp::create(row.b, row.loc, i64, body.columnCount());
    Value first = arith::MulIOp::create(row.b, row.loc, body.rowNumber(), columns);
    body.columns({{x}, {y}, {}, {}, {}},
                 [&](ScalarCode &code, Value column, ValueRange elements) -> SmallVector<Value> {
                   Value word = drawWord(code, arith::AddIOp::create(code.b, code.loc, first, column), key);
                   Value limit = code.integer(i64, static_cast<int64_t>(std::ceil(p * 4294967296.0)));
                   Value kept = code.compare(arith::CmpIPredicate::sge, word, limit);
                   Value scaled = code.div(elements[0], code.real(elements[0].getType(), 1 - p));
                   return {code.select(kept, scaled, code.real(elements[0].getType(), 0))};
                 });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
/// The model of every element-wise op. requireSizes() checks only results, because operands are compared where they are
/// broadcast.
struct ElementwiseModel : TileableModel<tileElementwise, ElementwiseModel> {
  LogicalResult requireSizes(Operation *op, HostBuilder &host) const { return requireResultSizes(op, host); }
};
} // namespace

void xf::attachElementwiseTilings(MLIRContext &context) {
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.hasInterface<ElementwiseOpInterface>())
      op.attachInterface<ElementwiseModel>();
  attachTiling<tileDropout>(context);
}
