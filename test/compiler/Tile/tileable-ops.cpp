//===- tileable-ops.cpp - Every op of the stage `tile` has a model --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/TileFamilies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Ops of the dialect that no program has at the stage `tile`, and why.
struct Lowered {
  const char *op, *reason;
};
constexpr Lowered lowered[] = {
    {"xf.checkpoint", "the stage fuse inlines it"},
    {"xf.gradient", "the stage gradient replaces it by the gradient's ops"},
    {"xf.vjp", "the stage gradient replaces it by the gradient's ops"},
    {"xf.all_reduce", "becomes parts that ranks send and a reduction, in xf-expand-rank-sums"},
    {"xf.reduce_scatter", "becomes parts that ranks send and a reduction, in xf-expand-rank-sums"},
    {"xf.scan_states", "becomes parts that ranks send and a reduction, in xf-expand-rank-sums"},
    {"xf.yield", "ends a region, which its op's model reads"},
};

/// The ops of xf, and constants.
std::vector<RegisteredOperationName> programOps(MLIRContext &context) {
  std::vector<RegisteredOperationName> ops;
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.getDialectNamespace() == "xf" || op.getStringRef() == "arith.constant")
      ops.push_back(op);
  return ops;
}

bool isLowered(RegisteredOperationName op) {
  return llvm::any_of(lowered, [&](const Lowered &entry) { return op.getStringRef() == entry.op; });
}

/// The names of the ops that a program may have at the stage and that have no model.
std::vector<std::string> opsWithoutModel(MLIRContext &context) {
  std::vector<std::string> names;
  for (RegisteredOperationName op : programOps(context))
    if (!isLowered(op) && !op.hasInterface<TileableOpInterface>())
      names.push_back(op.getStringRef().str());
  return names;
}

struct TileableOps : testing::Test {
  explicit TileableOps(bool isRegistered = true) {
    DialectRegistry registry;
    registry.insert<XfDialect, arith::ArithDialect>();
    if (isRegistered)
      registerTileFamilies(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
};
struct NoFamilies : TileableOps {
  NoFamilies() : TileableOps(/*isRegistered=*/false) {}
};

TEST_F(TileableOps, EveryOpHasAModel) { EXPECT_EQ(opsWithoutModel(context), std::vector<std::string>()); }

TEST_F(TileableOps, LoweredOpsHaveNone) {
  for (const Lowered &entry : lowered) {
    auto op = RegisteredOperationName::lookup(entry.op, &context);
    ASSERT_TRUE(op) << entry.op;
    EXPECT_FALSE(op->hasInterface<TileableOpInterface>()) << entry.op << ": " << entry.reason;
  }
}

TEST_F(NoFamilies, EveryOpIsNamed) {
  std::vector<std::string> names = opsWithoutModel(context);
  EXPECT_EQ(names.size() + std::size(lowered), programOps(context).size());
  for (const char *op : {"arith.constant", "xf.attention", "xf.exp", "xf.product", "xf.reshape", "xf.softmax"})
    EXPECT_TRUE(llvm::is_contained(names, op)) << op;
}
} // namespace
