//===- Picture.cpp - Pictures of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/picture.h"
#include "../Graph/Modules/ParameterData.h"
#include "../Graph/Node.h"
#include "../Translate/Draw.h"

#include "runtime/support/File.h"

using namespace xf;
using namespace xf::detail;

Picture xf::draw(const Pattern &pattern, int64_t tokens, Here here) {
  return draw(pattern, tokens, DrawOptions(), here);
}

Picture xf::draw(const Pattern &pattern, int64_t tokens, const DrawOptions &options, Here here) {
  bool hasGrid = options.grid.height != 0 || options.grid.width != 0;
  expect(!hasGrid || (options.grid.height > 0 && options.grid.width > 0 && options.grid.height <= tokens), here,
         "expected a grid of ", tokens, " tokens, got ", options.grid.height, " x ", options.grid.width);
  expect(options.query < 0 || hasGrid, here, "expected a grid to show query ", options.query, " on, got none");
  expect(options.head >= -1 && options.head < int64_t(1) << 16, here, "expected the number of a head, got ",
         options.head);
  DrawnText drawn = drawPattern(*pattern.node, tokens, options);
  expect(drawn.error.empty(), here, drawn.error);
  return Picture(std::make_shared<const Picture::Formats>(
      Picture::Formats{std::move(drawn.svg), std::move(drawn.png), std::move(drawn.text), std::move(drawn.npz)}));
}

Picture xf::draw(const Array &weights, const MapPicture &options, Here here) {
  size_t rank = weights.shape().size();
  expect(is_float(weights.dtype()) && rank >= 2 && rank <= 4, here,
         "expected weights of floats and of 2 to 4 dimensions, got ", weights.dtype(), " of ", rank, " dimensions");
  expect(options.grid.height >= 0 && options.grid.width >= 0 && options.darkest >= 0, here,
         "expected a grid and a darkest weight of at least 0, got ", options.grid.height, " x ", options.grid.width,
         " and ", options.darkest);
  std::vector<double> values;
  for (int64_t n = 0; n < weights.count(); ++n)
    values.push_back(load(weights, n));
  DrawnText drawn = drawWeights(values, weights.shape(), options);
  expect(drawn.error.empty(), here, drawn.error);
  return Picture(std::make_shared<const Picture::Formats>(
      Picture::Formats{std::move(drawn.svg), std::move(drawn.png), std::move(drawn.text), std::move(drawn.npz)}));
}

void Picture::save(const std::string &path, Here here) const {
  auto ends = [&](const char *extension) { return path.ends_with(extension); };
  const std::string *bytes = ends(".svg")   ? &svg()
                             : ends(".png") ? &png()
                             : ends(".txt") ? &text()
                             : ends(".npz") ? &npz()
                                            : nullptr;
  expect(bytes != nullptr, here, "expected a name that ends in .svg, .png, .txt or .npz, got '", path, "'");
  xfrt::OutputFile file;
  std::string error;
  if (!file.create(path, error) || !file.write(bytes->data(), static_cast<int64_t>(bytes->size()), error) ||
      !file.commit(error))
    throw Error(error, here);
}
