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

static void expectLetters(const std::string &letters, Here here) {
  for (char letter : letters) {
    bool isLetter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    expect(isLetter, here, "expected letters in einsum, got '", std::string(1, letter), "'");
  }
}

static bool isRepeated(const std::string &letters, char letter) {
  return letters.find(letter) != letters.rfind(letter);
}

/// Replaces "..." in the operands and the result by letters that the equation does not use. The last dimensions of all
/// "..." get the same letter. If the equation has no "->", these letters are the first of the result.
static void replaceDots(std::vector<std::string> &operands, std::string &result, bool isWritten,
                        const std::vector<Tensor> &tensors, Here here) {
  std::string all = result, unused;
  for (const std::string &letters : operands)
    all += letters;
  for (char letter : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
    unused += has(all, letter) ? "" : std::string(1, letter);
  std::string shared;
  for (size_t n = 0; n < operands.size(); ++n) {
    size_t dots = operands[n].find("..."), written = operands[n].size() - 3, rank = tensors[n].rank();
    if (dots == std::string::npos)
      continue;
    expect(rank >= written && rank - written <= unused.size(), here, "expected at least ", written, " dimensions for '",
           operands[n], "' in einsum, got ", rank);
    std::string own = unused.substr(unused.size() - (rank - written));
    operands[n].replace(dots, 3, own);
    shared = own.size() > shared.size() ? own : shared;
  }
  if (size_t dots = result.find("..."); dots != std::string::npos)
    result.replace(dots, 3, shared);
  else if (!isWritten)
    result = shared + result;
}

/// Returns the letters that occur once, in alphabetical order.
static std::string implicitResult(const std::vector<std::string> &operands) {
  std::map<char, int> counts;
  for (const std::string &letters : operands)
    for (char letter : letters)
      counts[letter] += letter != '.';
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

/// If a letter occurs twice, replaces its two dimensions by their diagonal, which becomes the last dimension. Repeats
/// this until no letter occurs twice.
static Lettered diagonal(Lettered x, Here here) {
  for (size_t d = 0; d < x.letters.size(); ++d) {
    size_t other = x.letters.find(x.letters[d], d + 1);
    if (other == std::string::npos)
      continue;
    const Dim &size = x.tensor.shape()[d];
    expect(size.is_static(), here, "expected a static size of '", std::string(1, x.letters[d]),
           "', which occurs twice in an operand of einsum, got ", size);
    std::vector<int64_t> axes;
    std::string letters;
    Shape shape;
    for (size_t n = 0; n < x.letters.size(); ++n)
      if (n != d && n != other) {
        axes.push_back(n);
        letters += x.letters[n];
        shape.push_back(x.tensor.shape()[n]);
      }
    axes.insert(axes.end(), {static_cast<int64_t>(d), static_cast<int64_t>(other)});
    int64_t count = size.value() * size.value();
    shape.push_back(count);
    Tensor rows = reshape(transpose(x.tensor, axes, here), shape, here);
    return diagonal({letters + x.letters[d], slice(rows, -1, 0, count, size.value() + 1, here)}, here);
  }
  return x;
}

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

/// Returns the product of some sizes as one size.
static Dim merged(const Shape &sizes) {
  Dim product(1);
  for (const Dim &size : sizes)
    product = product * size;
  return product;
}

/// Multiplies two operands, and sums over the letters of both that `kept` lacks. This is a product of matrices
/// [common.., first, second], or an element-wise product if there is no letter to sum over.
static Lettered multiply(const Lettered &a, const Lettered &b, const std::string &kept, Here here) {
  std::string common, summed, left, right;
  for (char letter : a.letters)
    (!has(b.letters, letter) ? left : has(kept, letter) ? common : summed) += letter;
  for (char letter : b.letters)
    if (!has(a.letters, letter))
      right += letter;
  auto matrix = [&](const Lettered &x, const std::string &rows, const std::string &columns) {
    Shape shape = sizesOf(x, common);
    shape.push_back(merged(sizesOf(x, rows)));
    shape.push_back(merged(sizesOf(x, columns)));
    Tensor ordered = inOrder(x, common + rows + columns, here);
    return shape == ordered.shape() ? ordered : reshape(ordered, shape, here);
  };
  Tensor first = matrix(a, left, summed), second = matrix(b, summed, right);
  Tensor product = summed.empty() ? Operand(first, here) * Operand(second, here) : matmul(first, second, here);
  Shape shape = sizesOf(a, common + left), columns = sizesOf(b, right);
  shape.insert(shape.end(), columns.begin(), columns.end());
  return {common + left + right, shape == product.shape() ? product : reshape(product, shape, here)};
}

/// Returns the operands of an equation. If a letter occurs twice in one of them, takes its diagonal.
static std::vector<Lettered> operandsOf(const std::vector<std::string> &letters, const std::vector<Tensor> &tensors,
                                        Here here) {
  std::vector<Lettered> operands;
  for (size_t n = 0; n < tensors.size(); ++n) {
    expect(tensors[n].dtype() == tensors[0].dtype(), here, "expected one element type in einsum, got ",
           tensors[0].dtype(), " and ", tensors[n].dtype());
    expectLetters(letters[n], here);
    expect(static_cast<int64_t>(letters[n].size()) == tensors[n].rank(), here, "expected a letter for each of ",
           tensors[n].rank(), " dimensions in einsum, got '", letters[n], "'");
    operands.push_back({letters[n], tensors[n]});
  }
  expectSizes(operands, here);
  for (Lettered &operand : operands)
    operand = diagonal(operand, here);
  return operands;
}

static void expectResult(const std::string &result, const std::vector<std::string> &operands, Here here) {
  expectLetters(result, here);
  for (char letter : result) {
    bool isKnown =
        std::any_of(operands.begin(), operands.end(), [&](const std::string &own) { return has(own, letter); });
    expect(isKnown, here, "expected letters of operands on the right of -> in einsum, got '", std::string(1, letter),
           "'");
    expect(!isRepeated(result, letter), here, "expected each letter once in '", result, "' of einsum, got '",
           std::string(1, letter), "' twice");
  }
}

Tensor xf::einsum(const std::string &equation, const std::vector<Tensor> &tensors, Here here) {
  size_t arrow = equation.find("->");
  std::vector<std::string> letters = splitAtCommas(equation.substr(0, arrow));
  std::vector<std::string> results = {implicitResult(letters)};
  if (arrow != std::string::npos)
    results = splitAtCommas(equation.substr(arrow + 2));
  expect(results.size() == 1, here, "expected one result in einsum \"", equation, "\", got ", results.size());
  std::string &result = results[0];
  expect(letters.size() == tensors.size(), here, "expected ", letters.size(), " tensors in einsum \"", equation,
         "\", got ", tensors.size());
  for (const Tensor &tensor : tensors)
    expectFloat(tensor, "einsum", here);
  replaceDots(letters, result, arrow != std::string::npos, tensors, here);
  std::vector<Lettered> operands = operandsOf(letters, tensors, here);
  expectResult(result, letters, here);
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
