//===- TileableAttention.cpp - The tile models of attention ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models by which xf.attention and xf.attention_vjp are tiled (TileableOpInterface). They check sizes and ids of
// the operands, most of which the two ops share.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Attention.h"
#include "compiler/Tile/Attend/LaunchWork.h"
#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/TileFamilies.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "dialects/xf/Patterns/SymbolRange.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;

/// Requires that `keys` keys satisfy the constraints of a pattern on their number (tokenRules). Appends run-time checks
/// for dynamic sizes. Fails after an error.
static LogicalResult requireTokens(HostBuilder &host, xf::Pattern pattern, Size keys) {
  for (const TokenRule &rule : tokenRules(pattern)) {
    Size found = host.ceilDiv(keys, rule.block), expected = host.size(rule.tokens);
    if (failed(rule.isMultiple ? requireMultiple(host, found, expected) : host.requireEqual(found, expected)))
      return failure();
  }
  return success();
}

/// Requires that the sizes of operands agree. Only looks at the operands that xf.attention and its gradient have in
/// common. Fails after an error.
template <typename OpTy>
static LogicalResult requireAttentionSizes(OpTy op, HostBuilder &host) {
  Sizes q = host.sizes(op.getQ()), k = host.sizes(op.getK()), v = host.sizes(op.getV());
  bool agree = succeeded(requireSizes(host, op.getK(), {q[0], k[1], k[2], q[3]})) &&
               succeeded(requireSizes(host, op.getV(), {q[0], v[1], k[2], v[3]})) &&
               succeeded(requireMultiple(host, q[1], k[1])) && succeeded(requireMultiple(host, q[1], v[1])) &&
               succeeded(requireTokens(host, op.getPattern(), k[2])) &&
               succeeded(requireSizes(host, op.getLengths(), q[0])) &&
               succeeded(requireSizes(host, op.getQueryLengths(), q[0])) &&
               succeeded(requireSizes(host, op.getSeed(), host.size(2))) &&
               succeeded(requireSizes(host, op.getDecay(), {q[0], q[1], k[2]})) &&
               succeeded(requireSizes(host, op.getBeta(), {q[0], q[1], k[2]}));
  if (op.getRelative())
    agree =
        agree && succeeded(requireAtMost(host, q[2], k[2])) &&
        succeeded(requireSizes(host, op.getRelative(), {q[1], host.sub(host.mul(host.size(2), k[2]), host.size(1))}));
  for (Value symbol : op.getSymbols())
    agree = agree && succeeded(requireSizes(host, symbol, {q[0], q[1]}));
  if (Value columns = op.getTableColumns(); columns && !op.getTableOffsets())
    agree = agree && succeeded(requireSizes(host, columns, ArrayRef(q).take_front(host.sizes(columns).size() - 2)));
  return success(agree);
}

/// Narrows the range of an integer operand of an attention. Table offsets ascend, and lie between 0 and the number of
/// table columns. Symbols of type i64 lie in [-maxSymbol, maxSymbol].
template <typename OpTy>
static void narrowIntegers(OpTy attention, Value integers, IdRange &range) {
  if (llvm::is_contained(attention.getSymbols(), integers) && getElementTypeOrSelf(integers).isInteger(64)) {
    range.lowest = std::max(range.lowest, -maxSymbol);
    range.highest = std::min(range.highest, maxSymbol);
  }
  if (attention.getTableOffsets() != integers)
    return;
  range.within(attention.getTableColumns(), 0, 0, 0);
  range.isOrdered = true;
}

namespace {
struct AttentionModel : TileableModel<tileAttention, AttentionModel> {
  LogicalResult tile(Operation *op, HostBuilder &host) const {
    auto attention = cast<AttentionOp>(op);
    return tileWithFlop(host, cast<RankedTensorType>(attention.getQ().getType()),
                        cast<RankedTensorType>(attention.getK().getType()),
                        [&] { return tileAttention(attention, host); });
  }
  LogicalResult requireSizes(Operation *op, HostBuilder &host) const {
    if (failed(requireResultSizes(op, host)))
      return failure();
    return requireAttentionSizes(cast<AttentionOp>(op), host);
  }
  void narrowIdRange(Operation *op, Value ids, IdRange &range) const {
    narrowIntegers(cast<AttentionOp>(op), ids, range);
  }
};

struct AttentionVjpModel : TileableModel<tileAttentionVjp, AttentionVjpModel> {
  LogicalResult tile(Operation *op, HostBuilder &host) const {
    auto attention = cast<AttentionVjpOp>(op);
    return tileWithFlop(host, cast<RankedTensorType>(attention.getQ().getType()),
                        cast<RankedTensorType>(attention.getK().getType()),
                        [&] { return tileAttentionVjp(attention, host); });
  }
  LogicalResult requireSizes(Operation *base, HostBuilder &host) const {
    auto op = cast<AttentionVjpOp>(base);
    if (failed(requireResultSizes(op, host)))
      return failure();
    Sizes rows = host.sizes(op.getQ());
    rows.back() = host.sizes(op.getV()).back();
    for (Value tensor : {op.getO(), op.getLse(), op.getDO(), op.getDLse()})
      if (failed(xf::requireSizes(host, tensor, rows)))
        return failure();
    return requireAttentionSizes(op, host);
  }
  void narrowIdRange(Operation *op, Value ids, IdRange &range) const {
    narrowIntegers(cast<AttentionVjpOp>(op), ids, range);
  }
};
} // namespace

void xf::attachAttentionTilings(MLIRContext &context) {
  AttentionOp::attachInterface<AttentionModel>(context);
  AttentionVjpOp::attachInterface<AttentionVjpModel>(context);
}
