//===- Lexer.h - Tokens of PTX ----------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_PARSING_LEXER_H
#define XF_TEST_PTX_PARSING_LEXER_H

#include <stdint.h>
#include <string>
#include <string_view>

namespace xf::ptx {

struct Token {
  enum Kind {
    End,
    Word,    // a name, register, directive or opcode with its modifiers: %r1, .reg, cp.async.shared::cta
    Integer, // 12, 0x1f; `value`
    Single,  // 0f3F800000; `value` has the bits
    Double,  // 0d3FF0000000000000, 1.5; `value` has the bits
    Text,    // a string, without its quotes
    Mark,    // one character
    Bad      // what is no token
  };
  Kind kind = End;
  std::string_view text;
  uint64_t value = 0;
  uint32_t line = 1;

  bool is(std::string_view what) const { return (kind == Word || kind == Mark) && text == what; }
};

/// Reads tokens one by one, past blanks and comments.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}
  Token next();

private:
  void skipBlanks();
  Token number(Token token);
  Token word(Token token);

  std::string_view text;
  size_t at = 0;
  uint32_t line = 1;
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_PARSING_LEXER_H
