//===- Einsum.cpp - Sums of products by letters -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/ops/einsum.h"
#include "../Node.h"

#include <algorithm>
#include <map>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// The equation
//===----------------------------------------------------------------------===//

namespace {
/// A tensor with a letter for each dimension.
struct Lettered {
  std::string letters;
  Tensor tensor;
};
} // namespace

static bool has(const std::string &letters, char letter) { return letters.find(letter) != std::string::npos; }

static std::vector<std::string> splitAtCommas(const std::string &text) {
  std::vector<std::string> parts = {""};
  for (char letter : text)
    if (letter == ',')
      parts.emplace_back();
    else if (letter != ' ')
      parts.back() += letter;
  return parts;
}

/// Throws Error unless `letters` are distinct letters.
static void expectLetters(const std::string &letters, Here here) {
  for (char letter : letters) {
    bool isLetter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    expect(isLetter, here, "expected letters in einsum, got '", std::string(1, letter), "'");
  }
  for (char letter : letters)
    expect(letters.find(letter) == letters.rfind(letter), here, "expected each letter once in '", letters,
           "' of einsum, got '", std::string(1, letter), "' twice");
}

/// Returns the letters that occur once, in alphabetical order.
static std::string implicitResult(const std::vector<std::string> &operands) {
  std::map<char, int> counts;
  for (const std::string &letters : operands)
    for (char letter : letters)
      ++counts[letter];
  std::string result;
  for (auto [letter, count] : counts)
    if (count == 1)
      result += letter;
  return result;
}

/// Throws Error unless every letter has one size.
static void expectSizes(const std::vector<Lettered> &operands, Here here) {
  std::map<char, Dim> sizes;
  for (const Lettered &operand : operands)
    for (size_t d = 0; d < operand.letters.size(); ++d) {
      const Dim &size = operand.tensor.shape()[d];
      auto [known, isNew] = sizes.try_emplace(operand.letters[d], size);
      expect(known->second.may_equal(size), here, "expected one size of '", std::string(1, operand.letters[d]),
             "' in einsum, got ", known->second, " and ", size);
    }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Sums over the letters that `kept` does not have.
static Lettered sumOthers(const Lettered &x, const std::string &kept, Here here) {
  Axes axes;
  std::string letters;
  for (size_t d = 0; d < x.letters.size(); ++d)
    if (has(kept, x.letters[d]))
      letters += x.letters[d];
    else
      axes.list.push_back(d);
  return axes.list.empty() ? x : Lettered{letters, sum(x.tensor, axes, false, here)};
}

/// Permutes the dimensions to the order of `letters`.
static Tensor inOrder(const Lettered &x, const std::string &letters, Here here) {
  std::vector<int64_t> axes;
  for (char letter : letters)
    axes.push_back(x.letters.find(letter));
  return letters == x.letters ? x.tensor : transpose(x.tensor, axes, here);
}

static Shape sizesOf(const Lettered &x, const std::string &letters) {
  Shape shape;
  for (char letter : letters)
    shape.push_back(x.tensor.shape()[x.letters.find(letter)]);
  return shape;
}

/// Returns the product of some sizes as one size. Throws Error where several of them are dynamic.
static Dim merged(const Shape &sizes, const std::string &letters, Here here) {
  if (sizes.size() == 1)
    return sizes[0];
  int64_t product = 1;
  for (const Dim &size : sizes) {
    expect(size.is_static(), here, "expected static sizes of '", letters, "' in einsum, got ", sizes);
    product *= size.value();
  }
  return Dim(product);
}

/// Multiplies two operands: as matrices [common.., first, second], where letters that `kept` does not have are summed
/// over, or element by element where there are none.
static Lettered multiply(const Lettered &a, const Lettered &b, const std::string &kept, Here here) {
  std::string common, summed, left, right;
  for (char letter : a.letters)
    (!has(b.letters, letter) ? left : has(kept, letter) ? common : summed) += letter;
  for (char letter : b.letters)
    if (!has(a.letters, letter))
      right += letter;
  auto matrix = [&](const Lettered &x, const std::string &rows, const std::string &columns) {
    Shape shape = sizesOf(x, common);
    shape.push_back(merged(sizesOf(x, rows), rows, here));
    shape.push_back(merged(sizesOf(x, columns), columns, here));
    Tensor ordered = inOrder(x, common + rows + columns, here);
    return shape == ordered.shape() ? ordered : reshape(ordered, shape, here);
  };
  Tensor first = matrix(a, left, summed), second = matrix(b, summed, right);
  Tensor product = summed.empty() ? Operand(first, here) * Operand(second, here) : matmul(first, second, here);
  Shape shape = sizesOf(a, common + left), columns = sizesOf(b, right);
  shape.insert(shape.end(), columns.begin(), columns.end());
  return {common + left + right, shape == product.shape() ? product : reshape(product, shape, here)};
}

Tensor xf::einsum(const std::string &equation, const std::vector<Tensor> &tensors, Here here) {
  size_t arrow = equation.find("->");
  std::vector<std::string> letters = splitAtCommas(equation.substr(0, arrow));
  std::vector<std::string> results = {implicitResult(letters)};
  if (arrow != std::string::npos)
    results = splitAtCommas(equation.substr(arrow + 2));
  expect(results.size() == 1, here, "expected one result in einsum \"", equation, "\", got ", results.size());
  const std::string &result = results[0];
  expect(letters.size() == tensors.size(), here, "expected ", letters.size(), " tensors in einsum \"", equation,
         "\", got ", tensors.size());
  std::vector<Lettered> operands;
  for (size_t n = 0; n < tensors.size(); ++n) {
    expectFloat(tensors[n], "einsum", here);
    expect(tensors[n].dtype() == tensors[0].dtype(), here, "expected one element type in einsum, got ",
           tensors[0].dtype(), " and ", tensors[n].dtype());
    expectLetters(letters[n], here);
    expect(static_cast<int64_t>(letters[n].size()) == tensors[n].rank(), here, "expected a letter for each of ",
           tensors[n].rank(), " dimensions in einsum, got '", letters[n], "'");
    operands.push_back({letters[n], tensors[n]});
  }
  expectLetters(result, here);
  for (char letter : result)
    expect(std::any_of(letters.begin(), letters.end(), [&](const std::string &own) { return has(own, letter); }), here,
           "expected letters of operands on the right of -> in einsum, got '", std::string(1, letter), "'");
  expectSizes(operands, here);
  for (size_t n = 0; n < operands.size(); ++n) { // letters of one operand alone
    std::string others = result;
    for (size_t m = 0; m < operands.size(); ++m)
      others += m == n ? "" : operands[m].letters;
    operands[n] = sumOthers(operands[n], others, here);
  }
  Lettered product = operands[0];
  for (size_t n = 1; n < operands.size(); ++n) {
    std::string later = result;
    for (size_t m = n + 1; m < operands.size(); ++m)
      later += operands[m].letters;
    product = multiply(product, operands[n], later, here);
  }
  return inOrder(product, result, here);
}
