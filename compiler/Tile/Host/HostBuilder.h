//===- HostBuilder.h - Building a host program ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tiling of one op is written with: tensors become strided buffers, index arithmetic is folded, kernels are
// looked up by a structural key before they are built, launches are appended in program order.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_HOSTBUILDER_H
#define XF_COMPILER_TILE_HOST_HOSTBUILDER_H

#include "compiler/Tile/Host/TileModel.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// A size, stride or offset in elements: a constant attribute, or an index value of the host program.
using Size = OpFoldResult;

/// A strided view of a buffer of the host program: element (i0, i1, ..) lies at offset + sum i_d strides[d] of `root`.
struct Buffer {
  Value root; ///< memref: an argument or an allocation, contiguous
  Type element;
  Size offset;
  SmallVector<Size> sizes, strides;

  int64_t rank() const { return sizes.size(); }
};

class KernelLibrary;

class HostBuilder {
public:
  HostBuilder(func::FuncOp host, KernelLibrary &kernels, const TileModel &model);

  OpBuilder b;
  Location loc; ///< of the op that is being tiled
  const TileModel &model;

  //===--- sizes ---===//
  Size size(int64_t value) { return b.getIndexAttr(value); }
  Size add(Size x, Size y);
  Size sub(Size x, Size y);
  Size mul(Size x, Size y);
  Size product(ArrayRef<Size> factors);
  Size ceilDiv(Size x, int64_t y);
  Size floorDiv(Size x, int64_t y);
  Size floorDiv(Size x, Size y);
  Size min(Size x, Size y);
  Size max(Size x, Size y);
  /// The constant behind a size, if it is one.
  static std::optional<int64_t> constant(Size size) { return getConstantIntValue(size); }
  Value value(Size size);
  /// Whether a size is known to be a multiple of `unit`.
  bool isMultiple(Size size, int64_t unit) const { return monomial(size).constant % unit == 0; }

  //===--- buffers of tensors ---===//
  /// The sizes of a tensor: of its buffer where it has one, else derived from the operands of its op (TensorSizes.cpp).
  SmallVector<Size> sizes(Value tensor);
  /// The buffer that holds a tensor; the tensor's op has been tiled or it is an argument.
  Buffer buffer(Value tensor) const;
  /// Says that an op's result is a view of existing memory (reshape, transpose, slice, heads).
  void alias(Value tensor, Buffer view);
  /// A buffer for an op's result, to be written whole by the caller's launches: the entry's result where the op's value
  /// is returned, the buffer of a consumer that is only an index map (merge_heads, transpose, reshape), its part of a
  /// concatenation, else a contiguous allocation.
  Buffer result(Value tensor);
  /// The same for an op that reads elements of `inputs` only to write those at the same place: the memory of an input
  /// that nothing reads afterwards may be the result's.
  Buffer resultOver(Value tensor, ValueRange inputs);
  /// Contiguous scratch memory of the program (part of the arena), uninitialised.
  Buffer allocate(Type element, ArrayRef<Size> sizes);
  /// The elements as a read-only global; those of a splat are one, with strides of 0.
  Buffer constantBuffer(DenseElementsAttr elements);
  /// `buffer` itself if it is contiguous in row-major order, else a packed copy.
  Buffer contiguous(const Buffer &buffer);
  /// `buffer` itself if its last dimension has stride 1 (or size 1), else a packed copy.
  Buffer unitInner(const Buffer &buffer);

  /// A buffer that a tiling leaves for that of another op: found by the tensor that both know, and what it is of it.
  enum class Kept { State, ExactOutput, LseParts };
  void keep(Value tensor, Kept what, const Buffer &buffer) { kept.insert({{tensor, unsigned(what)}, buffer}); }
  std::optional<Buffer> findKept(Value tensor, Kept what) const {
    auto found = kept.find({tensor, unsigned(what)});
    return found == kept.end() ? std::nullopt : std::optional(found->second);
  }

  //===--- views ---===//
  /// The strides of a contiguous row-major buffer of these sizes.
  SmallVector<Size> rowMajorStrides(ArrayRef<Size> sizes);
  Buffer permuted(const Buffer &buffer, ArrayRef<int64_t> permutation) const;
  /// The same elements with dimensions [first, last] as one, where strides allow it.
  FailureOr<Buffer> collapsed(const Buffer &buffer, int64_t first, int64_t last);
  /// Dimension `dim` as (outer, inner) of sizes size/inner and inner.
  Buffer split(const Buffer &buffer, int64_t dim, Size inner);
  Buffer sliced(const Buffer &buffer, ArrayRef<Size> offsets, ArrayRef<Size> sizes, ArrayRef<int64_t> steps);

  //===--- kernels ---===//
  /// The operand's memref for a launch.
  Value memref(const Buffer &buffer);
  /// A kernel's operand type: element type, rank, static sizes and strides where `sizes`/`strides` say so (kDynamic
  /// elsewhere).
  MemRefType operandType(Type element, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) const;
  /// All sizes dynamic, all strides dynamic but the last one, which is 1.
  MemRefType rowsType(Type element, int64_t rank) const;

  using KernelBody = function_ref<void(OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands)>;
  /// The kernel with this key and these operand types, built by `body` if no other launch asked for it before. `family`
  /// starts its name; the key must determine what `body` builds together with the types.
  func::FuncOp kernel(StringRef family, StringRef key, TypeRange operands, KernelBody body);
  /// Appends a launch over `tiles` tiles; null where there are none.
  xft::LaunchOp launch(func::FuncOp kernel, Size tiles, ValueRange operands);
  /// Says that two dynamic sizes must be equal: the runtime checks it before the first kernel runs. Failure (after an
  /// error) if they are constants that differ.
  LogicalResult requireEqual(Size x, Size y);
  /// Says that the static sizes of an op's result are those that its operands give it.
  LogicalResult requireStaticSizes(Value tensor);

  /// Binds a tensor to the argument that holds it, and a result of the entry to the argument that receives it.
  void bind(Value tensor, Value argument);
  void bindResult(unsigned number, Value argument) { resultArguments[number] = argument; }
  /// True where a kernel may write `tensor` into the argument that the entry's result `number` replaces: it is computed
  /// element by element and nothing reads the argument afterwards.
  static bool mayUpdateInPlace(Value tensor, Value argument);
  /// The argument that a result of the entry replaces, if any; `tensor` is returned as that result.
  void bindUpdate(unsigned result, Value argument) { updates[result] = argument; }
  /// The whole of a contiguous memref whose dynamic sizes are asked of it.
  Buffer whole(Value memref);
  /// The buffer of result `number`; its dynamic sizes must be `sizes`.
  Buffer resultBuffer(unsigned number, ArrayRef<Size> sizes);

  /// Adds to what one call of the entry does: floating-point operations, attention pairs that exist and that are
  /// executed.
  void count(double flop, double pairs = 0, double executedPairs = 0);
  /// Writes the counts onto the host program.
  void recordWork();

private:
  /// constant * product of values, in a canonical order: equal products are the same SSA value.
  struct Monomial {
    int64_t constant = 1;
    SmallVector<Value> factors;
  };
  Monomial monomial(Size size) const;
  Size build(Monomial monomial);
  /// x / y where x has all factors of y.
  static std::optional<Monomial> quotient(Monomial x, const Monomial &y);
  template <typename OpTy>
  Size binary(Size x, Size y, std::optional<int64_t> folded);
  std::optional<Buffer> destination(Value tensor);
  std::optional<Buffer> partOf(ConcatOp concat, Value tensor);
  bool mayTakeOver(Value tensor, Value input);
  std::optional<Buffer> returned(Value tensor);

  func::FuncOp host;
  KernelLibrary &kernels;
  DenseMap<Value, Buffer> buffers;
  DenseMap<std::pair<Value, unsigned>, Buffer> kept;
  DenseMap<Value, Monomial> products;
  DenseMap<Value, unsigned> order; ///< of first appearance, for canonical products
  llvm::StringMap<Value> known;
  DenseMap<unsigned, Value> resultArguments; ///< of the host
  double flop = 0, pairs = 0, executedPairs = 0;
  DenseMap<unsigned, Value> updates; ///< result to the tensor argument that it replaces
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_HOSTBUILDER_H
