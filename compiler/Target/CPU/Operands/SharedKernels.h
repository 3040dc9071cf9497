//===- SharedKernels.h - One function for kernels that differ in numbers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern of many pieces has many kernels, which differ in what the pattern says alone: bounds, where index maps
// start, the first head. They share one function, which is told the number of the kernel that calls it. What differs
// is chosen by that number; everything else, nearly all there is, is compiled once.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H

#include "compiler/Target/CPU/Operands/RankMap.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// An index map of which numbers are known when the kernel runs.
struct ChosenMap {
  IndexMapAttr map;
  Value multiplier, shift, offset; ///< null where they are those of `map`
  Value period, width, cell;       ///< the same

  RankMap at(KernelBuilder &kb, Value r) const;
};

/// The ops that the code of one op stands for, which itself is the first of them.
struct SharedOps {
  SmallVector<DictionaryAttr> members; ///< attributes of each
  Value number;                        ///< i64: the member that a call asks for; null where there is one

  size_t size() const { return members.size(); }
  template <typename AttrT>
  AttrT get(size_t member, StringRef name) const {
    return members[member].getAs<AttrT>(name);
  }
  int64_t firstHeadOf(size_t member) const {
    auto head = get<IntegerAttr>(member, "first_head");
    return head ? head.getInt() : 0;
  }

  /// What `build` gives for the member that a call asks for.
  SmallVector<Value> choose(KernelBuilder &kb, TypeRange types,
                            function_ref<SmallVector<Value>(size_t member)> build) const;
  /// The same of integers.
  Value integer(KernelBuilder &kb, function_ref<int64_t(size_t member)> value) const;
  /// The same of index maps. They have as many residues, and either all have gaps or none has.
  ChosenMap indexMap(KernelBuilder &kb, function_ref<IndexMapAttr(size_t member)> map) const;
};

/// The shared functions of a module, made before kernels are expanded.
class SharedKernels {
public:
  /// Moves the code of kernels that differ in numbers alone to functions of their own; the kernels call those, and are
  /// finished.
  explicit SharedKernels(ModuleOp module);

  /// What a structured op of a kernel, or of a shared function, stands for.
  SharedOps opsOf(Operation *op) const;
  /// The arguments in front of the operands of a kernel or a shared function, in which the number is one more.
  unsigned prefixOf(func::FuncOp function) const;

private:
  void share(ArrayRef<func::FuncOp> kernels, StringRef key);

  DenseMap<Operation *, SmallVector<DictionaryAttr>> members; ///< by shared function
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H
