//===- Identifiers.cpp - C identifiers from users' names ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/Identifiers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr size_t longestIdentifier = 128, longestComment = 72;

/// Keywords of C and C++, and lower-case macros that the standard headers may define. isReserved() handles upper-case
/// macros.
static constexpr StringLiteral reservedWords[] = {
    "alignas",      "alignof",   "and",           "and_eq",      "asm",        "assert",
    "auto",         "bitand",    "bitor",         "bool",        "break",      "case",
    "catch",        "char",      "char8_t",       "char16_t",    "char32_t",   "class",
    "co_await",     "co_return", "co_yield",      "compl",       "complex",    "concept",
    "const",        "consteval", "constexpr",     "constinit",   "const_cast", "continue",
    "decltype",     "default",   "delete",        "do",          "double",     "dynamic_cast",
    "else",         "enum",      "errno",         "explicit",    "export",     "extern",
    "false",        "float",     "for",           "friend",      "goto",       "i386",
    "if",           "imaginary", "inline",        "int",         "linux",      "long",
    "main",         "mutable",   "namespace",     "new",         "noexcept",   "noreturn",
    "not",          "not_eq",    "nullptr",       "offsetof",    "operator",   "or",
    "or_eq",        "private",   "protected",     "public",      "register",   "reinterpret_cast",
    "requires",     "restrict",  "return",        "setjmp",      "short",      "signed",
    "sizeof",       "static",    "static_assert", "static_cast", "stderr",     "stdin",
    "stdout",       "std",       "struct",        "switch",      "template",   "this",
    "thread_local", "throw",     "true",          "try",         "typedef",    "typeid",
    "typename",     "typeof",    "union",         "unix",        "unsigned",   "using",
    "va_arg",       "va_end",    "va_start",      "virtual",     "void",       "volatile",
    "wchar_t",      "while",     "xor",           "xor_eq",      "int8_t",     "int16_t",
    "int32_t",      "int64_t",   "uint8_t",       "uint16_t",    "uint32_t",   "uint64_t",
    "size_t",       "xfrt"};

static std::string escaped(unsigned char byte) { return "_x" + llvm::utohexstr(byte, /*LowerCase=*/true, /*Width=*/2); }

/// Returns true if `text` starts with _xNN, the form in which cIdentifier writes an escaped byte.
static bool startsWithEscape(StringRef text) {
  auto isDigit = [](char c) { return llvm::isDigit(c) || (c >= 'a' && c <= 'f'); };
  return text.size() >= 4 && text.starts_with("_x") && isDigit(text[2]) && isDigit(text[3]);
}

std::string xf::cIdentifier(StringRef text) {
  if (text.empty())
    return escaped('_'); // stands for no byte: an underscore is escaped in front of xNN only
  std::string result;
  for (size_t n = 0; n < text.size() && result.size() < longestIdentifier; ++n) {
    unsigned char c = text[n];
    bool keep = (llvm::isAlpha(c) || c == '_' || (llvm::isDigit(c) && n > 0)) && !startsWithEscape(text.substr(n));
    result += keep ? std::string(1, c) : escaped(c);
  }
  if (result.size() < longestIdentifier)
    return result;
  result.resize(longestIdentifier / 2);
  return result + escaped('_') + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
}

/// Returns true for keywords, and for names that implementations and macros use: upper-case names, and names that begin
/// with two underscores, with an underscore and a capital, or with xfrt_.
static bool isReserved(StringRef identifier) {
  bool isUpper = identifier.size() > 1 && llvm::none_of(identifier, [](char c) { return llvm::isLower(c); });
  return isUpper || identifier.starts_with("__") || identifier.starts_with("xfrt_") ||
         (identifier.starts_with("_") && identifier.size() > 1 && llvm::isUpper(identifier[1])) ||
         llvm::is_contained(reservedWords, identifier);
}

IdentifierScope::IdentifierScope(ArrayRef<StringRef> taken) { used.insert_range(taken); }

std::string IdentifierScope::add(StringRef name) {
  std::string base = cIdentifier(name);
  if (isReserved(base))
    base += "_";
  std::string result = base;
  for (unsigned number = 2; !used.insert(result).second; ++number)
    result = base + "_" + std::to_string(number);
  return result;
}

/// Appends `c`, or its octal escape if it is not printable or is one of `special`. Octal escapes end after three
/// digits, so no following character can extend them. A '?' could begin a trigraph, and a '*' could end the comment
/// around the text.
static void appendEscaped(std::string &result, unsigned char c, StringRef special) {
  if (llvm::isPrint(c) && !special.contains(c)) {
    result += c;
    return;
  }
  result += '\\';
  for (int shift : {6, 3, 0})
    result += static_cast<char>('0' + ((c >> shift) & 7));
}

std::string xf::cStringLiteral(StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text)
    appendEscaped(result, c, "\"\\?*");
  return result + "\"";
}

std::string xf::cCommentText(StringRef text) {
  std::string result;
  for (unsigned char c : text.take_front(longestComment))
    appendEscaped(result, c, "\"\\?*");
  return text.size() > longestComment ? result + ".." : result;
}
