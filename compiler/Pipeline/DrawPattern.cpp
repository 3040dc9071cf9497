//===- DrawPattern.cpp - A pattern as a picture ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/DrawPattern.h"
#include "compiler/Pattern/Properties.h"
#include "compiler/Pattern/Solve.h"
#include "compiler/Target/Target.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;

/// Converts DrawOptions to the options of compiler/Pattern/Picture. If `options.tiles` is set, the result has the
/// tiles of f32 kernels of this machine. Fails if the machine is unknown.
static FailureOr<pattern::PictureOptions> pictureOptions(const DrawOptions &options, MLIRContext *context) {
  pattern::PictureOptions result;
  result.height = options.height, result.width = options.width, result.query = options.query;
  result.head = options.head;
  if (!options.tiles)
    return result;
  context->loadDialect<xft::XftDialect>();
  MachineRef machine = findCpu({"native"});
  if (!machine)
    return failure();
  constexpr int64_t columns = 64; // head size: tiles of attention on CPUs do not depend on it
  xft::AttendTileAttr tile = createTileModel(*machine)->attendTile(Float32Type::get(context), columns, columns);
  result.tileRows = tile.getRows(), result.tileColumns = tile.getWidth(), result.lanes = tile.getLanes();
  return result;
}

FailureOr<DrawnPattern> xf::drawPattern(Pattern pattern, int64_t size, const DrawOptions &options,
                                        function_ref<InFlightDiagnostic()> emitError) {
  if (size < 1 || size > pattern::maxPictureSize)
    return emitError() << "expected from 1 to " << pattern::maxPictureSize << " tokens in a picture, got " << size;
  FailureOr<pattern::PictureOptions> chosen = pictureOptions(options, pattern.getContext());
  if (failed(chosen) || failed(pattern.verifyPattern(emitError)) || failed(verifyTokens(pattern, size, emitError)) ||
      failed(pattern::verifyPicture(*chosen, {size, size}, emitError)))
    return failure();
  FailureOr<SmallVector<SolutionAttr>> solutions =
      pattern::solveFirstHeads(pattern, emitError, size, size, options.head + 1);
  if (failed(solutions))
    return failure();
  if (pattern::asksOperands(pattern))
    return emitError() << "expected a pattern that is known without its operands to draw, got " << pattern;
  pattern::Picture picture = {pattern::drawPattern(pattern, *solutions, {size, size}, *chosen)};
  return DrawnPattern{toSvg(picture), toPng(picture), toText(picture), toNpz(picture)};
}

FailureOr<DrawnPattern> xf::drawWeights(ArrayRef<double> weights, ArrayRef<int64_t> shape,
                                        const pattern::WeightsOptions &options,
                                        function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<pattern::Picture> picture =
      pattern::drawWeights(pattern::DrawnWeights::of(weights, shape), options, emitError);
  if (failed(picture))
    return failure();
  return DrawnPattern{toSvg(*picture), toPng(*picture), toText(*picture), toNpz(*picture)};
}
