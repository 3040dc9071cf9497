//===- WarpgroupProduct.cpp - Products of four warps ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds wgmma products. A product over all its terms is one block of inline PTX, because the dialects have no wgmma
// with the left operand in registers. Waits and fences order accesses to registers. They take these registers as
// operands and return them in place, so that LLVM moves no use of a register across them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

/// The number of terms of one wgmma instruction.
static constexpr int64_t stepTerms = 16;

/// Builds inline PTX with side effects. `constraints` lists results first. Returns the results.
static SmallVector<Value> inlinePtx(KernelBuilder &kb, const Twine &text, StringRef constraints, TypeRange results,
                                    ValueRange operands) {
  Type type = results.empty() ? Type(LLVM::LLVMVoidType::get(kb.b.getContext()))
              : results.size() == 1
                  ? results.front()
                  : Type(LLVM::LLVMStructType::getLiteral(kb.b.getContext(), SmallVector<Type>(results)));
  auto code =
      LLVM::InlineAsmOp::create(kb.b, kb.loc, results.empty() ? TypeRange() : TypeRange(type), operands, text.str(),
                                constraints.str(), /*has_side_effects=*/true,
                                /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                LLVM::AsmDialectAttr::get(kb.b.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
  if (results.size() <= 1)
    return SmallVector<Value>(code->getResults());
  SmallVector<Value> values;
  for (size_t n = 0; n < results.size(); ++n)
    values.push_back(LLVM::ExtractValueOp::create(kb.b, kb.loc, code->getResult(0), n));
  return values;
}

Value nvgpu::forget(KernelBuilder &kb, Value x) {
  bool isWide = x.getType().isInteger(64);
  StringRef constraints = isWide ? "=l,l" : x.getType().isF32() ? "=f,f" : "=r,r";
  return inlinePtx(kb, isWide ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;", constraints, x.getType(), x)[0];
}

Value nvgpu::readLane(KernelBuilder &kb) {
  Value thread = inlinePtx(kb, "mov.u32 $0, %tid.x;", "=r", kb.b.getI32Type(), {})[0];
  Value lane = arith::AndIOp::create(kb.b, kb.loc, thread, i32(kb, ThreadBlock::warpSize - 1));
  return arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), lane);
}

/// Builds inline PTX that has each of `values` as an operand and, unchanged, as a result. Returns the results. Code
/// that uses them cannot be moved before the PTX.
static SmallVector<Value> passThrough(KernelBuilder &kb, const Twine &text, ArrayRef<Value> values) {
  SmallVector<std::string> constraints;
  for (Value value : values)
    constraints.push_back(value.getType().isF32() ? "=f" : "=r");
  for (size_t n = 0; n < values.size(); ++n)
    constraints.push_back(std::to_string(n));
  return inlinePtx(kb, text, llvm::join(constraints, ","), ValueRange(values).getTypes(), values);
}

void WarpgroupProduct::fence(MutableArrayRef<Value> sums, MutableArrayRef<Value> left) {
  SmallVector<Value> values(sums);
  values.append(left.begin(), left.end());
  SmallVector<Value> after = passThrough(kb, "wgmma.fence.sync.aligned;", values);
  llvm::copy(ArrayRef(after).take_front(sums.size()), sums.begin());
  llvm::copy(ArrayRef(after).drop_front(sums.size()), left.begin());
}

void WarpgroupProduct::commit() { NVVM::WgmmaGroupSyncAlignedOp::create(kb.b, kb.loc); }

TileSums WarpgroupProduct::wait(int64_t pending, ArrayRef<Value> sums) {
  return passThrough(kb, "wgmma.wait_group.sync.aligned " + Twine(pending) + ";", sums);
}

SmallVector<Value> WarpgroupProduct::pack(ArrayRef<Value> tile) {
  SmallVector<Value> packed;
  for (size_t n = 0; n < tile.size(); n += 2) {
    Value pair = LLVM::UndefOp::create(kb.b, kb.loc, kb.vector(kb.b.getF32Type(), 2));
    for (int64_t e : {0, 1})
      pair = LLVM::InsertElementOp::create(kb.b, kb.loc, pair, tile[n + e], i32(kb, e));
    Value rounded = LLVM::FPTruncOp::create(kb.b, kb.loc, kb.vector(element, 2), pair);
    packed.push_back(LLVM::BitcastOp::create(kb.b, kb.loc, kb.b.getI32Type(), rounded));
  }
  return packed;
}

Value WarpgroupProduct::isNonFinite(ArrayRef<Value> packed) {
  Type pair = kb.vector(element, 2);
  auto isZero = DenseElementsAttr::get(cast<ShapedType>(pair), kb.b.getFloatAttr(element, 0));
  Value zero = kb.constant(isZero), sum = zero; // sum of 0 x: 0, or NaN if some x is not finite
  for (Value x : packed)
    sum = kb.fma(LLVM::BitcastOp::create(kb.b, kb.loc, pair, x), zero, sum);
  Value bits = LLVM::BitcastOp::create(kb.b, kb.loc, kb.b.getI32Type(), sum);
  return kb.compare(arith::CmpIPredicate::ne, bits, i32(kb, 0));
}

/// Returns the wgmma descriptor of the part of `matrix` that begins at `byteOffset` (i32). It holds the address, the
/// distance between boxes, and the distance between groups of 8 rows, all in units of 16 bytes. If `isTransposed`,
/// terms are columns, and the distance between boxes is unused.
Value WarpgroupProduct::descriptor(const SwizzledMatrix &matrix, Value byteOffset, bool isTransposed) {
  constexpr int64_t addressMask = 0x3ffff, unit = 16, swizzle128 = 1;
  Value address = arith::AddIOp::create(kb.b, kb.loc, matrix.address, byteOffset);
  address = arith::AndIOp::create(kb.b, kb.loc, address, i32(kb, addressMask));
  address = arith::ShRUIOp::create(kb.b, kb.loc, address, i32(kb, 4));
  int64_t leading = isTransposed ? unit : matrix.boxBytes(), stride = 8 * SwizzledMatrix::rowBytes;
  int64_t rest = leading / unit << 16 | stride / unit << 32 | swizzle128 << 62;
  return arith::OrIOp::create(kb.b, kb.loc, arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), address), kb.integer(rest));
}

/// Returns the distance of each step of 16 terms from the first step in shared memory, in units of 16 bytes. The terms
/// are the matrix's columns if `areColumns`, otherwise its rows.
static SmallVector<int64_t> stepsOf(const SwizzledMatrix &matrix, int64_t terms, bool areColumns) {
  SmallVector<int64_t> steps;
  for (int64_t term = 0; term < terms; term += stepTerms) {
    int64_t inRow = term / SwizzledMatrix::boxColumns * matrix.boxBytes() + term % SwizzledMatrix::boxColumns * 2;
    steps.push_back((areColumns ? inRow : term * SwizzledMatrix::rowBytes) / 16);
  }
  return steps;
}

/// The left operand of a product. In registers, `values` has four registers for each step. In shared memory, `values`
/// is one descriptor, to which step n adds steps[n], in units of 16 bytes.
struct WarpgroupProduct::LeftOperand {
  ValueRange values;
  ArrayRef<int64_t> steps;
  bool isTransposed = false; ///< terms are rows

  bool inRegisters() const { return steps.empty(); }
};

struct WarpgroupProduct::RightOperand {
  const SwizzledMatrix &matrix;
  int64_t terms;
  bool isTransposed; ///< terms are columns
};

TileSums WarpgroupProduct::run(ArrayRef<Value> sums, int64_t columns, const LeftOperand &left,
                               const RightOperand &right, Value accumulates) {
  int64_t count = columns / WarpProduct::atomColumns * 4;
  SmallVector<std::string> constraints(count, "=f"), names;
  SmallVector<Value> operands(sums);
  for (int64_t n = 0; n < count; ++n)
    names.push_back("$" + std::to_string(n));
  for (size_t n = 0; n < sums.size(); ++n)
    constraints.push_back(std::to_string(n));
  size_t first = count + operands.size();
  operands.push_back(descriptor(right.matrix, i32(kb, 0), right.isTransposed));
  constraints.push_back("l");
  for (Value operand : left.values) {
    operands.push_back(operand);
    constraints.push_back(operand.getType().isInteger(64) ? "l" : "r");
  }
  std::string firstAdds = sums.empty() ? "0" : "1";
  if (accumulates) {
    firstAdds = "$" + std::to_string(count + operands.size());
    operands.push_back(accumulates);
    constraints.push_back("b");
  }
  StringRef type = element.isBF16() ? "bf16" : "f16";
  std::string text, accumulator = "{" + llvm::join(names, ", ") + "}";
  llvm::raw_string_ostream os(text);
  os << "{ .reg .b64 da, db;";
  for (auto [n, step] : llvm::enumerate(stepsOf(right.matrix, right.terms, right.isTransposed))) {
    os << " add.s64 db, $" << first << ", " << step << ";";
    if (!left.inRegisters())
      os << " add.s64 da, $" << first + 1 << ", " << left.steps[n] << ";";
    os << " wgmma.mma_async.sync.aligned.m64n" << columns << "k16.f32." << type << "." << type << " " << accumulator
       << ", ";
    if (left.inRegisters())
      os << llvm::formatv("{{${0}, ${1}, ${2}, ${3}}", first + 1 + 4 * n, first + 2 + 4 * n, first + 3 + 4 * n,
                          first + 4 + 4 * n);
    else
      os << "da";
    os << ", db, " << (n > 0 ? "1" : firstAdds) << ", 1, 1";
    if (!left.inRegisters())
      os << ", " << left.isTransposed;
    os << ", " << !right.isTransposed << ";";
  }
  os << " }";
  return inlinePtx(kb, text, llvm::join(constraints, ","), SmallVector<Type>(count, kb.b.getF32Type()), operands);
}

TileSums WarpgroupProduct::multiply(ArrayRef<Value> sums, int64_t columns, const SwizzledMatrix &left, Value leftRow,
                                    const SwizzledMatrix &right, bool isTransposed) {
  int64_t terms = llvm::alignTo(left.columns, stepTerms);
  Value rows = arith::MulIOp::create(kb.b, kb.loc, leftRow, i32(kb, SwizzledMatrix::rowBytes));
  Value described = descriptor(left, rows, /*isTransposed=*/true);
  return run(sums, columns, {described, stepsOf(left, terms, /*areColumns=*/true)}, {right, terms, isTransposed});
}

TileSums WarpgroupProduct::multiplyColumns(ArrayRef<Value> sums, int64_t columns, const SwizzledMatrix &left,
                                           const SwizzledMatrix &right, bool isTransposed) {
  Value described = descriptor(left, i32(kb, 0), /*isTransposed=*/false);
  SmallVector<int64_t> steps = stepsOf(left, left.rows, /*areColumns=*/false);
  return run(sums, columns, {described, steps, /*isTransposed=*/true}, {right, left.rows, isTransposed});
}

TileSums WarpgroupProduct::multiply(ArrayRef<Value> sums, int64_t columns, ArrayRef<Value> left,
                                    const SwizzledMatrix &right, bool isTransposed, Value accumulates) {
  return run(sums, columns, {left, {}}, {right, static_cast<int64_t>(left.size()) / 4 * stepTerms, isTransposed},
             accumulates);
}
