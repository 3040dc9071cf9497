//===- SharedKernels.h - One function for equal kernels ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern of many pieces has many kernels, which differ only in numbers of the pattern: bounds, the starts of index
// maps, the first head. They share one function, whose argument is the number of the calling kernel and chooses among
// those numbers; nearly all code is compiled once.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H

#include "compiler/Target/CPU/Operands/RankMap.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Unit attribute of a shared function: its argument before the operands is the number of the calling kernel.
constexpr StringLiteral sharedAttrName = "xft.shared";

/// An index map some numbers of which are chosen at run time.
struct ChosenMap {
  IndexMapAttr map;
  Value multiplier, shift, offset; ///< null for those of `map`
  Value period, width, cell;       ///< likewise

  RankMap at(KernelBuilder &kb, Value r) const;
};

/// The ops of all kernels that share the code of one op; that op is the first of them.
struct SharedOps {
  SmallVector<DictionaryAttr> members; ///< attributes of each op
  Value number;                        ///< i64: the member that calls; null if there is only one

  size_t size() const { return members.size(); }
  template <typename AttrT>
  AttrT get(size_t member, StringRef name) const {
    return members[member].getAs<AttrT>(name);
  }
  /// Returns the query order of a member, an op of attention.
  xft::QueryOrderAttr orderOf(size_t member) const { return get<xft::QueryOrderAttr>(member, "order"); }
  int64_t firstHeadOf(size_t member) const { return orderOf(member).getFirstHead(); }

  /// Returns the results of `build` for the calling member, chosen at run time.
  SmallVector<Value> choose(KernelBuilder &kb, TypeRange types,
                            function_ref<SmallVector<Value>(size_t member)> build) const;
  /// Returns an integer of the calling member, chosen at run time unless all are equal.
  Value integer(KernelBuilder &kb, function_ref<int64_t(size_t member)> value) const;
  /// Returns the index map of the calling member. All maps have the same number of residues, and either all have gaps
  /// or none has.
  ChosenMap indexMap(KernelBuilder &kb, function_ref<IndexMapAttr(size_t member)> map) const;
};

/// The shared functions of a module, created before kernels are expanded.
class SharedKernels {
public:
  /// Moves the code of kernels that differ in numbers alone to functions of their own. The kernels call those and need
  /// no expansion.
  explicit SharedKernels(ModuleOp module);

  /// Returns the ops that share the code of a structured op of a kernel or of a shared function.
  SharedOps opsOf(Operation *op) const;

private:
  void share(ArrayRef<func::FuncOp> kernels, StringRef key);

  DenseMap<Operation *, SmallVector<DictionaryAttr>> members; ///< by shared function
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H
