//===- HostBuilder.h - Building a host program ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HostBuilder is the API of all tilings: it turns tensors into strided buffers, folds index arithmetic, looks kernels
// up by a structural key before it builds them, and appends launches and copies in program order.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_HOSTBUILDER_H
#define XF_COMPILER_TILE_HOST_HOSTBUILDER_H

#include "compiler/Tile/Host/TileModel.h"
#include "dialects/xf/IR/XfSizes.h"
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

/// Appends steps to one host program. All index arithmetic goes through the functions on sizes, which fold constants
/// and reuse equal values.
class HostBuilder {
public:
  /// Creates a builder that appends to the body of `host`, which has one block without a terminator.
  HostBuilder(func::FuncOp host, KernelLibrary &kernels, const TileModel &model);

  OpBuilder b;
  Location loc; ///< the location of the op that is being tiled
  const TileModel &model;

  //===--- sizes ---===//
  /// Compute with sizes, and fold constants. A division by 0 returns the dividend.
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
  /// Returns the value of an expression. Each name in the expression must be the name of a size of some argument
  /// (checkNames). If the value may be negative, appends a check that it is not, which each call of the entry makes.
  Size evaluate(const SizeExpression &expression);
  /// Appends a check that `expression` is not negative, which each call of the entry makes. Does nothing unless
  /// arguments of the entry have all sizes that the expression names.
  void requireNotNegative(const SizeExpression &expression);
  /// Returns the sizes of `tensor` as expressions of named sizes, or null if they are not known.
  const SizeExpressions *expressions(Value tensor) const { return symbolic ? symbolic->of(tensor) : nullptr; }
  /// Returns the value of `size` if it is a constant, else nullopt.
  static std::optional<int64_t> constant(Size size) { return getConstantIntValue(size); }
  /// Returns a size as an index value of the host program.
  Value value(Size size);
  /// Returns true if a size is provably a multiple of `unit`.
  bool isMultiple(Size size, int64_t unit) const { return monomial(size).constant % unit == 0; }

  //===--- buffers of tensors ---===//
  /// Returns the sizes of a tensor. If it has a buffer, these are the sizes of the buffer, else the sizes of its type.
  /// Dynamic sizes without a buffer follow from the `sizes` attribute of its op or, without one, from the op's operands
  /// (TileableOp.td).
  SmallVector<Size> sizes(Value tensor);
  /// Returns the buffer of a tensor. The tensor must be an argument, or the result of an op that has been tiled.
  Buffer buffer(Value tensor) const;
  /// Binds an op's result to a view of existing memory (reshape, transpose, slice, heads).
  void alias(Value tensor, Buffer view);
  /// Returns the buffer to which the launches of an op must write its result `tensor`. This is the entry's result if
  /// the value is returned. It is a view of the result of its consumer if that only rearranges elements (merge_heads,
  /// transpose, reshape, concatenation). Otherwise, it is a new contiguous allocation.
  Buffer result(Value tensor);
  /// Like result(), for an op that reads each element of `inputs` only to write the same element of the result
  /// `tensor`. The returned buffer may be the memory of an input that nothing else reads afterwards.
  Buffer resultOver(Value tensor, ValueRange inputs);
  /// Returns true if `buffer` holds the elements of the argument `tensor` when a call starts. It does if it is the
  /// buffer of `tensor`, or of the result that replaces `tensor`.
  bool holds(const Buffer &buffer, Value tensor) const;
  /// Allocates contiguous, uninitialised scratch memory in the arena.
  Buffer allocate(Type element, ArrayRef<Size> sizes);
  /// Returns a read-only global with these elements. Constants with equal elements share one global. A splat is stored
  /// as one element with strides of 0.
  Buffer constantBuffer(DenseElementsAttr elements);
  /// Returns `buffer` itself if it is contiguous in row-major order, else a packed copy.
  Buffer contiguous(const Buffer &buffer);
  /// Returns `buffer` itself if its last dimension has stride 1 (or size 1), else a packed copy.
  Buffer unitInner(const Buffer &buffer);

  /// Tilings of forward ops keep buffers for the tilings of gradients: the state of a scan, o before it was rounded, or
  /// m and log l. keep() and findKept() identify a kept buffer by a tensor and by this role.
  enum class Kept { State, ExactOutput, LseParts };
  void keep(Value tensor, Kept what, const Buffer &buffer) { kept.insert({{tensor, unsigned(what)}, buffer}); }
  std::optional<Buffer> findKept(Value tensor, Kept what) const {
    auto found = kept.find({tensor, unsigned(what)});
    return found == kept.end() ? std::nullopt : std::optional(found->second);
  }

  //===--- views ---===//
  /// Returns the strides of a contiguous row-major buffer of these sizes.
  SmallVector<Size> rowMajorStrides(ArrayRef<Size> sizes);
  /// Returns a view whose dimension d is dimension permutation[d] of `buffer`.
  Buffer permuted(const Buffer &buffer, ArrayRef<int64_t> permutation) const;
  /// Returns a view with dimensions [first, last] merged into one. Fails, without an error, if strides do not allow it.
  FailureOr<Buffer> collapsed(const Buffer &buffer, int64_t first, int64_t last);
  /// Returns a view with dimension `dim` split into two, of sizes size / inner and inner.
  Buffer split(const Buffer &buffer, int64_t dim, Size inner);
  /// Returns a view of `sizes` elements, starting at `offsets`. Multiplies the strides by `steps`.
  Buffer sliced(const Buffer &buffer, ArrayRef<Size> offsets, ArrayRef<Size> sizes, ArrayRef<int64_t> steps);

  //===--- kernels ---===//
  /// Returns the memref of `buffer` that a launch takes as an operand.
  Value memref(const Buffer &buffer);
  /// Returns the type of a kernel's operand with the given sizes and strides. A size or stride of kDynamic is dynamic
  /// in the type.
  MemRefType operandType(Type element, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) const;
  /// Returns the type of a kernel's operand of `rank` dimensions with dynamic sizes and strides, except for the last
  /// stride, which is 1.
  MemRefType rowsType(Type element, int64_t rank) const;

  using KernelBody = function_ref<void(OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands)>;
  /// Returns the kernel with this key and these operand types. If it does not exist yet, calls `body` to build it.
  /// `family` is the prefix of the kernel's name. The key and the types must determine what `body` builds.
  func::FuncOp kernel(StringRef family, StringRef key, TypeRange operands, KernelBody body);
  /// Appends a launch whose grid has `tiles` tiles. If `tiles` is the constant 0, appends nothing and returns null.
  xft::LaunchOp launch(func::FuncOp kernel, Size tiles, ValueRange operands);
  /// Requires that two sizes are equal: appends a check that the runtime makes before the first kernel runs. Fails,
  /// after an error, if they are different constants.
  LogicalResult requireEqual(Size x, Size y);
  /// Requires that two tensors have as many elements. Fails after an error.
  LogicalResult requireEqualElements(Value x, Value y);
  /// Requires that the static sizes of an op's result equal those derived from its operands. Fails after an error.
  LogicalResult requireStaticSizes(Value tensor);

  /// Maps each name that expressions of sizes use to the dynamic size of an argument of `function`. The arguments must
  /// have been bound to arguments of the host program (bind).
  void bindNames(func::FuncOp function);
  /// Verifies that each named size in the attributes of `op` is a size of some argument. Fails after an error.
  LogicalResult checkNames(Operation *op) const;
  /// Binds a tensor to the argument of the host program that holds it.
  void bind(Value tensor, Value argument);
  /// Binds result `number` of the entry to the argument of the host program that receives it.
  void bindResult(unsigned number, Value argument) { resultArguments[number] = argument; }
  /// Returns true if a kernel may write `tensor` into the memory of `argument`, which a result of the entry replaces.
  /// For this, the op of `tensor` must be element-wise or replace a slice of the argument, and nothing may read the
  /// argument afterwards.
  static bool mayUpdateInPlace(Value tensor, Value argument);
  /// Records that result number `result` of the entry replaces `argument`.
  void bindUpdate(unsigned result, Value argument) { updates[result] = argument; }
  /// Returns a buffer over all of a contiguous memref; dynamic sizes are read from the memref at run time.
  Buffer whole(Value memref);
  /// Returns the buffer of result `number` of the entry, with these sizes. Appends run-time checks that the dynamic
  /// sizes of the result equal `sizes`.
  Buffer resultBuffer(unsigned number, ArrayRef<Size> sizes);

  /// Adds to the work of one call of the entry: floating-point operations, pairs of attention patterns, and pairs that
  /// kernels execute, masked pairs included.
  void count(double flop, double pairs = 0, double executedPairs = 0);
  /// Returns the floating-point operations that count() added so far.
  double countedFlop() const { return flop; }
  /// Sets attributes of the host program: the work that count() added, and the expressions of sizes that calls check.
  void recordWork();

private:
  /// The product of `constant` and of the values `factors`. The factors have a canonical order, so that equal products
  /// are the same SSA value.
  struct Monomial {
    int64_t constant = 1;
    SmallVector<Value> factors;
  };
  Monomial monomial(Size size) const;
  Size build(Monomial monomial);
  /// Returns x / y if y divides x factor by factor, else nullopt.
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
  DenseMap<Value, unsigned> order; ///< numbers by first appearance: the canonical order of factors
  llvm::StringMap<Value> known;
  DenseMap<unsigned, Value> resultArguments; ///< the arguments of the host program, by number of the result
  double flop = 0, pairs = 0, executedPairs = 0;
  DenseMap<unsigned, Value> updates; ///< the tensor argument that each result replaces
  llvm::StringMap<Size> named;       ///< the sizes of arguments, by name
  SmallVector<Attribute> checked;    ///< expressions that must not be negative
  SmallVector<Attribute> zeros;      ///< expressions that must be 0
  std::optional<SymbolicSizes> symbolic;
};

/// Appends a copy of `from` to `to`, which have equal shapes and any strides. Converts (rounds) floats. The copy is a
/// step of the host program (xft.copy) if it moves one run of bytes unchanged, else a kernel.
void tileCopy(HostBuilder &host, const Buffer &from, const Buffer &to);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_HOSTBUILDER_H
