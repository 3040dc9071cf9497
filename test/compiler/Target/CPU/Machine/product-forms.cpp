//===- product-forms.cpp - Test of the forms of products ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs operands by a form, multiplies them on a register tile, and compares with sums in a loop. Elements are small
// integers: sums are exact in any order. A made-up form of two terms shows that packing and the inner loop follow the
// form, also where the number of terms is odd. Tiles of a matrix unit, emulated, are compared bit by bit with what the
// manual says.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Operands/PackPanel.h"
#include "compiler/Target/CPU/Operands/PackRows.h"
#include "compiler/Target/CPU/Operands/TileProduct.h"
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
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
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
    return {real, real, /*terms=*/2, /*otherRegisters=*/1, emit, /*packed=*/real};
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
    tile = multiplyInto({kb, form, shape}, tile, {kb.integer(0), depth}, terms,
                        {panel, kb.integer(width()), kb.integer(lanes * form.terms)});
    for (auto [n, sum] : llvm::enumerate(tile))
      kb.store(sum, kb.at(real, sums, n * lanes));
  }

  Kernel *compile(const ProductForm &form, Left left, Right right) {
    return compile<Kernel>(5,
                           [&](KernelBuilder &kb, ValueRange arguments) { build(kb, arguments, form, left, right); });
  }

protected:
  /// Returns a function of `pointers` pointers and an i64 with the code that `body` builds.
  template <typename Function>
  Function *compile(size_t pointers, function_ref<void(KernelBuilder &, ValueRange)> body) {
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    SmallVector<Type> types(pointers, LLVM::LLVMPointerType::get(&context));
    types.push_back(builder.getI64Type());
    auto function = func::FuncOp::create(builder, loc, "product", builder.getFunctionType(types, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    auto end = func::ReturnOp::create(builder, loc);
    KernelBuilder kb(function, machine);
    kb.b.setInsertionPoint(end);
    body(kb, function.getArguments());

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
    return llvm::cantFail(jit->lookup("product")).toPtr<Function *>();
  }

private:
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

/// Products on emulated tiles: `width` columns, rows of A `depth` elements apart.
class TileFormTest : public ProductFormTest {
protected:
  static constexpr int64_t width = 2 * TileForm::columns;
  /// Kernel arguments: A, the panel, the sums and the number of terms.
  using Kernel = void(const uint16_t *a, const uint16_t *panel, float *sums, int64_t depth);

  TileFormTest() { machine = *CpuMachine::get("x86-64-v3+emulated-avx512bf16+emulated-amx-bf16", /*vectorBits=*/512); }

  /// Returns a product of two tiles below each other, or of `rows` rows of one.
  Kernel *compileTiles(int64_t rows) {
    return compile<Kernel>(3, [&](KernelBuilder &kb, ValueRange arguments) {
      TileProduct product;
      product.tiles = rows ? 1 : 2;
      product.registers = 2;
      product.terms = product.rowStride = arguments[3];
      product.a = arguments[0];
      product.rows = rows ? kb.integer(rows) : Value();
      product.panel = arguments[1];
      product.sums = arguments[2];
      product.width = width;
      product.isFirst = kb.compare(arith::CmpIPredicate::slt, arguments[3], kb.integer(100));
      TermLoop loop;
      multiplyTiles(kb, *TileForm::get(machine, kb.b.getBF16Type()), product, loop);
    });
  }

  /// Compares products of numbers, some of them subnormal, with the manual's.
  void check(int64_t rows, int64_t depth) {
    Kernel *kernel = compileTiles(rows);
    int64_t count = rows ? rows : 2 * TileForm::rows, pairs = (depth + 1) / 2;
    std::mt19937 random(depth);
    auto number = [&] {
      int64_t exponent = random() % 8 == 0 ? random() % 2 : 50 + random() % 20; // of products: 2^-154 to 2^-116
      return static_cast<uint16_t>(random() % 2 << 15 | exponent << 7 | random() % 128);
    };
    // Exactly as large as the operands: reads of elements behind them fail in builds with a sanitizer.
    std::vector<uint16_t> a(count * depth), panel(pairs * width * 2);
    std::vector<float> sums(2 * TileForm::rows * width, 0x1p-120f);
    std::generate(a.begin(), a.end(), number);
    std::generate(panel.begin(), panel.end(), number);
    if (depth % 2)
      for (int64_t column = 0; column < width; ++column)
        panel[((pairs - 1) * width + column) * 2 + 1] = 0;
    kernel(a.data(), panel.data(), sums.data(), depth);
    for (int64_t row = 0; row < count; ++row)
      for (int64_t column = 0; column < width; ++column)
        ASSERT_EQ(sums[row * width + column], sumOf(&a[row * depth], &panel[2 * column], depth))
            << depth << " terms, row " << row << ", column " << column;
  }

private:
  static float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.f, x) : x; }
  static float numberOf(uint16_t bits) {
    uint32_t wide = uint32_t(bits) << 16;
    float x;
    memcpy(&x, &wide, sizeof(x));
    return flush(x);
  }
  /// TDPBF16PS, once per 32 terms.
  static float sumOf(const uint16_t *a, const uint16_t *panel, int64_t depth) {
    float sum = depth < 100 ? 0 : 0x1p-120f;
    for (int64_t first = 0; first < depth; first += TileForm::terms) {
      float chains[2] = {0, 0};
      for (int64_t k = first; k < std::min(first + TileForm::terms, depth); ++k)
        chains[k % 2] = flush(std::fma(numberOf(a[k]), numberOf(panel[k / 2 * 2 * width + k % 2]), chains[k % 2]));
      sum = flush(sum + flush(chains[0] + chains[1]));
    }
    return sum;
  }
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

TEST_F(ProductFormTest, narrowPanels) {
  for (Type narrow : {Type(Float16Type::get(&context)), Type(BFloat16Type::get(&context))})
    for (Right right : {Right::ContiguousInN, Right::ContiguousInK})
      check(productForm(machine, real).withPacked(narrow), Left::InPlace, right);
}

TEST_F(TileFormTest, wholeTiles) {
  for (int64_t depth : {1, 2, 31, 32, 64, 71, 128})
    check(0, depth);
}

TEST_F(TileFormTest, missingRows) {
  for (int64_t rows : {1, 7, 16})
    for (int64_t depth : {5, 32, 133})
      check(rows, depth);
}

TEST_F(TileFormTest, machinesWithoutTiles) {
  Type bf16 = BFloat16Type::get(&context);
  for (StringRef cpu : {"x86-64-v3", "cooperlake", "x86-64-v3+emulated-avx512bf16", "neoverse-v2"})
    EXPECT_FALSE(TileForm::get(*CpuMachine::get(cpu), bf16)) << cpu.str();
  EXPECT_TRUE(TileForm::get(*CpuMachine::get("sapphirerapids"), bf16));
  EXPECT_FALSE(TileForm::get(*CpuMachine::get("sapphirerapids"), real));
}
