//===- DrawPattern.cpp - A pattern as a picture ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/DrawPattern.h"
#include "compiler/Pattern/Picture.h"
#include "compiler/Pattern/Solve.h"

using namespace mlir;
using namespace mlir::xf;

FailureOr<DrawnPattern> xf::drawPattern(Pattern pattern, int64_t size, function_ref<InFlightDiagnostic()> emitError) {
  if (size < 1 || size > pattern::maxPictureSize)
    return emitError() << "expected from 1 to " << pattern::maxPictureSize << " tokens in a picture, got " << size;
  FailureOr<SmallVector<SolutionAttr>> solutions = pattern::solveHeads(pattern, emitError, pattern::StaticCall{size, size, /*numHeads=*/1});
  if (failed(solutions))
    return failure();
  if (llvm::any_of(*solutions, [](SolutionAttr one) { return one.getTiles() && !one.getTiles().isStatic(); }))
    return emitError() << "expected a pattern that is known without its operands to draw, got " << pattern;
  pattern::Picture picture = {pattern::drawPattern(pattern, *solutions, {size, size})};
  return DrawnPattern{toSvg(picture), toPng(picture), toText(picture)};
}
