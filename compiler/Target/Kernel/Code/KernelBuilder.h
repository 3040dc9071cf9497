//===- KernelBuilder.h - Code inside a kernel ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds kernel bodies: a thin layer over OpBuilder. Every integer is an i64, every address a pointer plus an i64 index
// of an element, every vector one register. Constants are created once, at the head of the function.
//
// The code has the dialects scf, arith, math, vector (1-D) and llvm (loads and stores). LLVM compiles it as written,
// without its middle end, because measurements show that `opt` gains nothing on such code.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_KERNELBUILDER_H
#define XF_COMPILER_TARGET_KERNEL_CODE_KERNELBUILDER_H

#include "compiler/Target/Kernel/Code/KernelMachine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::xf::kernel {

/// Builds the code of one kernel.
class KernelBuilder {
public:
  KernelBuilder(func::FuncOp kernel, const KernelMachine &machine);

  OpBuilder b;
  Location loc;
  const KernelMachine &machine;

  //===--- types ---===//
  Type i64() { return b.getI64Type(); }
  Type pointer() { return LLVM::LLVMPointerType::get(b.getContext()); }
  VectorType vector(Type element, int64_t lanes) { return VectorType::get({lanes}, element); }

  //===--- constants, created once per function ---===//
  /// Returns a constant. Equal constants of a function are created once, at its head.
  Value constant(TypedAttr value);
  Value integer(int64_t value) { return constant(b.getI64IntegerAttr(value)); }
  /// Returns a constant of `type`: a float scalar, or a vector of equal floats.
  Value real(Type type, double value);
  /// Returns a constant of `type`: an integer scalar, or a vector of equal integers.
  Value integerOf(Type type, int64_t value);
  /// Returns the i32 vector (0, 1, 2, ..) of `lanes` elements.
  Value iota(int64_t lanes);

  //===--- i64 arithmetic, folded ---===//
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value add(Value x, int64_t y) { return add(x, integer(y)); }
  Value mul(Value x, int64_t y) { return mul(x, integer(y)); }
  Value min(Value x, Value y);
  Value max(Value x, Value y);
  Value clamp(Value x, Value lower, Value upper) { return min(max(x, lower), upper); }
  /// Return the quotient (rounded down) and the non-negative remainder of x by a positive constant y.
  Value floorDiv(Value x, int64_t y);
  Value floorMod(Value x, int64_t y);
  Value ceilDiv(Value x, int64_t y) { return floorDiv(add(x, y - 1), y); }
  /// Return the quotient and the remainder of a non-negative x by a positive run-time value y.
  Value div(Value x, Value y);
  Value rem(Value x, Value y);
  Value compare(arith::CmpIPredicate predicate, Value x, Value y);
  Value select(Value condition, Value x, Value y);

  //===--- memory ---===//
  /// Returns `pointer` advanced by `index` elements of type `element`.
  Value at(Type element, Value pointer, Value index);
  Value at(Type element, Value pointer, int64_t index);
  Value load(Type type, Value pointer, int64_t alignment = 0);
  void store(Value value, Value pointer, int64_t alignment = 0);
  /// Load an integer of up to 64 bits as an i64, or store an i64 as such an integer.
  Value loadIndex(Type element, Value pointer);
  void storeIndex(Value value, Type element, Value pointer);
  /// The alignment in bytes that every non-temporal store supports.
  static constexpr int64_t streamedAlignment = 16;
  /// Stores `value` by a non-temporal store, which bypasses the caches. `pointer` must be a multiple of
  /// streamedAlignment.
  void storeStreamed(Value value, Value pointer);
  /// The size of a cache line in bytes.
  static constexpr int64_t cacheLine = 64;
  /// Prefetches the cache line at `pointer` to the second-level cache, for writing if `writes`, else for reading.
  void prefetch(Value pointer, bool writes = false);
  /// Prefetches a row of `count` elements of type `element` for reading, but at most its first 4 KB.
  void prefetchRow(Type element, Value row, int64_t count);
  /// Allocates stack memory of `count` elements of type `element`, 64-byte aligned. The memory is allocated once per
  /// call of the kernel, even if this function is called within a loop.
  Value stack(Type element, int64_t count);
  /// Load or store the lanes of a vector that `mask` (a vector of i1) selects. The other lanes of a load are zeros.
  Value maskedLoad(VectorType type, Value pointer, Value mask);
  void maskedStore(Value value, Value pointer, Value mask);
  /// Returns the mask (a vector of i1) that selects the first `count` of `lanes` lanes. Clamps `count` to [0, lanes].
  Value laneMask(int64_t lanes, Value count);

  //===--- floats: scalars or one register ---===//
  Value addf(Value x, Value y);
  Value subf(Value x, Value y);
  Value mulf(Value x, Value y);
  Value divf(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  /// Returns x y + z, rounded once on every machine. A machine without the instruction calls a function of libm.
  /// (There, fma() rounds twice: it multiplies and adds.)
  Value exactFma(Value x, Value y, Value z);
  /// Returns the larger of x and y, or y if one of them is NaN. This is one instruction on x86.
  Value maxf(Value x, Value y);
  Value broadcast(Value scalar, int64_t lanes);
  /// Loads the element of type `element` at `pointer` to all lanes of a register.
  Value broadcastLoad(Type element, int64_t lanes, Value pointer);
  Value reduceAdd(Value vector);
  Value reduceMax(Value vector);
  /// Returns whether the machine has an instruction (AVX-512) that computes scale() of vectors of `type`.
  bool hasScale(VectorType type) const { return machine.hasScale(type); }
  /// Returns p 2^n for any n, also for subnormal, zero and infinite results.
  Value scale(Value p, Value n);
  /// Returns 2^x as a softmax needs it: exactly 1 if x is 0, and 0 if x is below leastExponent. x must be less than the
  /// largest exponent of the type. NaN gives NaN. Accurate to 2 ulp for f32, and to 1e-15 for f64.
  Value exp2(Value x);
  /// Returns the exponent below which exp2 gives 0. It is larger than the exponent of the smallest normal number, so
  /// that products with small factors stay normal. On some processors, a product with a subnormal operand or result
  /// takes a hundred times as long.
  static double leastExponent(Type element) { return element.isF64() ? -1016 : -120; }

  //===--- control ---===//
  using LoopBody = function_ref<SmallVector<Value>(Value index, ValueRange state)>;
  /// Builds the loop for (i64 index = lower; index < upper; index += step), which carries `state`. Returns the last
  /// state.
  SmallVector<Value> loop(Value lower, Value upper, int64_t step, ValueRange state, LoopBody body);
  SmallVector<Value> loop(Value lower, Value upper, Value step, ValueRange state, LoopBody body);
  void loop(Value lower, Value upper, int64_t step, function_ref<void(Value index)> body);
  void loop(Value lower, Value upper, Value step, function_ref<void(Value index)> body);
  /// Builds do { state.., again = body(state) } while (again). `again` (i1) is the last value that `body` returns.
  /// Returns the last state.
  SmallVector<Value> repeat(ValueRange state, function_ref<SmallVector<Value>(ValueRange state)> body);
  void ifThen(Value condition, function_ref<void()> then);
  SmallVector<Value> ifElse(Value condition, TypeRange types, function_ref<SmallVector<Value>()> then,
                            function_ref<SmallVector<Value>()> otherwise);

private:
  Block *entry;
  Operation *lastConstant = nullptr;
  DenseMap<Attribute, Value> constants;
};

/// A strided buffer operand of a kernel: base pointer, sizes and strides (in elements), as i64 values.
struct View {
  Value pointer;
  Type element;
  SmallVector<Value> sizes, strides;

  /// Returns the view of a memref operand of a kernel. Its sizes and strides are read at the insertion point.
  static View of(KernelBuilder &kb, Value memref);
  /// Returns a pointer to the element whose leading indices are `indices`. The other indices are 0.
  Value at(KernelBuilder &kb, ValueRange indices) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_KERNELBUILDER_H
