//===- VectorConvert.h - Registers and memory of other element types -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels compute in f32 (f64 for f64); f16 and bf16 exist in memory only. bf16 is converted by integer ops, which are
// one shift on load and a round to nearest even on store, because LLVM splits these conversions into scalars where the
// CPU has no instruction for them; f16 by vcvtph2ps and vcvtps2ph.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_VECTORCONVERT_H
#define XF_COMPILER_TARGET_KERNEL_CODE_VECTORCONVERT_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// The type that elements of `type` are computed in: f32 for f16 and bf16, else `type`.
Type computeType(Type type);

/// A scalar or register of floats as floats of another element type, rounded to nearest even.
Value convertFloat(KernelBuilder &kb, Value value, Type element);

/// What elements of type `stored` are in memory and move as: a bool is one byte, 16-bit floats are integers, since LLVM
/// takes single bf16 elements through f32 and a library call.
Type memoryType(Type stored);
/// A scalar or register of memoryType(stored) as computeType(stored); any non-zero byte is true.
Value fromMemory(KernelBuilder &kb, Value value, Type stored);
/// The reverse.
Value toMemory(KernelBuilder &kb, Value value, Type stored);

/// `lanes` elements of type `stored` at `pointer` as a register of computeType(stored).
Value loadRegister(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer);
/// The same where lanes outside `mask` are neither read nor defined to be anything but zero.
Value maskedLoadRegister(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer, Value mask);
/// One element of type `stored` in all lanes, as computeType(stored).
Value loadBroadcast(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer);
/// One element of type `stored` as computeType(stored).
Value loadScalar(KernelBuilder &kb, Type stored, Value pointer);

/// Writes a register, or a scalar, to elements of type `stored`.
void storeRegister(KernelBuilder &kb, Value value, Type stored, Value pointer);
void maskedStoreRegister(KernelBuilder &kb, Value value, Type stored, Value pointer, Value mask);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_VECTORCONVERT_H
