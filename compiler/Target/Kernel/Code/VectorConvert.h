//===- VectorConvert.h - Registers of other element types ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts elements between their type in memory and the type of computation. Kernels compute in f64 for f64, and in
// f32 for other floats. f16 and bf16 exist only in memory.
//
// On CPUs without an instruction for bf16, it is converted by integer ops: a shift on load, and a rounding to nearest
// even on store. (LLVM splits such conversions into scalars.) f16 is converted by vcvtph2ps and vcvtps2ph.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_VECTORCONVERT_H
#define XF_COMPILER_TARGET_KERNEL_CODE_VECTORCONVERT_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// Returns the type in which elements of `type` are computed: f32 for f16 and bf16, else `type`.
Type computeType(Type type);

/// Whether rounding to bf16 must keep subnormal numbers. The instruction of CPUs that rounds to bf16 reads them as 0.
/// Products read them as 0, too, so operands of products may lose them.
enum class Subnormals { lost, kept };

/// Converts a scalar or register of floats to another element type, with a single rounding to nearest even.
Value convertFloat(KernelBuilder &kb, Value value, Type element, Subnormals subnormals = Subnormals::lost);

/// Returns the type of elements of type `stored` in memory and in loads. A bool is one byte. A 16-bit float is an
/// integer, because LLVM converts a single bf16 to f32 and back by a library call.
Type memoryType(Type stored);
/// Converts a scalar or register of memoryType(stored) to computeType(stored). Any non-zero byte is true.
Value fromMemory(KernelBuilder &kb, Value value, Type stored);
/// Converts a scalar or register of computeType(stored) to memoryType(stored).
Value toMemory(KernelBuilder &kb, Value value, Type stored, Subnormals subnormals = Subnormals::lost);

/// Loads `lanes` elements of type `stored` at `pointer` as a register of computeType(stored).
Value loadRegister(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer);
/// Loads the lanes that `mask` selects, as loadRegister does. The other lanes are not read, and are zeros.
Value maskedLoadRegister(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer, Value mask);
/// Loads one element of type `stored` to all lanes, as computeType(stored).
Value loadBroadcast(KernelBuilder &kb, Type stored, int64_t lanes, Value pointer);
/// Loads one element of type `stored` as computeType(stored).
Value loadScalar(KernelBuilder &kb, Type stored, Value pointer);

/// Stores a register or scalar of computeType(stored) as elements of type `stored`.
void storeRegister(KernelBuilder &kb, Value value, Type stored, Value pointer);
/// Stores the lanes of a register that `mask` selects, as storeRegister does.
void maskedStoreRegister(KernelBuilder &kb, Value value, Type stored, Value pointer, Value mask);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_VECTORCONVERT_H
