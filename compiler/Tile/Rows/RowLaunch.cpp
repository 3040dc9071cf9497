//===- RowLaunch.cpp - One launch of a kernel over rows -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Rows/RowLaunch.h"
#include "dialects/xft/IR/XftRowsTile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Buffers of one shape
//===----------------------------------------------------------------------===//

FailureOr<Buffer> xf::broadcastTo(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes) {
  Buffer view = buffer;
  int64_t added = static_cast<int64_t>(sizes.size()) - buffer.rank();
  view.sizes.insert(view.sizes.begin(), added, host.size(1));
  view.strides.insert(view.strides.begin(), added, host.size(0));
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (HostBuilder::constant(view.sizes[d]) == 1 && HostBuilder::constant(size) != 1)
      view.strides[d] = host.size(0);
    else if (failed(host.requireEqual(view.sizes[d], size)))
      return failure();
    view.sizes[d] = size;
  }
  return view;
}

Buffer xf::perRow(HostBuilder &host, const Buffer &buffer, Size columns) {
  Buffer view = buffer;
  view.sizes.push_back(columns);
  view.strides.push_back(host.size(0));
  return view;
}

Buffer xf::perColumn(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes) {
  Buffer view = buffer;
  view.sizes.assign(sizes.begin(), sizes.end());
  view.strides.insert(view.strides.begin(), sizes.size() - buffer.rank(), host.size(0));
  return view;
}

Buffer xf::everywhere(HostBuilder &host, Buffer scalar, ArrayRef<Size> sizes) {
  scalar.sizes.assign(sizes.begin(), sizes.end());
  scalar.strides.assign(sizes.size(), host.size(0));
  return scalar;
}

static void dropDimension(MutableArrayRef<Buffer> buffers, int64_t d) {
  for (Buffer &buffer : buffers) {
    buffer.sizes.erase(buffer.sizes.begin() + d);
    buffer.strides.erase(buffer.strides.begin() + d);
  }
}

/// Returns true if dimensions d and d + 1 of `buffer` can be addressed as one dimension.
static bool lieAsOne(HostBuilder &host, const Buffer &buffer, int64_t d) {
  return buffer.strides[d] == host.mul(buffer.sizes[d + 1], buffer.strides[d + 1]);
}

void xf::mergeDimensions(HostBuilder &host, MutableArrayRef<Buffer> buffers, int64_t kept) {
  Buffer &first = buffers.front();
  for (int64_t d = first.rank() - kept - 1; d >= 0; --d)
    if (HostBuilder::constant(first.sizes[d]) == 1)
      dropDimension(buffers, d);
  for (int64_t d = first.rank() - kept - 2; d >= 0; --d) {
    if (!llvm::all_of(buffers, [&](Buffer &buffer) { return lieAsOne(host, buffer, d); }))
      continue;
    Size size = host.mul(first.sizes[d], first.sizes[d + 1]);
    for (Buffer &buffer : buffers)
      buffer.sizes[d + 1] = size;
    dropDimension(buffers, d);
  }
  for (Buffer &buffer : buffers)
    while (buffer.rank() < 2) {
      buffer.strides.insert(buffer.strides.begin(), host.size(buffer.rank() ? 0 : 1)); // one column is contiguous
      buffer.sizes.insert(buffer.sizes.begin(), host.size(1));
    }
}

//===----------------------------------------------------------------------===//
// RowBody
//===----------------------------------------------------------------------===//

static SmallVector<Value> pick(ArrayRef<Value> memrefs, ArrayRef<RowOperand> numbers) {
  return llvm::map_to_vector(numbers, [&](RowOperand number) { return memrefs[number]; });
}

SmallVector<Value> RowBody::columns(const Phase &phase, Region region) {
  OpBuilder &b = code.b;
  size_t reductions = phase.combiners.size() - phase.accs.size();
  SmallVector<Type> results(reductions, phase.reduced), arguments = {b.getI64Type()};
  for (RowOperand in : phase.ins)
    arguments.push_back(type(in));
  SmallVector<Attribute> combiners = llvm::map_to_vector(phase.combiners, [&](xft::Combiner combiner) -> Attribute {
    return xft::CombinerAttr::get(b.getContext(), combiner);
  });
  auto cols = xft::ColsOp::create(b, code.loc, results, pick(memrefs, phase.ins), pick(memrefs, phase.outs),
                                  pick(memrefs, phase.accs), b.getArrayAttr(combiners));
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&cols.getBody(), {}, arguments, SmallVector<Location>(arguments.size(), code.loc));
  SmallVector<Value> yielded = region(code, block->getArgument(0), block->getArguments().drop_front());
  xft::YieldOp::create(b, code.loc, yielded);
  return cols.getResults();
}

Value RowBody::reduce(ArrayRef<RowOperand> ins, xft::Combiner combiner, Type type,
                      function_ref<Value(ScalarCode &, ValueRange)> term) {
  return columns(
      {SmallVector<RowOperand>(ins), {}, {}, {combiner}, type},
      [&](ScalarCode &code, Value, ValueRange elements) -> SmallVector<Value> { return {term(code, elements)}; })[0];
}

void RowBody::map(ArrayRef<RowOperand> ins, RowOperand out, function_ref<Value(ScalarCode &, ValueRange)> element) {
  columns(
      {SmallVector<RowOperand>(ins), {out}, {}, {}, {}},
      [&](ScalarCode &code, Value, ValueRange elements) -> SmallVector<Value> { return {element(code, elements)}; });
}

Value RowBody::load(RowOperand operand, Value column) {
  return xft::ElementLoadOp::create(code.b, code.loc, type(operand), memrefs[operand], column);
}

Value RowBody::loadIndex(RowOperand indices, Value count) {
  Type i64 = code.b.getI64Type();
  Value last = arith::SubIOp::create(code.b, code.loc, count, code.integer(i64, 1));
  Value limited = arith::MinSIOp::create(code.b, code.loc, code.asI64(load(indices)), last);
  return arith::MaxSIOp::create(code.b, code.loc, limited, code.integer(i64, 0));
}

void RowBody::store(Value element, RowOperand operand, Value column) {
  xft::ElementStoreOp::create(code.b, code.loc, element, memrefs[operand], column);
}

RowOperand RowBody::chooseRow(RowOperand operand, Value index) {
  auto source = cast<MemRefType>(memrefs[operand].getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)source.getStridesAndOffset(strides, offset);
  auto layout = StridedLayoutAttr::get(source.getContext(), 0, strides.back());
  auto type = MemRefType::get(ShapedType::kDynamic, source.getElementType(), layout);
  memrefs.push_back(xft::RowOp::create(code.b, code.loc, type, memrefs[operand], index));
  return memrefs.size() - 1;
}

//===----------------------------------------------------------------------===//
// RowLaunch
//===----------------------------------------------------------------------===//

RowOperand RowLaunch::operand(const Buffer &buffer) {
  assert(buffer.rank() == static_cast<int64_t>(sizes.size()) && "expected an operand of the rank of the space");
  buffers.push_back(buffer);
  Size &stride = buffers.back().strides.back();
  if (HostBuilder::constant(buffer.sizes.back()) == 1 && HostBuilder::constant(stride) != 0)
    stride = host.size(1); // one column is contiguous
  return buffers.size() - 1;
}

unsigned RowLaunch::count(Size size) {
  counts.push_back(size);
  return counts.size() - 1;
}

void RowLaunch::chooseRowBlocks(int64_t bytes) {
  int64_t elementBytes = 0;
  for (const Buffer &buffer : buffers)
    if (HostBuilder::constant(buffer.strides.back()) != 0)
      elementBytes += std::max<int64_t>(1, buffer.element.getIntOrFloatBitWidth() / 8);
  rowBlocks = host.model.rowBlocks(host, sizes, elementBytes, bytes);
}

void RowLaunch::cutColumns(int64_t width) {
  width = std::min(width, host.model.mostTileColumns());
  auto columns = HostBuilder::constant(sizes.back());
  if (!columns || *columns > width)
    columnBlocks = host.ceilDiv(sizes.back(), width);
}

/// Builds the kernel's body. `arguments` are the memrefs, the sizes of the launch, the number of row blocks, the number
/// of column blocks if columns are cut, and the counts, in this order.
void RowLaunch::build(OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments, Body body) {
  auto take = [&](size_t count) {
    SmallVector<Value> taken(arguments.take_front(count));
    arguments = arguments.drop_front(count);
    return taken;
  };
  SmallVector<Value> memrefs = take(buffers.size()), outer = take(sizes.size() - 1), columns = take(1);
  SmallVector<Value> blocks = take(columnBlocks ? 2 : 1), rest = take(counts.size());
  auto rows = xft::RowsOp::create(b, loc, outer, columns[0], blocks[0], columnBlocks ? blocks[1] : Value());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&rows.getBody(), {}, b.getI64Type(), loc);
  RowBody rowBody(b, loc, rows, memrefs, rest);
  body(rowBody);
}

/// Calls `body` to build a kernel in a temporary function whose arguments have the types `types`. Returns the text of
/// this function, which serves as the key of the kernel: kernels whose code differs have different texts.
std::string RowLaunch::textOf(TypeRange types, Body body) {
  OpBuilder b(host.b.getContext());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(b, host.loc, "key", b.getFunctionType(types, {}));
  Block *block = function->addEntryBlock();
  b.setInsertionPointToStart(block);
  build(b, host.loc, block->getArguments(), body);
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

void RowLaunch::launch(StringRef family, Body body) {
  if (!rowBlocks)
    chooseRowBlocks();
  SmallVector<Type> types;
  SmallVector<Value> actuals;
  for (const Buffer &buffer : buffers) {
    SmallVector<int64_t> dynamic(buffer.rank(), ShapedType::kDynamic), strides = dynamic;
    int64_t last = HostBuilder::constant(buffer.strides.back()).value_or(ShapedType::kDynamic);
    strides.back() = last == 0 || last == 1 ? last : ShapedType::kDynamic;
    // The type shows that an operand is transposed, so that the kernel reads it along the rows.
    if (ShapedType::isDynamic(strides.back()) && HostBuilder::constant(buffer.strides.end()[-2]) == 1)
      strides.end()[-2] = 1;
    types.push_back(host.operandType(buffer.element, dynamic, strides));
    actuals.push_back(host.memref(buffer));
  }
  SmallVector<Size> numbers(sizes);
  numbers.push_back(rowBlocks);
  Size tiles = host.mul(host.product(ArrayRef(sizes).drop_back(2)), rowBlocks);
  if (columnBlocks) {
    numbers.push_back(columnBlocks);
    tiles = host.mul(tiles, columnBlocks);
  }
  llvm::append_range(numbers, counts);
  for (Size number : numbers) {
    types.push_back(host.b.getIndexType());
    actuals.push_back(host.value(number));
  }
  std::string text = textOf(types, body);
  func::FuncOp kernel =
      host.kernel(family, text, types,
                  [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands) { build(b, loc, operands, body); });
  host.launch(kernel, tiles, actuals);
}
