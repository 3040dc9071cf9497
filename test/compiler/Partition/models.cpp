//===- models.cpp - Does every op say what ranks can share? ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ShardingModels.h"
#include "dialects/xf/IR/XfDialect.h"
#include "dialects/xf/Ops/XfRows.h"
#include "dialects/xf/Sharding/ShardableOpInterface.h"
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace mlir::xf;

/// Ops without a model, and why: of any other op that has none, ranks would gather all operands.
static const std::map<StringRef, StringRef> without = {
    {"xf.vjp", "the stage `gradient` has replaced it"},
    {"xf.gradient", "the stage `gradient` has replaced it"},
    {"xf.checkpoint", "the stage `gradient` has replaced it"},
    {"xf.yield", "ends a region"},
    {"xf.all_gather", "is of one rank"},
    {"xf.all_reduce", "is of one rank"},
    {"xf.all_slice", "is of one rank"},
    {"xf.all_to_all", "is of one rank"},
    {"xf.bring_home", "is of one rank"},
    {"xf.exchange_rows", "is of one rank"},
    {"xf.reduce_scatter", "is of one rank"},
    {"xf.scan_states", "is of one rank"},
};

TEST(ShardingModels, OfEveryOp) {
  DialectRegistry registry;
  registry.insert<XfDialect>();
  registerShardingModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  size_t found = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "xf")
      continue;
    OperationState state(UnknownLoc::get(&context), name);
    Operation *op = Operation::create(state);
    bool hasModel = name.hasInterface<ShardableOpInterface>() || keepsRows(op);
    op->destroy();
    found += !hasModel;
    EXPECT_NE(hasModel, without.contains(name.getStringRef())) << name.getStringRef().str();
  }
  EXPECT_EQ(found, without.size());
}
