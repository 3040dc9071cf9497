//===- DecodeForm.cpp - Decoding on CPUs ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Forms/DecodeForm.h"
#include "compiler/Target/CPU/Decode/DecodeBuffers.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"

using namespace mlir;
using namespace mlir::xf;
using cpu::CpuTileModel;

namespace {
class CpuDecode : public DecodeForm {
public:
  explicit CpuDecode(const CpuTileModel &model) : model(model) {}

private:
  xft::DecodeTileAttr tile(AttentionOp op, int64_t rows) const override;
  int64_t wholeColumns(xft::DecodeTileAttr tile) const override { return tile.getLanes(); }

  const CpuTileModel &model;
};
} // namespace

xft::DecodeTileAttr CpuDecode::tile(AttentionOp op, int64_t) const {
  const cpu::CpuMachine &machine = model.machine;
  auto q = op.getQ().getType(), v = op.getV().getType();
  int64_t lanes = machine.lanes(accumulatorType(q.getElementType()));
  bool fills = q.getDimSize(3) >= lanes && v.getDimSize(3) >= lanes; // rows end with a whole register
  if (lanes < 2 || !fills || op.getPart())
    return {};
  // Registers that do not hold sums hold a group of keys and what multiplies them. The weights of a block, and the keys
  // and values that several tiles of rows read, stay in the first-level cache; what a slice leaves is 1 % of its keys.
  int64_t group = cpu::interleavedKeys(accumulatorType(q.getElementType()));
  int64_t sums = (machine.registers - group - 1) / group * group;
  int64_t keys = llvm::alignTo(64, lanes), slice = 1024 / keys * keys;
  Type operand = model.operandOf(productElement(op));
  if (operand && q.getDimSize(3) < lanes * productForm(machine, operand).terms)
    operand = {}; // a row of k ends with a whole register
  return xft::DecodeTileAttr::get(op.getContext(), sums, lanes, keys, slice, operand);
}

std::shared_ptr<const AttentionForm> cpu::decodeForm(const CpuTileModel &model) {
  return std::make_shared<CpuDecode>(model);
}
