//===- Module.h - A parsed PTX module ---------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is parsed once, every instruction of it is understood or refused, and it never changes afterwards: any
// number of machines may run it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_MODULE_H
#define XF_TEST_PTX_MODULE_H

#include <memory>
#include <stdint.h>
#include <string>
#include <string_view>
#include <vector>

namespace xf::ptx {

struct Code; // the decoded instructions, in Code.h

/// A parameter of a kernel, at `offset` bytes of the parameters of a launch.
struct Parameter {
  std::string name;
  uint32_t offset = 0;
  uint32_t size = 0;
  uint32_t alignment = 1;
};

/// What a launch must know of an entry function.
struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameterBytes = 0;             // of all parameters
  uint32_t maxThreads[3] = {0, 0, 0};      // .maxntid; zeros where there is none
  uint32_t requiredThreads[3] = {0, 0, 0}; // .reqntid; zeros where there is none
  uint32_t maxRegisters = 0;               // .maxnreg; 0 where there is none
  uint32_t minBlocks = 0;                  // .minnctapersm; 0 where there is none
  uint32_t sharedBytes = 0;                // of static shared variables
};

/// A variable of the module in .global or .const.
struct Variable {
  std::string name;
  uint64_t size = 0;
  uint32_t alignment = 1;
  bool isConstant = false;      // in .const: kernels may not write it
  std::vector<uint8_t> initial; // `size` bytes
};

class Module {
public:
  /// Null when `text` is not PTX that this machine knows all of; then `error` is "NAME:LINE: expected .., got ..".
  static std::unique_ptr<Module> parse(std::string_view text, std::string name, std::string &error);
  ~Module();

  std::string name;
  std::string target; // "sm_90a"
  uint32_t majorVersion = 0;
  uint32_t minorVersion = 0;
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;

  /// Null when there is no kernel of this name.
  const Kernel *kernel(std::string_view name) const;
  /// Of the instructions of the text, with modifiers: each once, sorted.
  std::vector<std::string> opcodes() const;

  const Code &code() const { return *decoded; }

private:
  Module();
  std::unique_ptr<Code> decoded;
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_MODULE_H
