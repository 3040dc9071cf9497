//===- PrintableText.cpp - Text that a terminal may show ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintableText.h"
#include "PrintableBytes.h"

#include <algorithm>
#include <stdio.h>

static constexpr size_t mostColumns = 1000;

std::string xfrt::printableText(std::string_view text) {
  std::string shown;
  size_t column = 0;
  while (!text.empty()) {
    bool isPlain = text[0] == '\t' || text[0] == '\n';
    size_t bytes = isPlain ? 1 : printableBytes(text.data(), text.size());
    char escape[8];
    snprintf(escape, sizeof(escape), "\\x%02x", static_cast<unsigned char>(text[0]));
    column = text[0] == '\n' ? 0 : column + 1;
    if (column <= mostColumns)
      shown += bytes ? text.substr(0, bytes) : std::string_view(escape);
    else if (column == mostColumns + 1)
      shown += " ..";
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return shown;
}
