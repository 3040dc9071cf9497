//===- Coverage.cpp - Which opcodes tests have run ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Coverage.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

using namespace xf::ptx;

void xf::ptx::addOpcodes(const Module &module, Statistics &statistics) {
  for (const std::string &opcode : module.opcodes())
    statistics.opcodes[opcode] += 0;
}

bool xf::ptx::appendCoverage(const Statistics &statistics, const std::string &who) {
  const char *path = getenv("XF_PTX_COVERAGE");
  if (!path || !*path || statistics.opcodes.empty())
    return true;
  std::string text;
  for (const auto &[opcode, count] : statistics.opcodes)
    text += opcode + ' ' + std::to_string(count) + ' ' + who + '\n';
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0)
    return false;
  bool isWhole = write(file, text.data(), text.size()) == ssize_t(text.size()); // at once: others append too
  close(file);
  return isWhole;
}
