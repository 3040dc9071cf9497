//===- ScanRounding.cpp - Operands of several terms -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores operands for products whose instruction (ProductForm) adds several terms, which must be adjacent. Products
// sum over different indices, so each has its own order of terms in scratch:
//
//   u = W x               columns of x     rows transposed as if the terms of an instruction were one element
//   w = phi(k) phi(q)     features         [feature div terms][row][term], on both sides
//   o = phi(q) S          features         the same; S is rounded to [feature div terms][column][term]
//   S += phi(k)^T v       rows             [feature][row], and v as [row div terms][column][term]
//   d_x = W^T d_u         projections      [projection div terms][row or column][term], on both sides
//   d_W = d_u x^T         rows             [projection][row], and x as [row div terms][column][term]
//
// Only CPUs have such operands.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanRounding.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Interleaves `count` rows, which are terms of one instruction, and stores them as operands at `to`. Each row has
/// `columns` columns. If the instruction takes more than `count` terms, the others are zeros.
static void interleaveRows(const ScanKernel &k, const ScratchBuffer &rows, int64_t count, Value to, int64_t columns) {
  KernelBuilder &kb = k.kb;
  const ProductForm &form = *k.threads.termsForm;
  VectorType type = kb.vector(form.operand, k.lanes);
  kb.loop(kb.integer(0), kb.integer(columns), k.lanes, [&](Value column) {
    SmallVector<Value> terms;
    for (int64_t t = 0; t < form.terms; ++t) {
      Value place = kb.at(rows.element, rows, kb.add(column, t * rows.pitch));
      if (t >= count)
        terms.push_back(kb.real(type, 0));
      else
        terms.push_back(rows.element == form.operand
                            ? kb.load(type, place, /*alignment=*/rows.element.getIntOrFloatBitWidth() / 8)
                            : convertFloat(kb, kb.load(k.vector(), place), form.operand));
    }
    kb.store(form.interleave(kb, terms), kb.at(form.operand, to, kb.mul(column, form.terms)));
  });
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Copies a row to scratch as it is in memory, followed by zeros up to the end of the register.
static void copyInput(const ScanKernel &k, Value from, Value to) {
  KernelBuilder &kb = k.kb;
  Type element = k.inputForm().operand, stored = memoryType(element);
  int64_t wholeColumns = k.depth / (k.lanes * k.inputTerms) * k.lanes;
  for (int64_t column = wholeColumns; column < k.inputColumns(); column += k.lanes)
    kb.store(k.zero(), kb.at(k.real, to, column));
  forEachRegister(kb, k.real, k.depth, [&](Value d, Type type) {
    Type loaded = isa<VectorType>(type) ? Type(kb.vector(stored, k.lanes)) : stored;
    kb.store(kb.load(loaded, kb.at(element, from, d)), kb.at(element, to, d));
  });
}

void kernel::loadInputOperands(const ScanKernel &k, const ScanSide &side) {
  KernelBuilder &kb = k.kb;
  k.forLines([&](Value row) {
    Value isOwn = takesPart(k, side, row), to = k.at(k.buffers.rows[side], row, k.inputColumns());
    auto copy = [&]() -> SmallVector<Value> {
      copyInput(k, side.source.at(kb, {k.task.b, side.head, kb.add(side.first, row)}), to);
      return {};
    };
    auto clear = [&]() -> SmallVector<Value> {
      forEachRegister(kb, k.real, k.inputColumns(), [&](Value c, Type) { kb.store(k.zero(), kb.at(k.real, to, c)); });
      return {};
    };
    kb.ifElse(isOwn, {}, copy, clear);
  });
  transposeRows(k, k.buffers.rows[side], k.buffers.channels[side], k.inputColumns());
}

Value kernel::loadInput(const ScanKernel &k, const ScanSide &side, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  Type operand = k.inputForm().operand;
  Value x = k.inputTerms == 1 ? kb.load(k.vector(), k.at(k.buffers.rows[side], row, k.columns(), column))
                              : loadRegister(kb, operand, k.lanes,
                                             kb.at(operand, k.at(k.buffers.rows[side], row, k.inputColumns()), column));
  return k.op.rowScale == 1 ? x : kb.mulf(x, kb.real(k.vector(), k.op.rowScale));
}

//===----------------------------------------------------------------------===//
// Gradients of inputs
//===----------------------------------------------------------------------===//

void kernel::storeWeightOperands(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Type operand = k.inputForm().operand;
  forTiles(kb, k.projections, k.inputTerms, kb.integer(0), [&](Value first, int64_t count) {
    Value from = kb.at(operand, k.operands.weights, kb.mul(first, k.operands.weightStride));
    Value to = kb.at(operand, k.d->rounded.weights, kb.mul(first, k.columns()));
    interleaveRows(k, {from, operand, k.operands.weightStride}, count, to, k.columns());
  });
}

void kernel::roundProjectionGradients(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Type operand = k.inputForm().operand;
  forTiles(kb, k.projections, k.inputTerms, kb.integer(0), [&](Value first, int64_t count) {
    Value from = k.at(k.d->projections, first, k.chunk),
          to = kb.at(operand, k.d->rounded.operands, kb.mul(first, k.chunk));
    interleaveRows(k, {from, k.real, k.chunk}, count, to, k.chunk);
  });
  if (!k.task.dWeights)
    return;
  kb.loop(kb.integer(0), kb.integer(k.projections * k.chunk), k.lanes, [&](Value n) {
    storeRegister(kb, k.load(k.d->projections, n), operand, kb.at(operand, k.d->rounded.projections, n));
  });
}

ScanProduct kernel::productOfProjectionGradients(const ScanKernel &k) {
  int64_t terms = llvm::alignTo(k.projections, k.inputTerms);
  ScanProduct product{k.chunk,
                      k.columns(),
                      terms,
                      {k.d->rounded.operands, k.inputTerms, k.chunk},
                      {k.d->rounded.weights, 1, k.columns()},
                      /*columnsOutside=*/true};
  product.form = k.inputForm();
  return product;
}

ScanProduct kernel::productOfInputs(const ScanKernel &k, const ScanSide &side) {
  KernelBuilder &kb = k.kb;
  Type operand = k.inputForm().operand;
  kb.loop(kb.integer(0), kb.integer(k.chunk), k.inputTerms, [&](Value row) {
    Value from = k.at(k.buffers.rows[side], row, k.inputColumns()),
          to = kb.at(operand, k.d->rounded.rows, kb.mul(row, k.columns()));
    interleaveRows(k, {from, operand, k.inputColumns() * k.inputTerms}, k.inputTerms, to, k.columns());
  });
  ScanProduct product{
      k.projections, k.columns(), k.chunk, {k.d->rounded.projections, k.chunk, 1}, {k.d->rounded.rows, 1, k.columns()}};
  product.form = k.inputForm();
  return product;
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// Returns a pointer to the operands of the features of slot `slot` from `feature` on, for the rows from `column` on.
/// `feature` is a multiple of the terms of an instruction.
static Value operandAt(const ScanKernel &k, const ScanSide &side, int64_t slot, Value feature, Value column) {
  KernelBuilder &kb = k.kb;
  Value first = kb.add(feature, slot * llvm::alignTo(k.projections, k.featureTerms));
  return kb.at(k.featureForm().operand, k.buffers.rounded.operands[side],
               kb.add(kb.mul(first, k.chunk), kb.mul(column, k.featureTerms)));
}

void kernel::storeFeatureOperands(const ScanKernel &k, const ScanSide &side, int64_t slot, const ScanTile &shape,
                                  ValueRange tile) {
  KernelBuilder &kb = k.kb;
  ProductForm form = k.featureForm();
  bool isSummedOverFeatures = !side.isKeys || k.op.isOrdered;
  for (int64_t c = 0; c < shape.registers; ++c) {
    Value place = shape.columnAt(kb, c);
    for (int64_t n = 0; n < shape.rows; n += form.terms) {
      SmallVector<Value> terms;
      for (int64_t t = 0; t < form.terms; ++t)
        terms.push_back(convertFloat(kb, n + t < shape.rows ? shape.at(tile, n + t, c) : k.zero(), form.operand));
      if (isSummedOverFeatures)
        kb.store(form.interleave(kb, terms), operandAt(k, side, slot, shape.rowAt(kb, n), place));
      if (!side.isKeys)
        continue;
      for (int64_t t = 0; t < std::min(form.terms, shape.rows - n); ++t) {
        Value feature = kb.add(shape.row, slot * k.projections + n + t);
        kb.store(terms[t], kb.at(form.operand, k.buffers.rounded.keys, kb.add(kb.mul(feature, k.chunk), place)));
      }
    }
  }
}

void kernel::scaleRoundedKeys(const ScanKernel &k, function_ref<Value(Value)> factor) {
  KernelBuilder &kb = k.kb;
  Type operand = k.featureForm().operand;
  k.forRows([&](Value row) {
    Value factors = factor(row);
    kb.loop(kb.integer(0), kb.integer(k.features()), 1, [&](Value feature) {
      Value place = kb.at(operand, k.buffers.rounded.keys, kb.add(kb.mul(feature, k.chunk), row));
      storeRegister(kb, kb.mulf(loadRegister(kb, operand, k.lanes, place), factors), operand, place);
    });
  });
}

Value kernel::sumRoundedKeys(const ScanKernel &k, Value feature) {
  KernelBuilder &kb = k.kb;
  ProductForm form = k.featureForm();
  Value line = kb.at(form.operand, k.buffers.rounded.keys, kb.mul(feature, k.chunk));
  Value one = kb.real(form.operands(kb), 1);
  Value sum = k.zero();
  for (int64_t row = 0; row < k.chunk; row += k.lanes * form.terms)
    sum = form.emit(kb, kb.load(form.operands(kb), kb.at(form.operand, line, row)), one, sum);
  return kb.reduceAdd(sum);
}

void kernel::forRoundedNormaliserSums(const ScanKernel &k, Value normaliser, function_ref<void(Value, Value)> finish) {
  KernelBuilder &kb = k.kb;
  ProductForm form = k.featureForm();
  int64_t registers = k.chunk / k.lanes;
  SmallVector<Value> sums(form.terms * registers, k.zero()); // additions of different terms do not wait for each other
  auto add = [&](int64_t slot, Value first, int64_t count, ValueRange before) {
    SmallVector<Value> next(before);
    for (int64_t c = 0; c < registers; ++c) {
      Value operands = kb.load(form.operands(kb), operandAt(k, k.task.queries, slot, first, kb.integer(c * k.lanes)));
      for (int64_t t = 0; t < count; ++t) {
        Value z = k.splat(normaliser, kb.add(first, slot * k.projections + t)), &sum = next[t * registers + c];
        sum = kb.fma(z, k.threads.termOf(kb, operands, t), sum);
      }
    }
    return next;
  };
  int64_t whole = llvm::alignDown(k.projections, form.terms);
  for (int64_t slot = 0; slot < k.slots; ++slot) {
    sums = kb.loop(kb.integer(0), kb.integer(whole), form.terms, sums,
                   [&](Value first, ValueRange before) { return add(slot, first, form.terms, before); });
    if (whole < k.projections)
      sums = add(slot, kb.integer(whole), k.projections - whole, sums);
  }
  for (int64_t c = 0; c < registers; ++c) {
    Value sum = sums[c];
    for (int64_t t = 1; t < form.terms; ++t)
      sum = kb.addf(sum, sums[t * registers + c]);
    finish(kb.integer(c * k.lanes), sum);
  }
}

ScanProduct kernel::productOfFeatures(const ScanKernel &k, const ScanSide &rows, Value right, int64_t columns,
                                      int64_t pitch) {
  ScanProduct product{k.chunk,
                      columns,
                      k.featureOperands(),
                      {k.buffers.rounded.operands[rows], k.featureTerms, k.chunk},
                      {right, 1, pitch}};
  product.form = k.featureForm();
  return product;
}

//===----------------------------------------------------------------------===//
// Values and states
//===----------------------------------------------------------------------===//

void kernel::storeValueOperands(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), kb.integer(k.chunk), k.featureTerms, [&](Value row) {
    Value to = kb.at(k.featureForm().operand, k.buffers.rounded.values, kb.mul(row, k.valueColumns()));
    interleaveRows(k, {k.at(k.buffers.values, row, k.valuePitch()), k.real, k.valuePitch()}, k.featureTerms, to,
                   k.valueColumns());
  });
}

void kernel::roundState(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  int64_t padded = llvm::alignTo(k.projections, k.featureTerms);
  for (int64_t slot = 0; slot < k.slots; ++slot)
    forTiles(kb, k.projections, k.featureTerms, kb.integer(0), [&](Value first, int64_t count) {
      Value from = k.at(k.task.state.matrix, kb.add(first, slot * k.projections), k.task.state.pitch);
      Value to = kb.at(k.featureForm().operand, k.buffers.rounded.state,
                       kb.mul(kb.add(first, slot * padded), k.valueColumns()));
      interleaveRows(k, {from, k.real, k.task.state.pitch}, count, to, k.valueColumns());
    });
}
