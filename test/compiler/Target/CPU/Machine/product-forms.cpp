//===- product-forms.cpp - Test of the forms of products ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs operands by a form, multiplies them on a register tile, and compares with sums in a loop. Elements are small
// integers: sums are exact in any order. A made-up form of two terms shows that packing and the inner loop follow the
// form, also where the number of terms is odd.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Operands/PackPanel.h"
#include "compiler/Target/CPU/Operands/PackRows.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "compiler/Target/Target.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <vector>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
enum class Left { InPlace, Packed };
enum class Right { ContiguousInN, ContiguousInK };

constexpr int64_t rows = 3, registers = 2, missingColumns = 3;

/// Kernel arguments: A, B, the packed operands, the sums and the number of terms.
using Kernel = void(const float *a, const float *b, float *rows, float *panel, float *sums, int64_t depth);

class ProductFormTest : public testing::Test {
protected:
  MLIRContext context;
  CpuMachine machine;
  Type real;

  ProductFormTest() : machine(*CpuMachine::get("native")), builder(&context) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerCodeGen(registry);
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect, scf::SCFDialect,
                    vector::VectorDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    real = builder.getF32Type();
    lanes = machine.lanes(real);
  }

  /// A form whose instruction adds two terms.
  ProductForm pairs() {
    auto emit = [](KernelBuilder &kb, Value a, Value b, Value sum) -> Value {
      auto x = vector::DeinterleaveOp::create(kb.b, kb.loc, a), y = vector::DeinterleaveOp::create(kb.b, kb.loc, b);
      return kb.fma(x.getRes2(), y.getRes2(), kb.fma(x.getRes1(), y.getRes1(), sum));
    };
    return {real, real, /*terms=*/2, /*otherRegisters=*/1, emit};
  }

  /// Checks products of 0 to 40 terms, which are fewer and more than are unrolled or transposed at once.
  void check(const ProductForm &form, Left left, Right right) {
    Kernel *kernel = compile(form, left, right);
    for (int64_t depth = 0; depth <= 40; ++depth)
      checkSums(kernel, left, right, depth);
  }

private:
  int64_t width() const { return registers * lanes; }
  int64_t columns() const { return width() - missingColumns; }

  void build(KernelBuilder &kb, ValueRange arguments, const ProductForm &form, Left left, Right right) {
    Value a = arguments[0], b = arguments[1], packed = arguments[2], panel = arguments[3], sums = arguments[4],
          depth = arguments[5], one = kb.integer(1);
    bool isInK = right == Right::ContiguousInK;
    PanelSource source{b, real, isInK ? one : kb.integer(columns()), isInK ? depth : one, depth, kb.integer(columns())};
    packPanel(kb, form, source, panel, width());
    TileTerms terms(a, one, depth);
    if (left == Left::Packed) {
      packRows(kb, form, {a, real, kb.integer(rows), kb.integer(rows), depth}, packed, rows);
      terms = TileTerms(packed, kb.integer(rows), kb.integer(form.terms));
    }
    RegisterTile shape{rows, registers};
    SmallVector<Value> tile(shape.size(), kb.real(form.sums(kb), 0));
    tile = multiplyInto(kb, form, shape, tile, kb.integer(0), depth, terms,
                        {panel, kb.integer(width()), kb.integer(lanes * form.terms)});
    for (auto [n, sum] : llvm::enumerate(tile))
      kb.store(sum, kb.at(real, sums, n * lanes));
  }

  Kernel *compile(const ProductForm &form, Left left, Right right) {
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    SmallVector<Type> types(5, LLVM::LLVMPointerType::get(&context));
    types.push_back(builder.getI64Type());
    auto function = func::FuncOp::create(builder, loc, "product", builder.getFunctionType(types, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    auto end = func::ReturnOp::create(builder, loc);
    KernelBuilder kb(function, machine);
    kb.b.setInsertionPoint(end);
    build(kb, function.getArguments(), form, left, right);

    PassManager lowering(&context);
    targetOf(machine).addLowering(lowering);
    EXPECT_TRUE(succeeded(verify(*module)) && succeeded(lowering.run(*module)));
    llvm::LLVMContext llvmContext;
    std::unique_ptr<llvm::Module> code = translateToLLVM(*module, machine, llvmContext);
    SmallVector<char> object;
    std::string error;
    EXPECT_TRUE(succeeded(generateCode(*code, machine, 2, llvm::CodeGenFileType::ObjectFile, object, error))) << error;
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    llvm::cantFail(jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy({object.data(), object.size()})));
    return llvm::cantFail(jit->lookup("product")).toPtr<Kernel *>();
  }

  void checkSums(Kernel *kernel, Left left, Right right, int64_t depth) {
    auto elementOfA = [](int64_t row, int64_t k) { return static_cast<float>((7 * row + 3 * k) % 11 - 5); };
    auto elementOfB = [](int64_t k, int64_t column) { return static_cast<float>((5 * k + 2 * column) % 13 - 6); };
    // Exactly as large as the matrices: reads of elements behind them fail in builds with a sanitizer.
    std::vector<float> a(rows * depth), b(depth * columns()), packed(1024), panel(128 * width()), sums(rows * width());
    for (int64_t k = 0; k < depth; ++k) {
      for (int64_t row = 0; row < rows; ++row)
        a[left == Left::Packed ? k * rows + row : row * depth + k] = elementOfA(row, k);
      for (int64_t column = 0; column < columns(); ++column)
        b[right == Right::ContiguousInK ? column * depth + k : k * columns() + column] = elementOfB(k, column);
    }
    kernel(a.data(), b.data(), packed.data(), panel.data(), sums.data(), depth);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns(); ++column) {
        float expected = 0;
        for (int64_t k = 0; k < depth; ++k)
          expected += elementOfA(row, k) * elementOfB(k, column);
        ASSERT_EQ(sums[row * width() + column], expected) << depth << " terms, row " << row << ", column " << column;
      }
  }

  OpBuilder builder;
  int64_t lanes;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};
} // namespace

TEST_F(ProductFormTest, multiplyAdd) {
  for (Left left : {Left::InPlace, Left::Packed})
    for (Right right : {Right::ContiguousInN, Right::ContiguousInK})
      check(productForm(machine, real), left, right);
}

TEST_F(ProductFormTest, pairsOfTerms) {
  for (Left left : {Left::InPlace, Left::Packed})
    for (Right right : {Right::ContiguousInN, Right::ContiguousInK})
      check(pairs(), left, right);
}
