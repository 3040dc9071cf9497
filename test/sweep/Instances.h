//===- Instances.h - One program for every choice of sizes and types -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_SWEEP_INSTANCES_H
#define XF_TEST_SWEEP_INSTANCES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::xf::sweep {

/// A letter of the template and what it stands for in turn.
struct Choice {
  char letter;
  SmallVector<StringRef> values;

  /// "N=1,7,?"; failure where it is no such text.
  static FailureOr<Choice> parse(StringRef text);
};

/// `text` once for every combination of choices, with $N replaced by N's value and $$ by a suffix that names the
/// combination and may stand in a symbol.
std::string instantiate(StringRef text, ArrayRef<Choice> choices);

} // namespace mlir::xf::sweep

#endif // XF_TEST_SWEEP_INSTANCES_H
