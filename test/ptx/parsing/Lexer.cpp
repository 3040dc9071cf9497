//===- Lexer.cpp - Tokens of PTX ------------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

using namespace xf::ptx;

static bool isNameStart(char c) {
  return isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}
static bool isNamePart(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.'; }

void Lexer::skipBlanks() {
  while (at < text.size()) {
    char c = text[at];
    if (c == '\n') {
      ++line;
      ++at;
    } else if (isspace(static_cast<unsigned char>(c)) || c == '\0') {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      size_t end = std::min(text.find("*/", at + 2), text.size());
      for (; at < end; ++at)
        line += text[at] == '\n';
      at = std::min(end + 2, text.size());
    } else {
      return;
    }
  }
}

/// `::` belongs to a word, `:` ends a label.
Token Lexer::word(Token token) {
  size_t start = at++;
  while (at < text.size()) {
    if (isNamePart(text[at]))
      ++at;
    else if (text.substr(at, 2) == "::" && at + 2 < text.size() && isNamePart(text[at + 2]))
      at += 2;
    else
      break;
  }
  token.kind = Token::Word;
  token.text = text.substr(start, at - start);
  return token;
}

/// Integers of 64 bits, 0f and 0d literals, and decimal fractions.
Token Lexer::number(Token token) {
  size_t start = at;
  while (at < text.size() &&
         (isalnum(static_cast<unsigned char>(text[at])) || text[at] == '.' ||
          ((text[at] == '+' || text[at] == '-') && tolower(text[at - 1]) == 'e' && text[start + 1] != 'x' &&
           tolower(text[start + 1]) != 'f' && tolower(text[start + 1]) != 'd')))
    ++at;
  token.text = text.substr(start, at - start);
  std::string digits(token.text);
  char mark = digits.size() > 2 && digits[0] == '0' ? static_cast<char>(tolower(digits[1])) : ' ';
  char *end = nullptr;
  if ((mark == 'f' && digits.size() == 10) || (mark == 'd' && digits.size() == 18)) {
    token.kind = mark == 'f' ? Token::Single : Token::Double;
    token.value = strtoull(digits.c_str() + 2, &end, 16);
  } else if (digits.find('.') != std::string::npos) {
    double value = strtod(digits.c_str(), &end);
    token.kind = Token::Double;
    memcpy(&token.value, &value, sizeof(value));
  } else {
    token.kind = Token::Integer;
    if (tolower(digits.back()) == 'u')
      digits.pop_back();
    token.value = strtoull(digits.c_str() + (mark == 'b' ? 2 : 0), &end, mark == 'b' ? 2 : 0);
  }
  if (!end || *end)
    token.kind = Token::Bad;
  return token;
}

Token Lexer::next() {
  skipBlanks();
  Token token;
  token.line = line;
  if (at >= text.size())
    return token;
  char c = text[at];
  if (isdigit(static_cast<unsigned char>(c)))
    return number(token);
  if (isNameStart(c))
    return word(token);
  if (c == '"') {
    size_t end = text.find('"', at + 1);
    token.kind = end == std::string_view::npos ? Token::Bad : Token::Text;
    end = std::min(end, text.size());
    token.text = text.substr(at + 1, end - at - 1);
    at = std::min(end + 1, text.size());
    return token;
  }
  token.kind = strchr(",;{}[]()<>@!|+-=:", c) ? Token::Mark : Token::Bad;
  token.text = text.substr(at++, 1);
  return token;
}
