//===- ResultBuffers.cpp - Where an op's result is written ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the buffers of results. A result is written straight to its final place, if it has one: the entry's result if
// it is returned, the memory of a consumer that only renames indices (merge_heads, transpose, reshape), a slice of a
// concatenation, an argument that it replaces, or the memory of an operand that nothing reads afterwards. Otherwise it
// gets a new buffer.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/HostBuilder.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "dialects/xf/Ops/XfViews.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the tensor that `tensor` is a view of, through any number of views.
static Value viewed(Value tensor) {
  while (tensor.getDefiningOp() && isView(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

bool HostBuilder::mayUpdateInPlace(Value tensor, Value argument) {
  Operation *writer = tensor.getDefiningOp();
  bool elementwise = writer && (isa<ElementwiseOpInterface>(writer) || isa<AdamWOp, SgdOp>(writer));
  bool replacesSlice = isa_and_nonnull<SliceUpdateOp>(writer);
  if ((!elementwise && !replacesSlice) || tensor.getType() != argument.getType())
    return false;
  SmallVector<Value> views = {argument};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (OpOperand &use : view.getUses()) {
      Operation *user = use.getOwner();
      if (replacesSlice && user == writer && (view != argument || use.getOperandNumber() != 0))
        return false; // the slice itself is read from the argument
      if (isView(user))
        views.push_back(user->getResult(0)); // a view's readers read the argument
      else if (user != writer && !user->isBeforeInBlock(writer))
        return false;
      else if (isa<func::ReturnOp>(user))
        return false;
    }
  }
  if (replacesSlice)
    return true;
  // The writer itself must read the argument at the element that it writes, and not through a view, which moves it.
  return llvm::none_of(writer->getOperands(),
                       [&](Value operand) { return operand != argument && viewed(operand) == argument; });
}

Buffer HostBuilder::resultBuffer(unsigned number, ArrayRef<Size> sizes) {
  Value argument = resultArguments[number];
  auto type = cast<MemRefType>(argument.getType());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    std::string key = "result " + std::to_string(number) + " " + std::to_string(d);
    if (!type.isDynamicDim(d) || known.count(key))
      continue;
    known[key] = memref::DimOp::create(b, loc, argument, value(size(d)));
    xft::RequireEqualOp::create(b, loc, known[key], value(sizes[d]));
  }
  return Buffer{argument, type.getElementType(), size(0), SmallVector<Size>(sizes), rowMajorStrides(sizes)};
}

bool HostBuilder::holds(const Buffer &buffer, Value tensor) const {
  Buffer own = this->buffer(tensor);
  if (buffer.root == own.root)
    return buffer.offset == own.offset && buffer.strides == own.strides;
  return llvm::any_of(updates, [&](auto update) {
    auto [number, argument] = update;
    return argument == tensor && resultArguments.lookup(number) == buffer.root;
  });
}

/// Returns the result of `op` if `op` replaces a part of `tensor` or adds to a part of it, else null.
static Value afterPart(Operation *op, Value tensor) {
  if (auto update = dyn_cast<SliceUpdateOp>(op); update && update.getState() == tensor)
    return update.getY();
  if (auto sum = dyn_cast<AddAtOp>(op); sum && sum.getInitial() == tensor && sum.getX() != tensor)
    return sum.getY();
  return nullptr;
}

/// Returns the use of `tensor` by the entry's return, or null if it is not returned. If ops first change parts of
/// `tensor`, and nothing else reads it, follows their results to the return.
static OpOperand *returningUse(Value tensor) {
  auto isReturn = [](OpOperand &use) { return isa<func::ReturnOp>(use.getOwner()); };
  while (tensor.hasOneUse() && !isReturn(*tensor.use_begin())) {
    tensor = afterPart(tensor.use_begin()->getOwner(), tensor);
    if (!tensor)
      return nullptr;
  }
  auto found = llvm::find_if(tensor.getUses(), isReturn);
  return found == tensor.use_end() ? nullptr : &*found;
}

/// Returns the buffer of the entry's result if launches may write `tensor` to it. Returns nullopt if the entry does not
/// return `tensor`, or if the result replaces an argument that may not be written in place.
std::optional<Buffer> HostBuilder::returned(Value tensor) {
  if (OpOperand *use = returningUse(tensor); use && use->get() != tensor) {
    auto argument = updates.find(use->getOperandNumber());
    if (argument == updates.end() || mayUpdateInPlace(tensor, argument->second))
      return resultBuffer(use->getOperandNumber(), sizes(tensor));
    return std::nullopt;
  }
  for (OpOperand &use : tensor.getUses()) {
    if (!isa<func::ReturnOp>(use.getOwner()))
      continue;
    unsigned number = use.getOperandNumber();
    auto argument = updates.find(number);
    if (argument == updates.end() || mayUpdateInPlace(tensor, argument->second))
      return resultBuffer(number, sizes(tensor));
  }
  return std::nullopt;
}

/// Returns the slice of the result of `concat` that its operand `tensor` fills. The first call allocates the buffer of
/// the whole result. Returns nullopt if the shape of the result is dynamic.
std::optional<Buffer> HostBuilder::partOf(ConcatOp concat, Value tensor) {
  Value whole = concat.getY();
  if (!cast<RankedTensorType>(whole.getType()).hasStaticShape())
    return std::nullopt;
  if (!buffers.count(whole)) {
    std::optional<Buffer> home = destination(whole);
    buffers[whole] = home ? *home : allocate(getElementTypeOrSelf(whole), sizes(whole));
  }
  Buffer memory = buffers.lookup(whole);
  SmallVector<Size> offsets(memory.rank(), size(0)), own = sizes(tensor);
  Size &place = offsets[concat.getAxis()];
  for (auto input = concat.getInputs().begin(); *input != tensor; ++input)
    place = add(place, sizes(*input)[concat.getAxis()]);
  return sliced(memory, offsets, own, SmallVector<int64_t>(own.size(), 1));
}

/// Returns the user for whose sake `tensor` gets its memory layout. This is its only user or, among several, a
/// merge_heads, because the other users can read any layout. Returns null if no user requires a layout.
static Operation *decidingUser(Value tensor) {
  for (Operation *user : tensor.getUsers())
    if (isa<MergeHeadsOp>(user) || tensor.hasOneUse())
      return user;
  return nullptr;
}

std::optional<Buffer> HostBuilder::destination(Value tensor) {
  if (auto buffer = returned(tensor))
    return buffer;
  Operation *user = decidingUser(tensor);
  if (auto concat = dyn_cast_or_null<ConcatOp>(user))
    return partOf(concat, tensor);
  if (!isa_and_nonnull<MergeHeadsOp, SplitHeadsOp, TransposeOp, ReshapeOp>(user))
    return std::nullopt;
  Value view = user->getResult(0);
  std::optional<Buffer> home = tensor.hasOneUse() ? destination(view) : std::nullopt;
  if (!home && isa<ReshapeOp, SplitHeadsOp>(user))
    return std::nullopt; // a contiguous buffer serves these as well
  SmallVector<Size> own = sizes(tensor);
  if (auto merge = dyn_cast<MergeHeadsOp>(user)) {
    if (!home) // B x N x (H D)
      home = allocate(getElementTypeOrSelf(view), {own[0], own[2], mul(own[1], own[3])});
    return permuted(split(*home, 2, own[3]), {0, 2, 1, 3});
  }
  if (auto transpose = dyn_cast<TransposeOp>(user)) {
    if (!home)
      return std::nullopt;
    SmallVector<int64_t> inverse(own.size());
    for (auto [d, from] : llvm::enumerate(transpose.getPermutation()))
      inverse[from] = d;
    return permuted(*home, inverse);
  }
  if (!isa<ReshapeOp>(user))
    return std::nullopt;
  Buffer flat = *home;
  if (flat.strides != rowMajorStrides(flat.sizes)) // a reshape of a home that has gaps is no view
    return std::nullopt;
  Buffer result{flat.root, flat.element, flat.offset, own, {}};
  result.strides = rowMajorStrides(own);
  return result;
}

/// Returns true if `tensor` may reuse the memory of `input`. This memory must be an allocation of the same sizes, and
/// the op that computes `tensor` must be the last to read it.
bool HostBuilder::mayTakeOver(Value tensor, Value input) {
  Operation *writer = tensor.getDefiningOp();
  auto found = buffers.find(input);
  if (found == buffers.end() || input.getType() != tensor.getType() || llvm::count(writer->getOperands(), input) != 1)
    return false;
  const Buffer &memory = found->second;
  if (!memory.root.getDefiningOp<memref::AllocOp>() || constant(memory.offset) != 0 || memory.sizes != sizes(tensor) ||
      memory.strides != rowMajorStrides(memory.sizes))
    return false;
  return llvm::all_of(buffers, [&](const auto &entry) {
    const auto &[other, buffer] = entry;
    return buffer.root != memory.root || llvm::all_of(other.getUsers(), [&](Operation *user) {
             return user == writer ? other == input : user->isBeforeInBlock(writer);
           });
  });
}

Buffer HostBuilder::resultOver(Value tensor, ValueRange inputs) {
  if (auto known = buffers.find(tensor); known != buffers.end())
    return known->second; // an earlier call, or partOf() for an operand of a concatenation
  std::optional<Buffer> buffer = destination(tensor);
  for (Value input : inputs)
    if (!buffer && mayTakeOver(tensor, input))
      buffer = buffers.lookup(input);
  if (!buffer)
    buffer = allocate(getElementTypeOrSelf(tensor), sizes(tensor));
  buffers[tensor] = *buffer;
  return *buffer;
}

Buffer HostBuilder::result(Value tensor) { return resultOver(tensor, {}); }

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Buffer HostBuilder::contiguous(const Buffer &buffer) {
  if (buffer.strides == rowMajorStrides(buffer.sizes))
    return buffer;
  Buffer copy = allocate(buffer.element, buffer.sizes);
  tileCopy(*this, buffer, copy);
  return copy;
}

Buffer HostBuilder::unitInner(const Buffer &buffer) {
  if (buffer.rank() == 0 || constant(buffer.strides.back()) == 1 || constant(buffer.sizes.back()) == 1)
    return buffer;
  return contiguous(buffer);
}
