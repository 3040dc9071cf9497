//===- StageClock.h - How long stages and passes take -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_STAGECLOCK_H
#define XF_COMPILER_PIPELINE_STAGECLOCK_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <deque>
#include <mutex>
#include <string>

namespace mlir {
class PassManager;
}

namespace mlir::xf {

/// Measures the time of the parts of a compilation: stages, passes, code generation. Parts are nested. Within one part,
/// parts of the same name count as one, because a pass runs on several functions and for several machines.
class StageClock {
public:
  StageClock() { nodes.push_back({"", 0}); }

  /// Measures a part of the compilation, from its construction to its destruction. With a null clock, measures nothing.
  class Scope {
  public:
    Scope(StageClock *clock, StringRef name) : clock(clock) {
      if (clock)
        clock->enter(name);
    }
    ~Scope() {
      if (clock)
        clock->leave();
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    StageClock *clock;
  };

  /// Measures each pass of a pass manager as a part.
  void watch(PassManager &passes);
  void enter(StringRef name);
  void leave();

  /// Returns the name of the running stage, or an empty text. Thread-safe.
  std::string stage() const;
  /// Prints the seconds of each part, and its share of the total.
  void print(raw_ostream &os) const;

private:
  using Time = std::chrono::steady_clock::time_point;
  struct Node {
    std::string name;
    size_t parent;
    SmallVector<size_t> children = {};
    double seconds = 0;
    Time began = {};
  };
  void print(raw_ostream &os, size_t node, unsigned depth, double total) const;

  std::deque<Node> nodes; ///< node 0 is the root
  size_t current = 0;
  mutable std::mutex mutex; ///< guards `nodes` and `current`, which another thread may read
};

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_STAGECLOCK_H
