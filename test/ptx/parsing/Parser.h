//===- Parser.h - Reads a module of PTX -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_PARSING_PARSER_H
#define XF_TEST_PTX_PARSING_PARSER_H

#include "test/ptx/Module.h"
#include "test/ptx/parsing/Decoder.h"
#include "test/ptx/parsing/Lexer.h"

namespace xf::ptx {

class Parser {
public:
  Parser(std::string_view text, Module &module, Code &code)
      : lexer(text), module(module), code(code), scope(code), decoder(scope, code) {}

  /// False when the text is no PTX that is understood; then error() says where and why.
  bool parse();
  std::string error() const { return ":" + std::to_string(failureLine) + ": " + failure; }

private:
  /// `.align 16 .b8 name[4]`, before what it declares is known.
  struct Declaration {
    std::string name;
    Type type = Type::None;
    uint32_t alignment = 0;
    uint64_t count = 1;
    bool isUnsized = false; // `[]`
    uint64_t bytes() const { return count * bytesOf(type); }
  };

  // Tokens.
  void advance() { token = lexer.next(); }
  bool fail(const std::string &message);
  bool expected(const std::string &what);
  bool accept(std::string_view text);
  bool expect(std::string_view text);
  bool integer(uint64_t &value, uint64_t limit);
  bool word(std::string &name);
  bool skipTo(std::string_view end);
  void skipLine();

  // The module, in Parser.cpp.
  bool version();
  bool target();
  bool moduleItem();
  bool moduleVariable(std::string_view space, bool isExternal);
  bool initialiser(const Declaration &declaration, Variable &variable);
  bool declaration(Declaration &result);

  // Heads of functions, in ParseFunction.cpp.
  bool functionItem(bool isKernel);
  bool parameters(Function &function, Kernel *kernel);
  bool results(Function &function);
  bool performanceDirectives(Kernel *kernel);
  bool dimensions(uint32_t (&values)[3]);
  bool finish();

  // Bodies of functions, in ParseBody.cpp.
  bool body();
  bool statement();
  bool directive();
  bool registers();
  bool storage(std::string_view space);
  bool branchTargets(const std::string &name);
  bool instruction();
  bool operand(SyntaxOperand &result);
  bool operandList(SyntaxOperand &result, std::string_view close);
  bool plainOperand(SyntaxOperand &result);
  bool addressOperand(SyntaxOperand &result);
  uint64_t allocateLocal(const Declaration &declaration);

  Lexer lexer;
  Token token;
  Module &module;
  Code &code;
  Scope scope;
  Decoder decoder;
  std::string failure;
  uint32_t failureLine = 0;
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_PARSING_PARSER_H
