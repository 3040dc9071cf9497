//===- Report.h - What a run found wrong ------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_REPORT_H
#define XF_TEST_PTX_REPORT_H

#include <stdint.h>
#include <string>

namespace xf::ptx {

enum class ReportKind {
  Launch,        // the launch itself is impossible: nothing ran
  Bounds,        // an address outside every allocation, or outside shared memory
  Alignment,     // an address that its instruction does not take
  Uninitialised, // memory or a register read before it was written
  Race,          // two accesses without an order between them
  Proxy,         // an order between proxies is missing: fence.proxy.async
  InFlight,      // a register or a buffer of an asynchronous operation touched before its wait
  Barrier,       // a barrier used against its rules
  Warpgroup,     // the four warps of a warpgroup disagree
  Arithmetic,    // division by zero and the like
  Misuse,        // an operand that an instruction does not take
  Deadlock,      // no warp can go on
  Trap,          // the kernel executed trap
  Limit          // more instructions than Options::maxInstructions
};

/// "race", "out of bounds", ..
const char *nameOf(ReportKind kind);

/// Line 0 where no line is to blame.
struct Report {
  ReportKind kind;
  uint32_t line = 0;
  std::string text; // with the CTA, the warp and the address
};

/// "error: NAME:LINE: KIND: TEXT"
std::string toString(const Report &report, const std::string &name);

} // namespace xf::ptx

#endif // XF_TEST_PTX_REPORT_H
