//===- RunCommand.h - The command line of ptx-run ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_RUNCOMMAND_H
#define XF_TEST_PTX_RUNCOMMAND_H

#include "test/ptx/Machine.h"
#include "test/ptx/parsing/Type.h"

namespace xf::ptx {

/// Device memory that the command line asks for.
struct Buffer {
  Type type = Type::None;
  uint64_t count = 0;
  uint64_t address = 0;
};

/// What is to be run, and what is to be shown of it.
struct Command {
  std::string file;
  Launch launch;
  Options options;
  std::vector<Buffer> buffers;
  std::vector<std::pair<size_t, uint64_t>> prints;
  std::vector<std::pair<size_t, std::string>> dumps;
  std::vector<std::vector<uint8_t>> parameters;
  Memory memory;
  bool coverage = false, statistics = false, onlyLoad = false;
  std::string error;

  bool fail(const std::string &text) {
    error = error.empty() ? text : error;
    return false;
  }
};

/// Adds `--name=value`. False, with an error, when there is no such option or its value is wrong.
bool addOption(Command &command, const std::string &name, const std::string &value);

} // namespace xf::ptx

#endif // XF_TEST_PTX_RUNCOMMAND_H
