//===- NpyHeader.cpp - The header of an npy file --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include <algorithm>
#include <string.h>

using namespace xfrt::tools;

static constexpr size_t maxRank = 64; // NumPy's own limit

namespace {
/// Parses the subset of Python literals that NumPy writes.
class Parser {
public:
  Parser(std::string_view text, NpyHeader &header, std::string &error) : text(text), header(header), error(error) {}
  bool parse();

private:
  bool parseEntry();
  bool parseDescr();
  bool parseOrder();
  bool parseShape();
  bool parseSize(int64_t &size);
  bool parseString(std::string &value);
  bool parseWord(std::string_view word);

  bool fail(const std::string &message) {
    error = message + " at byte " + std::to_string(position) + " of the header";
    return false;
  }
  void skipSpace() {
    while (position < text.size() && strchr(" \t\n\r", text[position]) && text[position])
      ++position;
  }
  bool accept(char c) {
    skipSpace();
    if (position >= text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }
  bool expect(char c) { return accept(c) || fail(std::string("expected '") + c + "'"); }

  std::string_view text;
  NpyHeader &header;
  std::string &error;
  size_t position = 0;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};
} // namespace

bool Parser::parse() {
  if (!expect('{'))
    return false;
  while (!accept('}')) {
    if (!parseEntry())
      return false;
    if (accept(','))
      continue;
    if (!expect('}'))
      return false;
    break;
  }
  skipSpace();
  if (position != text.size())
    return fail("expected the end of the header");
  return (hasDescr && hasOrder && hasShape) || fail("expected the keys 'descr', 'fortran_order' and 'shape'");
}

bool Parser::parseEntry() {
  std::string key;
  if (!parseString(key) || !expect(':'))
    return false;
  if (key == "descr" && !hasDescr)
    return (hasDescr = true) && parseDescr();
  if (key == "fortran_order" && !hasOrder)
    return (hasOrder = true) && parseOrder();
  if (key == "shape" && !hasShape)
    return (hasShape = true) && parseShape();
  return fail("expected each of the keys 'descr', 'fortran_order' and 'shape' once");
}

bool Parser::parseString(std::string &value) {
  skipSpace();
  char quote = position < text.size() ? text[position] : 0;
  size_t end = quote == '\'' || quote == '"' ? text.find(quote, position + 1) : std::string_view::npos;
  if (end == std::string_view::npos)
    return fail("expected a string");
  value = text.substr(position + 1, end - position - 1);
  position = end + 1;
  return true;
}

bool Parser::parseWord(std::string_view word) {
  skipSpace();
  if (text.substr(position, word.size()) != word)
    return false;
  position += word.size();
  return true;
}

/// Parses the value of 'descr'. This is an element type: a byte order, a kind and a size. Refuses a list, because it
/// stands for a structured type.
bool Parser::parseDescr() {
  std::string &descr = header.descr;
  if (!parseString(descr))
    return false;
  static const char *const known[] = {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
  bool valid = descr.size() == 3 && strchr("<>|=", descr[0]) && descr[0] &&
               std::find(std::begin(known), std::end(known), descr.substr(1)) != std::end(known);
  if (!valid || (descr[0] == '|' && descr[2] != '1'))
    return fail("expected an element type of f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 or b1");
  header.bigEndian = descr[0] == '>';
  header.kind = descr[1];
  header.itemBytes = descr[2] - '0';
  return true;
}

bool Parser::parseOrder() {
  if (parseWord("True"))
    return header.fortranOrder = true;
  return parseWord("False") || fail("expected True or False");
}

bool Parser::parseSize(int64_t &size) {
  skipSpace();
  size_t begin = position;
  size = 0;
  for (; position < text.size() && text[position] >= '0' && text[position] <= '9'; ++position)
    if (__builtin_mul_overflow(size, 10, &size) || __builtin_add_overflow(size, text[position] - '0', &size))
      return fail("expected a size below 2^63");
  return position > begin || fail("expected a size");
}

bool Parser::parseShape() {
  if (!expect('('))
    return false;
  while (!accept(')')) {
    int64_t size;
    if (!parseSize(size))
      return false;
    header.shape.push_back(size);
    if (header.shape.size() > maxRank)
      return fail("expected at most 64 dimensions");
    if (accept(','))
      continue;
    if (header.shape.size() == 1) // (3) is a number in Python, not a tuple
      return fail("expected ','");
    if (!expect(')'))
      return false;
    break;
  }
  bool empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  header.count = empty ? 0 : 1;
  for (int64_t size : header.shape)
    if (!empty && __builtin_mul_overflow(header.count, size, &header.count))
      return fail("expected fewer than 2^63 elements");
  return true;
}

bool xfrt::tools::parseNpyHeader(std::string_view text, NpyHeader &header, std::string &error) {
  return Parser(text, header, error).parse();
}
