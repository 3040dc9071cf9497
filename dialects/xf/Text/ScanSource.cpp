//===- ScanSource.cpp - A scan of text before MLIR parses it --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Text/ScanSource.h"
#include "dialects/xf/Text/PrintableLines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr unsigned maxDepth = 256;

namespace {
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  std::optional<SourceProblem> scan() {
    checkCharacters();
    while (position < text.size() && !problem)
      step();
    return problem;
  }

private:
  static constexpr uint64_t maxResult = 1 << 16, maxAliases = 1 << 16;

  /// How large the definition of an alias is: how deep its brackets and aliases nest (`depth`), and how many aliases
  /// its expansion has, itself included (`size`).
  struct Alias {
    unsigned depth = 0;
    uint64_t size = 1;
  };

  void fail(size_t at, const std::string &message) {
    StringRef before = text.take_front(at);
    problem = SourceProblem{static_cast<unsigned>(before.count('\n') + 1),
                            static_cast<unsigned>(at - (before.rfind('\n') + 1) + 1), message};
  }

  void checkCharacters() {
    for (size_t at = 0; at < std::min<size_t>(text.size(), maxSourceBytes) && !problem;) {
      size_t bytes = printableBytes(text.drop_front(at));
      unsigned char byte = text[at];
      if (bytes == 0 && byte == 0)
        fail(at, "expected text, got a NUL byte");
      else if (bytes == 0 && byte != '\r')
        fail(at, "expected text in UTF-8, got the byte 0x" + llvm::utohexstr(byte, /*LowerCase=*/true, /*Width=*/2));
      at += std::max<size_t>(bytes, 1);
    }
  }

  void skipComment() { position = std::min(text.find('\n', position), text.size()); }

  void skipString() {
    size_t start = position++;
    while (position < text.size() && text[position] != '"' && text[position] != '\n')
      position += text[position] == '\\' ? 2 : 1;
    if (position >= text.size() || text[position] != '"')
      fail(start, "expected a closing '\"', got the end of the line");
    ++position;
  }

  void resultNumber() { // %x#n
    size_t start = position++;
    while (position < text.size() && (llvm::isAlnum(text[position]) || StringRef("$._-").contains(text[position])))
      ++position;
    if (position >= text.size() || text[position] != '#')
      return;
    StringRef digits = text.drop_front(position + 1).take_while(llvm::isDigit);
    uint64_t number = 0;
    if (digits.size() > 6 || (!digits.empty() && (digits.getAsInteger(10, number) || number > maxResult)))
      fail(start,
           "expected a result number of at most " + std::to_string(maxResult) + ", got " + digits.take_front(32).str());
  }

  unsigned nesting() const { return depth[0] + depth[1] + depth[2] + depth[3]; }

  /// Scans #name or !name, a definition or a use of an alias. A use expands to the whole definition, so that each line
  /// of a program can double the expansion of the line before. For this reason the size of expansions is limited.
  void alias() {
    size_t start = position++;
    position += text.drop_front(position)
                    .take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; })
                    .size();
    StringRef name = text.slice(start, position), rest = text.drop_front(position).ltrim();
    if (name.size() == 1 || name.contains('.')) // an attribute or type of a dialect
      return;
    if (nesting() == 0 && rest.starts_with("=")) {
      defined = &aliases[name];
      *defined = Alias();
      position = text.size() - rest.drop_front().ltrim().size();
      return;
    }
    Alias used = aliases.lookup(name);
    unsigned deep = nesting() + used.depth + 1;
    if (deep > maxDepth)
      return fail(start, "expected aliases nested at most " + std::to_string(maxDepth) + " deep");
    if (!defined)
      return;
    defined->depth = std::max(defined->depth, deep);
    defined->size += used.size;
    if (defined->size > maxAliases)
      fail(start, "expected an alias that stands for at most " + std::to_string(maxAliases) + " others, got more");
  }

  /// Updates the depth of nesting at the bracket `c`. Counts each kind of bracket separately: otherwise a stray '>'
  /// would close a '('.
  void bracket(char c) {
    static constexpr StringLiteral open = "([{<", closed = ")]}>";
    if (size_t kind = open.find(c); kind != StringRef::npos)
      ++depth[kind];
    else if (size_t kind = closed.find(c); kind != StringRef::npos && depth[kind] > 0)
      --depth[kind];
    if (defined)
      defined->depth = std::max(defined->depth, nesting());
    if (nesting() > maxDepth)
      fail(position, "expected brackets nested at most " + std::to_string(maxDepth) + " deep");
  }

  void step() {
    char c = text[position];
    if (text.size() > maxSourceBytes)
      return fail(0, "expected a program of at most " + std::to_string(maxSourceBytes) + " bytes, got " +
                         std::to_string(text.size()));
    if (c == '"')
      return skipString();
    if (c == '%')
      return resultNumber();
    if (c == '#' || c == '!')
      return alias();
    if (c == '\n' && nesting() == 0)
      defined = nullptr;
    if (text.substr(position).starts_with("//"))
      return skipComment();
    if (text.substr(position).starts_with("{-#"))
      return fail(position, "expected a program without '{-#' metadata");
    for (StringRef token : {"->", "<=", ">="}) // their '<' and '>' are no brackets
      if (text.substr(position).starts_with(token)) {
        position += token.size();
        return;
      }
    bracket(c);
    ++position;
  }

  StringRef text;
  size_t position = 0;
  unsigned depth[4] = {};
  llvm::StringMap<Alias> aliases;
  Alias *defined = nullptr; ///< the alias whose definition is being read
  std::optional<SourceProblem> problem;
};
} // namespace

std::optional<SourceProblem> xf::scanSource(StringRef text) {
  if (text.starts_with("\xef\xbb\xbf"))
    return SourceProblem{1, 1, "expected text that begins without a byte order mark, got the bytes ef bb bf"};
  return Scanner(text).scan();
}

std::optional<SourceProblem> xf::scanBytecode(StringRef bytes) {
  if (bytes.size() > maxSourceBytes)
    return SourceProblem{1, 1,
                         "expected a program of at most " + std::to_string(maxSourceBytes) + " bytes, got " +
                             std::to_string(bytes.size())};
  unsigned depth[4] = {};
  for (auto [at, byte] : llvm::enumerate(bytes)) {
    static constexpr StringLiteral open = "([{<", closed = ")]}>";
    if (static_cast<unsigned char>(byte) < ' ' && byte != '\n' && byte != '\t') // ends a text, or the parser's patience
      std::fill(std::begin(depth), std::end(depth), 0);
    if (size_t kind = open.find(byte); kind != StringRef::npos)
      ++depth[kind];
    else if (size_t kind = closed.find(byte); kind != StringRef::npos && depth[kind] > 0)
      depth[kind] -= byte != '>' || bytes[at - 1] != '-'; // '->' closes nothing
    if (depth[0] + depth[1] + depth[2] + depth[3] > maxDepth)
      return SourceProblem{1, static_cast<unsigned>(at + 1),
                           "expected brackets nested at most " + std::to_string(maxDepth) + " deep"};
  }
  return std::nullopt;
}
