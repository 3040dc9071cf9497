//===- Scratch.h - Buffers of a kernel in scratch memory ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the buffers of a kernel, which lie one after the other in its scratch memory. A struct has one member for
// each buffer. Its initialiser says what the elements are and how many there are:
//
//   struct SoftmaxBuffers {
//     Scratch &s;
//     ScratchBuffer shift = s.take(real, rows);              ///< [row]: -m
//     ScratchBuffer p = s.take(real, tileRows * keys, keys); ///< [row of a tile][key]
//   };
//
// The struct is constructed twice. When a launch is described (TileModel::describeLaunch), a Scratch without an address
// measures the bytes that the launch must provide. When the kernel is expanded, a Scratch with an address places the
// buffers, and each initialiser builds the code of its pointer. So only the target knows layouts. Earlier stages ask
// its TileModel for bytes.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_SCRATCH_H
#define XF_COMPILER_TARGET_KERNEL_CODE_SCRATCH_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// A buffer of a kernel: rows of contiguous elements that begin `pitch` elements apart.
struct ScratchBuffer {
  Value pointer; ///< null if the kernel has no such buffer, or if it is only measured
  Type element;
  int64_t pitch = 0;
  int64_t bytes = 0;

  operator Value() const { return pointer; }
  /// Returns a pointer to element `index` of the buffer.
  Value at(KernelBuilder &kb, Value index) const { return kb.at(element, pointer, index); }
  /// Returns a pointer to element (row, column).
  Value at(KernelBuilder &kb, Value row, Value column) const {
    return kb.at(element, at(kb, kb.mul(row, pitch)), column);
  }
};

/// Measures or places the buffers of a kernel in the order of their declaration. Each begins at a cache line.
class Scratch {
public:
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

  /// Measures buffers. A buffer that does not fit `room` bytes after the buffers before it is counted as overflow.
  explicit Scratch(int64_t room = unlimited) : room(room) {}
  /// Places buffers at `base`. A buffer that does not fit `room` bytes is placed at `overflow`.
  Scratch(KernelBuilder &kb, Value base, int64_t room = unlimited, Value overflow = nullptr)
      : kb(&kb), base(base), overflow(overflow), room(room) {}

  /// Places buffers in the scratch memory of the kernel that holds `op`: the kernel's third argument.
  static Scratch ofKernel(KernelBuilder &kb, Operation *op);

  /// Declares a buffer of `count` elements in rows of `pitch` elements. If `count` is 0, the kernel has no such buffer.
  ScratchBuffer take(Type element, int64_t count, int64_t pitch = 0);
  /// Declares a buffer in the memory of `owner`, which must have room for it. The two buffers take turns: when the
  /// kernel has written to one of them, it must not read what it stored to the other before.
  ScratchBuffer share(const ScratchBuffer &owner, Type element, int64_t count, int64_t pitch = 0) const;

  int64_t bytes() const { return used; }
  int64_t overflowBytes() const { return overflowUsed; }

private:
  KernelBuilder *kb = nullptr;
  Value base, overflow;
  int64_t room, used = 0, overflowUsed = 0;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_SCRATCH_H
