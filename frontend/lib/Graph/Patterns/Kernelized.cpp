//===- Kernelized.cpp - Kernelised attention as a pattern -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

Pattern xf::kernelized(Kernelized parameters, Here here) {
  return makePattern(KernelizedSet{std::move(parameters)}, here);
}

bool KernelizedSet::has(const Pair &pair) const { refuseMembership(pair); }
Properties KernelizedSet::properties() const {
  return {.isCausal = false,
          .isOfPositions = false,
          .heads = of ? propertiesOf(*of->node).heads : 1,
          .symbols = of ? propertiesOf(*of->node).symbols : 0};
}
