//===- Syntax.h - Statements of PTX before their meaning --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_PARSING_SYNTAX_H
#define XF_TEST_PTX_PARSING_SYNTAX_H

#include <stdint.h>
#include <string>
#include <string_view>
#include <vector>

namespace xf::ptx {

/// An operand as it is written. Vectors, addresses and parentheses hold operands, which hold none themselves, but for
/// an address with coordinates: `[base, {x, y}]` is an address of the base and the coordinates.
struct SyntaxOperand {
  enum Kind {
    Name,    // a register, special register, variable, label or function; offset follows a `+`
    Integer, // `value`
    Single,  // bits of an f32
    Double,  // bits of an f64
    Vector,  // {..}
    Address, // [..]
    List     // (..)
  };
  Kind kind = Name;
  std::string name;
  std::string second; // of `a|b`
  bool negated = false;
  uint64_t value = 0;
  int64_t offset = 0;
  std::vector<SyntaxOperand> elements;
};

/// `@!%p bra.uni $label;`
struct SyntaxInstruction {
  uint32_t line = 0;
  std::string guard; // empty for none
  bool guardNegated = false;
  std::string opcode; // with its modifiers
  std::vector<SyntaxOperand> operands;
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_PARSING_SYNTAX_H
