//===- SharedKernels.h - One function for equal kernels ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets kernels share one function if they differ only in numbers, so that nearly all code is compiled once. The kernels
// of a pattern of many pieces differ in bounds, starts of index maps and first heads. The products of a model differ in
// the sizes of their tiles. An argument of the shared function is the index of the calling kernel. It chooses the
// numbers of this kernel at run time.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H

#include "compiler/Target/CPU/Operands/RankMap.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The name of the unit attribute of shared functions. Such a function has an additional argument before the operands:
/// the index of the calling kernel.
constexpr StringLiteral sharedAttrName = "xft.shared";

/// The name of a unit attribute of those members of SharedOps that are products. The attribute means that B of the
/// member lies in prepacked panels, although the shared code was made for a product whose B is a matrix.
constexpr StringLiteral packedAttrName = "packed";

/// An index map of the calling kernel. Some of its numbers are chosen at run time.
struct ChosenMap {
  IndexMapAttr map;
  Value multiplier, shift, offset; ///< null if `map` has them
  Value period, width, cell;       ///< null if `map` has them

  RankMap at(KernelBuilder &kb, Value r) const;
};

/// The ops of all kernels that share one function, or the one op of a kernel that shares nothing. The function has the
/// code of the first op.
struct SharedOps {
  SmallVector<DictionaryAttr> members; ///< attributes of each op
  Value number; ///< i64: index of the calling kernel's op in `members`; null if there is only one

  size_t size() const { return members.size(); }
  template <typename AttrT>
  AttrT get(size_t member, StringRef name) const {
    return members[member].getAs<AttrT>(name);
  }
  /// Returns the query order of a member, which must be an op of attention.
  xft::QueryOrderAttr orderOf(size_t member) const { return get<xft::QueryOrderAttr>(member, "order"); }
  int64_t firstHeadOf(size_t member) const { return orderOf(member).getFirstHead(); }

  /// Calls `build` for each member, and builds a run-time choice between the values that the calls return. Returns the
  /// values for the member whose kernel called the code.
  SmallVector<Value> choose(KernelBuilder &kb, TypeRange types,
                            function_ref<SmallVector<Value>(size_t member)> build) const;
  /// Returns value(member) of the calling member (i64). It is a constant if all members have the same value, else
  /// chosen at run time.
  Value integer(KernelBuilder &kb, function_ref<int64_t(size_t member)> value) const;
  /// Returns map(member) of the calling member. The maps of all members must have the same number of residues, and
  /// either all or none must have gaps.
  ChosenMap indexMap(KernelBuilder &kb, function_ref<IndexMapAttr(size_t member)> map) const;
};

/// The shared functions of a module. Must be constructed before kernels are expanded.
class SharedKernels {
public:
  /// Moves the code of kernels that differ only in numbers to shared functions. Such kernels then only call a shared
  /// function, and need no expansion.
  explicit SharedKernels(ModuleOp module);

  /// Returns the ops of all kernels that run the code of `op`. `op` is a structured op of a shared function, or of a
  /// kernel that shares nothing.
  SharedOps opsOf(Operation *op) const;

private:
  void share(ArrayRef<func::FuncOp> kernels);

  DenseMap<Operation *, SmallVector<DictionaryAttr>> members; ///< by shared function
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_SHAREDKERNELS_H
