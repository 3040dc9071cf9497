//===- KernelMachine.h - Machines as shared code reads them -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_KERNELMACHINE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_KERNELMACHINE_H

#include "compiler/Support/Machine.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/Support/ErrorHandling.h"

namespace mlir::xf::kernel {
class KernelBuilder;

/// The properties of a machine that the code in this folder depends on. All targets share this code. The defaults
/// describe a machine that has only the common vector instructions.
struct KernelMachine : llvm::RTTIExtends<KernelMachine, Machine> {
  static inline char ID = 0;

  /// Returns the number of elements of `type` (f32, f64, i32, i64) in a vector register. On a GPU, vectors have one
  /// element, because each lane is a thread.
  virtual int64_t lanes(Type type) const = 0;

  /// Returns whether p 2^n is one instruction for vectors of this type (KernelBuilder::scale).
  virtual bool hasScale(VectorType) const { return false; }
  /// Returns whether there is an instruction for the larger of two f32 numbers that gives NaN if one of them is NaN.
  virtual bool hasMaximum() const { return false; }
  /// Returns whether there is an instruction that rounds f32 to bf16.
  virtual bool roundsToBF16() const { return false; }
  /// Returns whether f16 is converted from and to f32 by instructions. Without them, LLVM would call functions of
  /// libgcc.
  virtual bool convertsF16() const { return true; }
  /// Returns whether there are instructions for masked loads and stores of elements of 8 and 16 bits.
  virtual bool masksSmallElements() const { return false; }
  /// Returns whether there is an instruction for 2^x of f32. If so, elementary functions use it, because it is faster
  /// than a polynomial.
  virtual bool hasExp2() const { return false; }
  /// Builds 2^x of an f32 scalar by the instruction of hasExp2. It is accurate to 2 ulp, and 0 below the smallest
  /// normal number.
  virtual Value buildExp2(KernelBuilder &, Value) const {
    llvm_unreachable("expected a machine that has an instruction for 2^x");
  }

  /// Returns whether long pieces of code, such as a search, become functions that kernels call. This keeps hot loops
  /// short. If not, the pieces are built in place.
  virtual bool hasCalls() const { return true; }
  /// Returns the address space of buffers, or 0 if the machine has only one address space.
  virtual unsigned bufferSpace() const { return 0; }
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_KERNELMACHINE_H
