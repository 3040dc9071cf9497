//===- DrawnFeatures.h - W as the frontend draws it -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_NUMERICS_DRAWNFEATURES_H
#define XF_TEST_NUMERICS_DRAWNFEATURES_H

#include <cstdint>
#include <vector>

namespace xftest {

enum class Rows { orthogonal, regularized, iid };

/// xf::random_features in f64, seen from programs that know no exceptions.
std::vector<double> drawFeatures(int64_t count, int64_t width, Rows rows, uint64_t seed, uint64_t step);

} // namespace xftest

#endif // XF_TEST_NUMERICS_DRAWNFEATURES_H
