//===- ProductForms.cpp - Vector instructions of products -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row per instruction, the preferred one first. A row is used if the processor has its feature and its operands are
// what memory holds, or what that is computed in (f32 for 16-bit floats).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// A ProductForm with its types by name, and the feature of processors that have its instruction.
struct Row {
  StringLiteral feature; ///< as LLVM names it; empty: all processors
  Type (*operand)(MLIRContext *);
  Type (*sum)(MLIRContext *);
  int64_t terms, otherRegisters;
  Value (*emit)(KernelBuilder &kb, Value a, Value b, Value sum);

  bool isAvailable(const CpuMachine &machine) const {
    SmallVector<StringRef> features;
    StringRef(machine.requiredFeatures).split(features, ',');
    return feature.empty() || llvm::is_contained(features, feature);
  }
  ProductForm of(MLIRContext *context) const { return {operand(context), sum(context), terms, otherRegisters, emit}; }
};
} // namespace

template <typename T>
static Type type(MLIRContext *context) {
  return T::get(context);
}

static Value multiplyAdd(KernelBuilder &kb, Value a, Value b, Value sum) { return kb.fma(a, b, sum); }

// clang-format off
static const Row rows[] = {
    // feature   operand            sum                terms  other registers  instruction
    {"",         type<Float32Type>, type<Float32Type>, 1,     1,               multiplyAdd},
    {"",         type<Float64Type>, type<Float64Type>, 1,     1,               multiplyAdd},
};
// clang-format on

/// Returns the first form of the table that `machine` has, whose operands have type `operand`, and that takes at most
/// `mostTerms` terms; nullopt if there is none.
static std::optional<ProductForm> findForm(const CpuMachine &machine, Type operand, int64_t mostTerms) {
  for (const Row &row : rows)
    if (row.operand(operand.getContext()) == operand && row.terms <= mostTerms && row.isAvailable(machine))
      return row.of(operand.getContext());
  return std::nullopt;
}

ProductForm cpu::productForm(const CpuMachine &machine, Type stored, bool areAdjacent) {
  if (auto form = findForm(machine, stored, areAdjacent ? INT64_MAX : 1))
    return *form;
  return *findForm(machine, computeType(stored), /*mostTerms=*/1);
}

ProductForm cpu::panelForm(const CpuMachine &machine, Type stored, Type panel) {
  ProductForm form = productForm(machine, stored);
  return form.operand == panel ? form : productForm(machine, computeType(stored));
}
