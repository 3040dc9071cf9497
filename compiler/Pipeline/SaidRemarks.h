//===- SaidRemarks.h - Remarks once for a line of source -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_SAIDREMARKS_H
#define XF_COMPILER_PIPELINE_SAIDREMARKS_H

#include "mlir/IR/Diagnostics.h"
#include <set>

namespace mlir::xf {

/// The remarks that one compilation has printed, so that it prints none twice. One line of a program becomes as many
/// ops as a model has layers, and each of these ops emits the same remark.
class SaidRemarks {
public:
  /// Returns whether `message` is a remark that was printed before for the same line. Remembers a remark that is new.
  bool hasSaid(const Diagnostic &message) {
    if (message.getSeverity() != DiagnosticSeverity::Remark)
      return false;
    auto place = message.getLocation()->findInstanceOf<FileLineColLoc>();
    if (!place)
      return false;
    std::string line = (place.getFilename().getValue() + ":" + Twine(place.getLine())).str();
    return !said.insert({line, message.str()}).second;
  }

private:
  std::set<std::pair<std::string, std::string>> said;
};

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_SAIDREMARKS_H
