//===- LinearForm.cpp - Checked integer linear forms ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Linear/LinearForm.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf::pattern;

LinearForm::LinearForm(int64_t constant) {
  if (constant)
    coefficients.push_back(constant);
}

LinearForm LinearForm::column(unsigned number, int64_t coefficient) {
  LinearForm form;
  form.set(number, coefficient);
  return form;
}

void LinearForm::set(unsigned column, int64_t coefficient) {
  if (column >= coefficients.size())
    coefficients.resize(column + 1, 0);
  coefficients[column] = coefficient;
  trim();
}

LinearForm &LinearForm::add(const LinearForm &other, int64_t factor) {
  overflow |= other.overflow;
  if (other.size() > size())
    coefficients.resize(other.size(), 0);
  for (unsigned k = 0; k < other.size(); ++k) {
    int64_t product;
    overflow |= llvm::MulOverflow(other.coefficients[k], factor, product);
    overflow |= llvm::AddOverflow(coefficients[k], product, coefficients[k]);
    overflow |= coefficients[k] > maxCoefficient || coefficients[k] < -maxCoefficient;
  }
  trim();
  return *this;
}

LinearForm &LinearForm::divideExactly(int64_t divisor) {
  for (int64_t &coefficient : coefficients)
    coefficient /= divisor;
  return *this;
}

int64_t LinearForm::gcd() const {
  int64_t result = 0;
  for (unsigned k = 1; k < size(); ++k)
    result = std::gcd(result, coefficients[k]);
  return result;
}

void LinearForm::trim() {
  while (!coefficients.empty() && coefficients.back() == 0)
    coefficients.pop_back();
}
