//===- ShortLines.cpp - A stream that cuts long lines ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/ShortLines.h"

using namespace mlir;

void xf::ShortLines::write_impl(const char *data, size_t size) {
  StringRef rest(data, size);
  while (!rest.empty()) {
    size_t length = std::min(rest.find('\n'), rest.size());
    if (column < maxColumns)
      os << rest.take_front(std::min(length, maxColumns - column));
    if (column <= maxColumns && column + length > maxColumns)
      os << " ..";
    column += length;
    rest = rest.drop_front(length);
    if (rest.consume_front("\n")) {
      os << '\n';
      column = 0;
    }
  }
}
