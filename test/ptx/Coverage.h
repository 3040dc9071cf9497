//===- Coverage.h - Which opcodes tests have run ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs append a line `OPCODE COUNT WHO` for each opcode to the file that XF_PTX_COVERAGE names; coverage.py reads
// it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_COVERAGE_H
#define XF_TEST_PTX_COVERAGE_H

#include "test/ptx/Machine.h"

namespace xf::ptx {

/// Adds the opcodes of a module, which need not have run.
void addOpcodes(const Module &module, Statistics &statistics);

/// Does nothing where the environment names no file. False where it cannot be written.
bool appendCoverage(const Statistics &statistics, const std::string &who);

} // namespace xf::ptx

#endif // XF_TEST_PTX_COVERAGE_H
