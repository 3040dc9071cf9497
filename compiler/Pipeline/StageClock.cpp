//===- StageClock.cpp - How long stages and passes take -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/StageClock.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Reports the begin and end of each pass to the clock. Leaves out adaptors, which run passes of functions and whose
/// names mean nothing to users.
struct PassClock : PassInstrumentation {
  explicit PassClock(StageClock &clock) : clock(clock) {}

  void runBeforePass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      clock.enter(pass->getArgument());
  }
  void runAfterPass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      clock.leave();
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override { runAfterPass(pass, op); }

  StageClock &clock;
};
} // namespace

void StageClock::watch(PassManager &passes) { passes.addInstrumentation(std::make_unique<PassClock>(*this)); }

void StageClock::enter(StringRef name) {
  std::scoped_lock lock(mutex);
  for (size_t child : nodes[current].children)
    if (nodes[child].name == name) {
      current = child;
      nodes[current].began = std::chrono::steady_clock::now();
      return;
    }
  nodes[current].children.push_back(nodes.size());
  nodes.push_back({name.str(), current});
  current = nodes.size() - 1;
  nodes[current].began = std::chrono::steady_clock::now();
}

void StageClock::leave() {
  std::scoped_lock lock(mutex);
  Node &node = nodes[current];
  node.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - node.began).count();
  current = node.parent;
}

std::string StageClock::stage() const {
  std::scoped_lock lock(mutex);
  size_t node = current;
  while (node != 0 && nodes[node].parent != 0)
    node = nodes[node].parent;
  return nodes[node].name;
}

void StageClock::print(raw_ostream &os, size_t node, unsigned depth, double total) const {
  std::string name = std::string(2 * depth, ' ') + nodes[node].name;
  double share = total > 0 ? 100 * nodes[node].seconds / total : 0;
  os << llvm::formatv("{0,-36} {1,9:f4} {2,7:f1}\n", name, nodes[node].seconds, share);
  for (size_t child : nodes[node].children)
    print(os, child, depth + 1, total);
}

void StageClock::print(raw_ostream &os) const {
  double total = 0;
  for (size_t stage : nodes.front().children)
    total += nodes[stage].seconds;
  os << llvm::formatv("{0,-36} {1,9} {2,7}\n", "stage, pass", "seconds", "share %");
  for (size_t stage : nodes.front().children)
    print(os, stage, 0, total);
  os << llvm::formatv("{0,-36} {1,9:f4} {2,7:f1}\n", "total", total, 100.0);
}
