//===- ProductForms.cpp - Vector instructions of products -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the instructions that products use. It has one row for each instruction, the preferred one first. A row
// is used if the processor has the instruction and the operands have the right type. The right type is the element type
// of the matrices, or the type in which such elements are computed (f32 for 16-bit floats).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// A row of the table: a ProductForm whose types are functions of the context. isAvailable(machine) returns whether the
/// machine has the instruction.
struct Row {
  bool (*isAvailable)(const CpuMachine &machine);
  Type (*operand)(MLIRContext *);
  Type (*sum)(MLIRContext *);
  int64_t terms, otherRegisters;
  Value (*emit)(KernelBuilder &kb, Value a, Value b, Value sum);

  ProductForm of(MLIRContext *context) const {
    return {operand(context), sum(context), terms, otherRegisters, emit, /*packed=*/operand(context)};
  }
};
} // namespace

template <typename T>
static Type type(MLIRContext *context) {
  return T::get(context);
}

static Value multiplyAdd(KernelBuilder &kb, Value a, Value b, Value sum) { return kb.fma(a, b, sum); }

static bool isAlwaysThere(const CpuMachine &) { return true; }

static constexpr StringLiteral bf16Pairs = "avx512bf16";

/// Returns whether code multiplies pairs of bf16. Decode multiplies halves of registers, and vdpbf16ps has no form of
/// 64 bits. So, unless pairs are emulated, registers must have more than 128 bits.
static bool hasPairs(const CpuMachine &machine) {
  return machine.emulates(bf16Pairs) || (machine.has(bf16Pairs) && machine.has("avx512vl") && machine.vectorBytes > 16);
}

Value cpu::pairElement(KernelBuilder &kb, Value pairs, int64_t term) {
  int64_t lanes = cast<VectorType>(pairs.getType()).getNumElements() / 2;
  Type bits = kb.vector(kb.b.getI32Type(), lanes);
  Value words = vector::BitCastOp::create(kb.b, kb.loc, cast<VectorType>(bits), pairs);
  Value upper = term == 1 ? Value(arith::AndIOp::create(kb.b, kb.loc, words, kb.integerOf(bits, 0xffff0000)))
                          : Value(arith::ShLIOp::create(kb.b, kb.loc, words, kb.integerOf(bits, 16)));
  return arith::BitcastOp::create(kb.b, kb.loc, kb.vector(kb.b.getF32Type(), lanes), upper);
}

/// Adds the products of two bf16 to each f32 by vdpbf16ps. If the instruction is emulated, adds them by two fused
/// multiply-adds, the product of the second elements first, as in Intel's manual. The instruction takes subnormal
/// numbers for 0; the emulation does not.
static Value dotPairs(KernelBuilder &kb, Value a, Value b, Value sum) {
  auto sums = cast<VectorType>(sum.getType());
  if (!machineOf(kb).emulates(bf16Pairs))
    return x86vector::DotBF16Op::create(kb.b, kb.loc, sums, sum, a, b);
  for (int64_t term : {1, 0})
    sum = kb.fma(pairElement(kb, a, term), pairElement(kb, b, term), sum);
  return sum;
}

/// Adds the products of two bf16 to each f32 by Arm's instruction BFDOT, on registers of NEON or of SVE. The
/// instruction rounds sums to odd, and takes subnormal numbers for 0.
static Value dotPairsOfArm(KernelBuilder &kb, Value a, Value b, Value sum) {
  auto create = [&](StringRef intrinsic, Type type, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, type, kb.b.getStringAttr(intrinsic), operands).getResult(0);
  };
  auto sums = cast<VectorType>(sum.getType());
  if (machineOf(kb).sveBytes == 0)
    return create("llvm.aarch64.neon.bfdot", sums, {sum, a, b});
  // Registers of a known size in those of SVE's types, whose size LLVM knows from the function's attribute: no code.
  auto scalable = [&](Type element) { return VectorType::get({128 / element.getIntOrFloatBitWidth()}, element, true); };
  auto wrap = [&](Value value) -> Value {
    VectorType type = scalable(getElementTypeOrSelf(value.getType()));
    Value undefined = LLVM::PoisonOp::create(kb.b, kb.loc, type);
    return vector::ScalableInsertOp::create(kb.b, kb.loc, value, undefined, 0);
  };
  Value result = create("llvm.aarch64.sve.bfdot", scalable(sums.getElementType()), {wrap(sum), wrap(a), wrap(b)});
  return vector::ScalableExtractOp::create(kb.b, kb.loc, sums, result, 0);
}

static bool hasPairsOfArm(const CpuMachine &machine) {
  return machine.has("bf16") && machine.vectorBytes == std::max(machine.sveBytes, 16u);
}

// clang-format off
static const Row rows[] = {
    // machines      operand             sum                terms  other registers  instruction
    {hasPairs,       type<BFloat16Type>, type<Float32Type>, 2,     1,               dotPairs},
    {hasPairsOfArm,  type<BFloat16Type>, type<Float32Type>, 2,     1,               dotPairsOfArm},
    {isAlwaysThere,  type<Float32Type>,  type<Float32Type>, 1,     1,               multiplyAdd},
    {isAlwaysThere,  type<Float64Type>,  type<Float64Type>, 1,     1,               multiplyAdd},
};
// clang-format on

/// Returns the first form of the table that `machine` has, whose operands have type `operand`, and that takes at most
/// `mostTerms` terms. Returns nullopt if there is none.
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

ProductForm cpu::panelForm(const CpuMachine &machine, Type stored, Type panel, bool takesSeveral) {
  ProductForm form = productForm(machine, stored, takesSeveral);
  return form.operand == panel ? form : productForm(machine, computeType(stored)).withPacked(panel);
}
