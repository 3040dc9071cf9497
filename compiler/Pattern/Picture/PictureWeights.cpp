//===- PictureWeights.cpp - Weights of attention as pictures --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/Picture.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf::pattern;

/// Returns the kind of square that shows `weight`, where `darkest` is the weight of the darkest colour. Any weight
/// other than 0 has a colour.
static uint8_t shadeOf(double weight, double darkest) {
  if (weight == 0 || darkest == 0)
    return Unseen;
  double part = std::ceil(std::abs(weight) / darkest * numShades);
  return (weight > 0 ? FirstShade : FirstNegative) + static_cast<uint8_t>(std::clamp<double>(part, 1, numShades) - 1);
}

/// Draws `values`, row by row.
static Panel drawPanel(std::string title, std::string name, int64_t rows, int64_t columns, ArrayRef<double> values,
                       double darkest) {
  Panel panel{std::move(title), std::move(name), rows, columns, {}, {}, {}};
  if (darkest == 0)
    for (double value : values)
      darkest = std::max(darkest, std::abs(value));
  for (double value : values) {
    panel.squares.push_back(shadeOf(value, darkest));
    panel.weights.push_back(static_cast<float>(value));
  }
  panel.title += llvm::formatv(", darkest {0:f3}", darkest);
  return panel;
}

static LogicalResult verify(const DrawnWeights &weights, const WeightsOptions &options,
                            function_ref<InFlightDiagnostic()> emitError) {
  constexpr int64_t mostPanels = 256;
  bool hasGrid = options.height > 0;
  if (weights.batches < 1 || weights.heads < 1 || weights.rows < 1 || weights.columns < 1)
    return emitError() << "expected weights to draw, got none";
  if (weights.rows > maxPictureSize || weights.columns > maxPictureSize)
    return emitError() << "expected at most " << maxPictureSize << " rows and columns of weights in a picture, got "
                       << weights.rows << " x " << weights.columns;
  if (hasGrid && options.height * options.width != weights.columns)
    return emitError() << "expected a grid of " << weights.columns << " tokens, got " << options.height << " x "
                       << options.width;
  int64_t panels = weights.batches * weights.heads * (hasGrid ? weights.rows : 1);
  if (panels > mostPanels)
    return emitError() << "expected at most " << mostPanels << " panels in a picture, got " << panels;
  const double *wrong = llvm::find_if(weights.values, [](double value) { return !std::isfinite(value); });
  if (wrong == weights.values.end())
    return success();
  int64_t place = wrong - weights.values.begin(), matrix = weights.rows * weights.columns;
  return emitError() << "expected finite weights to draw, got " << (std::isnan(*wrong) ? "nan" : "inf") << " in head "
                     << place / matrix % weights.heads << ", row " << place % matrix / weights.columns << ", key "
                     << place % weights.columns;
}

FailureOr<Picture> mlir::xf::pattern::drawWeights(const DrawnWeights &weights, const WeightsOptions &options,
                                                  function_ref<InFlightDiagnostic()> emitError) {
  if (failed(verify(weights, options, emitError)))
    return failure();
  Picture picture;
  for (int64_t batch = 0; batch < weights.batches; ++batch) {
    PictureRow row;
    row.title = options.title + (weights.batches > 1 ? " of batch entry " + std::to_string(batch) : "");
    for (int64_t head = 0; head < weights.heads; ++head) {
      int64_t matrix = weights.rows * weights.columns;
      ArrayRef<double> values = weights.values.slice((batch * weights.heads + head) * matrix, matrix);
      std::string title = "head " + std::to_string(head),
                  name = "batch" + std::to_string(batch) + "_head" + std::to_string(head);
      if (options.height == 0) {
        Panel panel = drawPanel(title, name, weights.rows, weights.columns, values, options.darkest);
        panel.firstRow = options.firstRow, panel.firstColumn = options.firstColumn;
        row.panels.push_back(std::move(panel));
        continue;
      }
      for (int64_t n = 0; n < weights.rows; ++n) {
        int64_t number = options.firstRow + n;
        Panel panel =
            drawPanel(title + ", row " + std::to_string(number), name + "_row" + std::to_string(number), options.height,
                      options.width, values.slice(n * weights.columns, weights.columns), options.darkest);
        panel.hasAxes = false;
        panel.unit = std::max<int64_t>(1, 32 / options.height);
        row.panels.push_back(std::move(panel));
      }
    }
    picture.push_back(std::move(row));
  }
  return picture;
}
