//===- PrintableLines.cpp - A stream for messages about programs ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Text/PrintableLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::xf;

static const llvm::UTF8 *unicode(StringRef text) { return reinterpret_cast<const llvm::UTF8 *>(text.data()); }

size_t xf::printableBytes(StringRef text) {
  unsigned char first = text.front();
  if (first < 0x80)
    return first == '\t' || first == '\n' || (first >= 0x20 && first != 0x7f);
  size_t bytes = llvm::getNumBytesForUTF8(first);
  if (bytes > text.size() || !llvm::isLegalUTF8Sequence(unicode(text), unicode(text) + bytes))
    return 0;
  bool isControl = first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0; // U+0080 to U+009F
  return isControl ? 0 : bytes;
}

/// Returns whether `text` is an incomplete UTF-8 character: its first bytes, without the last ones.
static bool isBegun(StringRef text) {
  size_t whole = llvm::getNumBytesForUTF8(text.front());
  return whole <= 4 && text.size() < whole &&
         llvm::all_of(text.drop_front(), [](unsigned char byte) { return (byte & 0xc0) == 0x80; });
}

void PrintableLines::put(StringRef shown) {
  if (column < maxColumns)
    os << shown;
  else if (column == maxColumns)
    os << " ..";
  ++column;
}

void PrintableLines::putEscaped(unsigned char byte) {
  SmallString<4> shown;
  llvm::raw_svector_ostream(shown) << llvm::format("\\x%02x", byte);
  put(shown);
}

void PrintableLines::finish() {
  for (char byte : begun)
    putEscaped(byte);
  begun.clear();
}

void PrintableLines::write_impl(const char *data, size_t size) {
  std::string text = (begun + StringRef(data, size)).str();
  begun.clear();
  for (StringRef rest = text; !rest.empty();) {
    if (rest.front() == '\n') {
      os << '\n';
      column = 0;
      rest = rest.drop_front();
      continue;
    }
    size_t bytes = printableBytes(rest);
    if (bytes == 0 && isBegun(rest)) {
      begun = rest;
      return;
    }
    if (bytes == 0)
      putEscaped(rest.front());
    else
      put(rest.take_front(bytes));
    rest = rest.drop_front(std::max<size_t>(bytes, 1));
  }
}
