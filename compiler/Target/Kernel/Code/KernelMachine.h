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

/// The facts about a machine on which the code that targets share depends. The defaults are those of a machine that has
/// only the common instructions of vectors.
struct KernelMachine : llvm::RTTIExtends<KernelMachine, Machine> {
  static inline char ID = 0;

  /// Returns the number of elements of `type` (f32, f64, i32, i64) in a vector register. On a GPU, a lane is a thread,
  /// and vectors have one element.
  virtual int64_t lanes(Type type) const = 0;

  /// Returns whether p 2^n is one instruction for vectors of this type (KernelBuilder::scale).
  virtual bool hasScale(VectorType) const { return false; }
  /// Returns whether f32 has an instruction for the larger of two numbers that gives NaN if one of them is NaN.
  virtual bool hasMaximum() const { return false; }
  /// Returns whether f32 is rounded to bf16 by an instruction.
  virtual bool roundsToBF16() const { return false; }
  /// Returns whether f16 is converted from and to f32 by instructions. Elsewhere LLVM would call functions of libgcc.
  virtual bool convertsF16() const { return true; }
  /// Returns whether masked loads and stores are instructions for elements of 8 and 16 bits, too.
  virtual bool masksSmallElements() const { return false; }
  /// Returns whether f32 has an instruction for 2^x, by which elementary functions are faster than as polynomials.
  virtual bool hasExp2() const { return false; }
  /// Builds 2^x of an f32 scalar by this instruction: accurate to 2 ulp, 0 below the smallest normal number.
  virtual Value buildExp2(KernelBuilder &, Value) const {
    llvm_unreachable("expected a machine that has an instruction for 2^x");
  }

  /// Returns whether kernels call shared pieces of code as functions, which keeps hot loops short. Otherwise these
  /// pieces are built in place.
  virtual bool hasCalls() const { return true; }
  /// Returns the address space of buffers; 0 if it is the only one.
  virtual unsigned bufferSpace() const { return 0; }
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_KERNELMACHINE_H
