//===- Instances.cpp - One program for every choice of sizes and types ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sweep/Instances.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf::sweep;

FailureOr<Choice> Choice::parse(StringRef text) {
  auto [letter, values] = text.split('=');
  if (letter.size() != 1 || !llvm::isAlpha(letter[0]) || values.empty())
    return failure();
  Choice choice{letter[0], {}};
  values.split(choice.values, ',');
  return choice;
}

static std::string substitute(StringRef text, ArrayRef<std::pair<char, StringRef>> chosen, StringRef suffix) {
  std::string result;
  while (true) {
    size_t dollar = text.find('$');
    result += text.take_front(dollar);
    if (dollar == StringRef::npos)
      return result;
    char letter = text.drop_front(dollar + 1).empty() ? ' ' : text[dollar + 1];
    auto *found = llvm::find_if(chosen, [&](const auto &choice) { return choice.first == letter; });
    if (letter == '$')
      result += suffix;
    else if (found != chosen.end())
      result += found->second;
    else
      result += text.substr(dollar, 2);
    text = text.drop_front(dollar + 2);
  }
}

std::string xf::sweep::instantiate(StringRef text, ArrayRef<Choice> choices) {
  SmallVector<size_t> place(choices.size(), 0);
  std::string result;
  while (true) {
    SmallVector<std::pair<char, StringRef>> chosen;
    std::string suffix;
    for (auto [choice, number] : llvm::zip(choices, place)) {
      StringRef value = choice.values[number];
      chosen.push_back({choice.letter, value});
      suffix += "_" + (value == "?" ? "dynamic" : value.str());
    }
    result += substitute(text, chosen, suffix);
    size_t digit = 0;
    while (digit < choices.size() && ++place[digit] == choices[digit].values.size())
      place[digit++] = 0;
    if (digit == choices.size())
      return result;
  }
}
