//===- Bytes.cpp - Changes that know no format ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

using namespace night;

std::string night::strangeNumber(Random &random) {
  static const std::vector<std::string> words = {"-1",
                                                 "1.0",
                                                 "1e3",
                                                 "1e999",
                                                 "\"4\"",
                                                 "null",
                                                 "true",
                                                 "[]",
                                                 "{}",
                                                 "0x10",
                                                 "01",
                                                 "-0",
                                                 "18446744073709551615",
                                                 "18446744073709551616",
                                                 "9223372036854775807",
                                                 "9223372036854775808",
                                                 "-9223372036854775808",
                                                 "4294967296",
                                                 "2147483648",
                                                 "99999999999999999999999999999999999999",
                                                 "NaN",
                                                 "Infinity"};
  if (random.oneIn(3))
    return random.oneOf(words);
  uint64_t value = random.oneIn(2) ? random.below(64) : uint64_t(1) << random.below(64);
  return std::to_string(value + random.below(3) - 1);
}

std::string night::mutateBytes(std::string text, Random &random) {
  static const std::string special = std::string("\0\xff\x7f\x80\"\\{}[]():,'-0 \n", 18);
  for (uint64_t count = 1 + random.below(4); count > 0 && !text.empty(); --count) {
    size_t place = random.below(text.size());
    switch (random.below(6)) {
    case 0:
      text[place] = char(text[place] ^ (1 << random.below(8)));
      break;
    case 1:
      text.insert(place, 1, random.oneIn(2) ? special[random.below(special.size())] : char(random.word()));
      break;
    case 2:
      text.erase(place, 1 + random.below(8));
      break;
    case 3:
      text.insert(place, text.substr(random.below(text.size()), random.below(40)));
      break;
    case 4:
      text[place] = char(random.word());
      break;
    default:
      if (random.oneIn(4))
        text.resize(place);
    }
  }
  return text;
}
